package sim

import (
	"runtime"
	"slices"
	"sync"
	"testing"
)

// Tests of what has no exported name.

func mailbox(byValue bool, width int) *Mailbox {
	return newMailbox(&group{byValue: byValue, width: width})
}

// contents is what Read gives for a port, nil if nothing.
func contents(m *Mailbox, port, width int) []float64 {
	dst := make([]float64, width)
	if !m.Read(port, dst) {
		return nil
	}
	return dst
}

func TestMailbox(t *testing.T) {
	type command struct {
		port int
		v    []float64
	}
	tests := []struct {
		name    string
		byValue bool
		put     []command
		zero    []float64 // for port 0
		one     []float64 // for port 1
	}{
		{"newest wins", true, []command{{0, []float64{1, 2, 3}}, {0, []float64{4, 5, 6}}}, []float64{4, 5, 6}, nil},
		{"parts add up", true, []command{{0, []float64{1, Keep, 3}}, {0, []float64{Keep, 5, 6}}}, []float64{1, 5, 6}, nil},
		{"ports share", true, []command{{0, []float64{1, 2, 3}}, {1, []float64{Keep, 5, Keep}}},
			[]float64{1, Keep, 3}, []float64{Keep, 5, Keep}},
		{"nothing", true, []command{{0, []float64{Keep, Keep, Keep}}}, nil, nil},
		{"as a whole", false, []command{{1, []float64{1, 2}}, {0, []float64{Keep, 5, 6}}}, []float64{Keep, 5, 6}, nil},
		{"as a whole, narrower", false, []command{{0, []float64{1, 2, 3}}, {1, []float64{4, 5}}}, nil, []float64{4, 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mailbox(tt.byValue, 3)
			for range 3 { // what was read does not come again
				if m.Take() {
					t.Fatal("an empty mailbox is not empty")
				}
				for _, c := range tt.put {
					m.Put(c.port, c.v)
				}
				if !m.Take() {
					t.Fatal("nothing came")
				}
				width := 3
				if !tt.byValue {
					width = 2
				}
				zero, one := contents(m, 0, 3), contents(m, 1, width)
				if !Same(zero, tt.zero) || !Same(one, tt.one) {
					t.Errorf("port 0: %v, port 1: %v; want %v, %v", zero, one, tt.zero, tt.one)
				}
			}
		})
	}
	m := mailbox(true, 2)
	m.Put(0, []float64{1, 2})
	m.Take()
	m.Put(0, []float64{Keep, 3})
	m.Take()
	if got := contents(m, 0, 2); !Same(got, []float64{Keep, 3}) {
		t.Errorf("an old value came again: %v", got)
	}
}

// Many writers, one reader: every command taken is whole and, for each writer,
// newer than the one before; the newest is never lost.
func TestMailboxConcurrently(t *testing.T) {
	const writers, each, width = 4, 5000, 5
	m := mailbox(false, width)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			v := make([]float64, width)
			for k := range each {
				for i := range v {
					v[i] = float64(k)
				}
				m.Put(w, v)
			}
		})
	}
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	last := [writers]float64{-1, -1, -1, -1}
	check := func() {
		if !m.Take() {
			return
		}
		ports := 0
		for port := range writers {
			v := contents(m, port, width)
			if v == nil {
				continue
			}
			ports++
			for _, x := range v {
				if x != v[0] {
					t.Fatalf("torn command %v", v)
				}
			}
			if v[0] <= last[port] {
				t.Fatalf("port %d: %v after %v", port, v[0], last[port])
			}
			last[port] = v[0]
		}
		if ports != 1 {
			t.Fatalf("%d ports decide", ports)
		}
	}
	for !closed(finished) {
		check()
		runtime.Gosched()
	}
	check()
	if !slices.Contains(last[:], each-1) {
		t.Errorf("the last commands taken were %v, none the newest", last)
	}
}

// Posting from many goroutines while the loop runs: nothing is lost count of,
// and the last command is what the actuators end up with.
func TestPostConcurrently(t *testing.T) {
	const writers, each = 4, 500
	o := FakeOptions()
	o.CommandTimeoutS = 0
	s, m, c := NewFake(t, o)
	c.Slept = func(int) { runtime.Gosched() }
	end := start(t, s)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for k := range each {
				s.Post(Source{}, w%2, []float64{float64(k % 3), 1})
				s.Reject(Stale)
			}
		})
	}
	wg.Wait()
	s.Post(Source{}, PortForce, []float64{7, 20})
	settled := s.Stats().Periods + 2*FakeHz
	for s.Stats().Periods < settled {
		runtime.Gosched()
	}
	end()
	if m.U != [2]float64{7, 10} {
		t.Errorf("forces %v, want those of the last command", m.U)
	}
	v := s.Stats().Commands
	if v[Accepted] != writers*each || v[Clamped] != 1 || v[Stale] != writers*each {
		t.Errorf("verdicts %v", v)
	}
}

// A slice that has room is reused, also where the room is just enough.
func TestResizeReuses(t *testing.T) {
	s := make([]int, 1, 3)
	for n := range 4 {
		if got := resize(s, n); len(got) != n || n > 0 && &got[0] != &s[0] {
			t.Errorf("%d of 3 are made anew", n)
		}
	}
	if got := resize(s, 4); len(got) != 4 {
		t.Errorf("%d items, want 4", len(got))
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, text := range []string{"enable", "step 10", "step -1", "", "restore_state \x00", "step 18446744073709551616"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRequest(text)
		if err != nil {
			if r != (Request{}) || len(err.Error()) > 500 {
				t.Errorf("%q: %v with error %v", text, r, err)
			}
			return
		}
		if r.check() != nil {
			t.Errorf("%q: parsed to %v, which is refused: %v", text, r, r.check())
		}
		if again, err := ParseRequest(r.String()); err != nil || again != r {
			t.Errorf("%q: %v is written %q, which is %v, %v", text, r, r.String(), again, err)
		}
	})
}
