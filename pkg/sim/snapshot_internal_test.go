package sim

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
)

// Tests of what has no exported name.

func TestRingOverflow(t *testing.T) {
	r := newRing(&FakeModel{})
	dst := newSnapshot(new(FakeModel).Ports(), new(FakeModel).Gauges())
	write := func(n int) {
		for range n {
			r.back().Values[PortJoints][0] = float64(r.head.Load() + 1)
			r.publish()
		}
	}
	expect := func(first, last uint64) {
		t.Helper()
		for seq := first; seq <= last; seq++ {
			if !r.pop(dst) || dst.Seq != seq || dst.Values[PortJoints][0] != float64(seq) {
				t.Fatalf("read %d with %v, want %d", dst.Seq, dst.Values[PortJoints], seq)
			}
		}
		if r.pop(dst) {
			t.Fatalf("read %d, want none", dst.Seq)
		}
	}
	expect(1, 0)
	write(ringSize + 1)
	expect(2, ringSize+1)
	r, dst = newRing(&FakeModel{}), newSnapshot(new(FakeModel).Ports(), new(FakeModel).Gauges())
	write(3)
	expect(1, 3)
	write(ringSize)
	expect(4, ringSize+3)
	if r.missed.Load() != 0 {
		t.Fatalf("missed %d, none was", r.missed.Load())
	}
	write(2*ringSize + 10)
	if got := r.missed.Load(); got != ringSize+10 {
		t.Errorf("missed %d, want %d", got, ringSize+10)
	}
	expect(2*ringSize+14, 3*ringSize+13) // the newest, in order
}

// A writer that never waits and a reader that cannot keep up: what is read is
// whole and in order, and what is not read is counted.
func TestRingConcurrently(t *testing.T) {
	const n = 50_000
	r := newRing(&FakeModel{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for k := range n {
			shot := r.back()
			for _, v := range shot.Values {
				for i := range v {
					v[i] = float64(k + 1)
				}
			}
			r.publish()
			if k%97 == 0 {
				runtime.Gosched()
			}
		}
	}()
	dst := newSnapshot(new(FakeModel).Ports(), new(FakeModel).Gauges())
	var read, last uint64
	take := func() bool {
		if !r.pop(dst) {
			return false
		}
		if dst.Seq <= last {
			t.Fatalf("%d after %d", dst.Seq, last)
		}
		for _, v := range dst.Values {
			for _, x := range v {
				if x != float64(dst.Seq) {
					t.Fatalf("snapshot %d holds %v", dst.Seq, dst.Values)
				}
			}
		}
		last = dst.Seq
		read++
		return true
	}
	for !closed(done) {
		if !take() {
			runtime.Gosched()
		}
	}
	for take() {
	}
	if last != n || read+r.missed.Load() != n {
		t.Errorf("read %d up to %d, missed %d, written %d", read, last, r.missed.Load(), n)
	}
}

// The copy shares nothing with what the model draws into next.
func TestSceneCopyIsDeep(t *testing.T) {
	m := &FakeModel{X: [2]float64{1, 0}}
	var a, b Scene
	m.Draw(&a)
	a.Polylines = []Polyline{{Name: "tendon", Points: a.Tubes[0].Points[:1]}, {Name: "other"}}
	a.copyTo(&b)
	m.X[0] = 2
	m.Draw(&a)
	if b.Tubes[0].Points[1].X != 1 || b.Spheres[0].Name != "tip" || b.Polylines[1].Name != "other" {
		t.Errorf("%+v", b)
	}
	a.Polylines = a.Polylines[:1]
	a.copyTo(&b)
	if b.Tubes[0].Points[1].X != 2 || len(b.Polylines) != 1 {
		t.Errorf("%+v", b)
	}
	if n := testing.AllocsPerRun(1000, func() { a.copyTo(&b) }); n != 0 {
		t.Errorf("%v allocations in a copy to a used scene", n)
	}
}

// wideModel has the Out ports of a swarm.
type wideModel struct {
	FakeModel
	robots int
}

func (m *wideModel) Ports() []Port {
	return append(m.FakeModel.Ports(), Port{Name: "poses", Kind: PoseArray, Direction: Out, Labels: make([]string, m.robots), Frames: []string{World}})
}

func (m *wideModel) Value(i int, dst []float64) {
	if i <= PortTip {
		m.FakeModel.Value(i, dst)
	}
}

// The ring of a swarm of 100,000 would take 2.9 GB at the length that others have.
func TestRingMemory(t *testing.T) {
	for robots, want := range map[int]int{1: ringSize, 2000: ringSize, 10_000: 119, 100_000: 11, 1_000_000: leastSlots} {
		shot := &Snapshot{Values: [][]float64{make([]float64, 7*robots)}}
		if got := slots(shot.bytes()); got != uint64(want) {
			t.Errorf("%d robots: %d slots, want %d", robots, got, want)
		}
	}
	m := &wideModel{robots: 100_000}
	s, err := NewSimulator(m, &FakeClock{NowValue: time.Second}, FakeOptions())
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, b := range s.snapshots.ring.buffers {
		total += b.bytes()
	}
	if total > ringBytes+2*s.snapshots.ring.back().bytes() {
		t.Errorf("%d MB", total>>20)
	}
	for range 30 {
		s.loop.snap()
	}
	shots := 0
	for shot := s.NewSnapshot(); s.Next(shot); shots++ {
	}
	if shots != 11 || s.Missed() != 19 {
		t.Errorf("%d snapshots, %d missed", shots, s.Missed())
	}
}

// Commands act while a step is at work, and what came too late for its last period
// is dropped with it.
func TestStepTakesCommands(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := FakeOptions()
		o.Lockstep = lockstep
		s, m, _ := NewFake(t, o)
		Ask(t, s, "pause")
		c := call{Request{Verb: Step, Steps: 2}, make(chan Reply, 1)}
		s.loop.handle(c)
		if verdict := s.Post(Source{}, PortForce, []float64{2.25, 3}); verdict != Accepted {
			t.Fatal(verdict)
		}
		s.loop.stepOnce()
		if m.U != [2]float64{2.25, 3} {
			t.Errorf("lockstep %v: forces %v during the step", lockstep, m.U)
		}
		s.loop.stepOnce()
		s.Post(Source{}, PortForce, []float64{9, 9})
		if verdict := s.Post(Source{}, PortForce, []float64{9, 9}); verdict != NotEnabled {
			t.Errorf("after the step: %v", verdict)
		}
		Ask(t, s, "step 3")
		if m.U[0] > 2.25 || m.Steps != 20 {
			t.Errorf("forces %v after %v steps", m.U, m.Steps)
		}
	}
}

// So has one that slipped in just after the change.
func TestDisabledIgnoresWhatSlippedIn(t *testing.T) {
	s, m := Into(t, "DISABLED")
	s.intake.mailboxes[0].Put(PortForce, []float64{9, 9})
	Periods(s, 10)
	if m.U != [2]float64{1, 1} {
		t.Errorf("forces %v, want the safe ones", m.U)
	}
}

func TestSaveAndRestore(t *testing.T) {
	s, m, _ := NewFake(t, FakeOptions())
	if r := Ask(t, s, "restore_state"); r.OK || r.Message != "no state was saved" {
		t.Errorf("%+v", r)
	}
	run := func() (history []string) {
		for k := range 60 { // past a time-out, in the middle of ramps
			if k == 3 {
				s.Post(Source{}, PortLength, []float64{2, 0})
			}
			Periods(s, 1)
			history = append(history, fmt.Sprintf("%x %x %x", m.X, m.U, s.loop.time.seconds()))
		}
		return history
	}
	s.Post(Source{}, PortForce, []float64{9, 0})
	Periods(s, 5)
	if r := Ask(t, s, "save_state"); !r.OK || r.SimTime != 5/FakeHz {
		t.Errorf("%+v", r)
	}
	first := run()
	if r := Ask(t, s, "restore_state"); !r.OK || r.SimTime != 5/FakeHz {
		t.Errorf("%+v", r)
	}
	if again := run(); !slices.Equal(first, again) {
		t.Error("the same commands after restore_state gave other bits")
	}
}

// Rates and quantiles forget what is older than a second.
func TestStatsWindow(t *testing.T) {
	s, m, c := NewFake(t, FakeOptions())
	m.Cost = func(step float64) time.Duration {
		if step < 4*FakeHz {
			return 100 * time.Microsecond
		}
		return 50 * time.Microsecond
	}
	c.Late = func(int) time.Duration { return 70 * time.Microsecond }
	if st := s.Stats(); st.Rate != 0 || st.StepP50 != 0 {
		t.Errorf("before the start: %+v", st)
	}
	pacer := NewPacer(c, FakeHz)
	s.meter.since = c.NowValue
	run := func(n int) Stats {
		for range n {
			s.meter.tick(pacer.Wait())
			s.loop.period(1)
		}
		return s.Stats()
	}
	near := func(got, want float64) bool { return math.Abs(got-want) <= BinWidth*want }
	first := run(FakeHz)
	if !near(first.StepP50, 100e-6) || !near(first.StepP99, 100e-6) || first.StepMax != 100e-6 {
		t.Errorf("step time %v, %v, %v", first.StepP50, first.StepP99, first.StepMax)
	}
	if !near(first.LatenessP50, 70e-6) || !near(first.LatenessP99, 70e-6) || first.LatenessMax != 70e-6 {
		t.Errorf("lateness %v, %v, %v", first.LatenessP50, first.LatenessP99, first.LatenessMax)
	}
	if half := run(FakeHz / 2); half.StepMax != first.StepMax {
		t.Error("half a second is not a new window")
	}
	if last := run(FakeHz); last.StepMax != 50e-6 || !near(last.Rate, FakeHz) || !near(last.RealTimeFactor, 1) {
		t.Errorf("%+v", last)
	}
	Ask(t, s, "pause")
	run(2 * FakeHz)
	if paused := s.Stats(); paused.RealTimeFactor != 0 || paused.Rate != 0 || paused.State != Paused {
		t.Errorf("paused: %+v", paused)
	}
}

// The lateness of the whole run keeps what the last second has forgotten.
func TestLatenessOfTheRun(t *testing.T) {
	s, _, c := NewFake(t, FakeOptions())
	c.Late = func(n int) time.Duration {
		switch {
		case n == 3:
			return 2 * time.Millisecond
		case n < 2*FakeHz:
			return 20 * time.Microsecond
		}
		return 10 * time.Microsecond
	}
	pacer := NewPacer(c, FakeHz)
	s.meter.since = c.NowValue
	for range int(3*FakeHz) + 2 {
		s.meter.tick(pacer.Wait())
		s.loop.period(1)
	}
	st := s.Stats()
	near := func(got, want float64) bool { return math.Abs(got-want) <= BinWidth*want }
	if st.LatenessMax > 50e-6 || st.Run.Max != 2e-3 || !near(st.Run.P999, 2e-3) || !near(st.Run.P99, 20e-6) || !near(st.Run.P50, 20e-6) {
		t.Errorf("last second %v, run %+v", st.LatenessMax, st.Run)
	}
}
