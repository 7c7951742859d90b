package sim

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestRingOverflow(t *testing.T) {
	r := newRing(&fakeModel{})
	dst := newSnapshot(new(fakeModel).Ports(), new(fakeModel).Gauges())
	write := func(n int) {
		for range n {
			r.back().Values[portJoints][0] = float64(r.head.Load() + 1)
			r.publish()
		}
	}
	expect := func(first, last uint64) {
		t.Helper()
		for seq := first; seq <= last; seq++ {
			if !r.pop(dst) || dst.Seq != seq || dst.Values[portJoints][0] != float64(seq) {
				t.Fatalf("read %d with %v, want %d", dst.Seq, dst.Values[portJoints], seq)
			}
		}
		if r.pop(dst) {
			t.Fatalf("read %d, want none", dst.Seq)
		}
	}
	expect(1, 0)
	write(ringSize + 1)
	expect(2, ringSize+1)
	r, dst = newRing(&fakeModel{}), newSnapshot(new(fakeModel).Ports(), new(fakeModel).Gauges())
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
	r := newRing(&fakeModel{})
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
	dst := newSnapshot(new(fakeModel).Ports(), new(fakeModel).Gauges())
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

// A reader that stops reading holds nothing up.
func TestFrozenReader(t *testing.T) {
	s, m, c := newFake(t, fakeOptions())
	s.WantScene(fakeOptions().MarkerHz)
	runFor(t, s, c, 4000)
	if m.steps != 4*4000 || s.Stats().Overruns != 0 {
		t.Errorf("%v steps", m.steps)
	}
	if got := s.Missed(); got != 4001-ringSize {
		t.Errorf("missed %d", got)
	}
	if shots := drain(s); len(shots) != ringSize || shots[ringSize-1].Period != 4000 {
		t.Errorf("%d snapshots left", len(shots))
	}
}

func TestSnapshotCopy(t *testing.T) {
	s, m, _ := newFake(t, fakeOptions())
	periods(s, 1)
	shot := drain(s)[0]
	m.x[0], m.steps = 99, 99
	periods(s, 1)
	if shot.Gauges[0] != 4 || shot.Values[portJoints][0] != 2/fakeHz || shot.Values[portTip][6] != 1 || shot.Values[portForce] != nil {
		t.Errorf("%+v", shot)
	}
}

// A copy of the state comes once for each time that it is asked for, with the next snapshot.
func TestStateCopy(t *testing.T) {
	s, m, _ := newFake(t, fakeOptions())
	periods(s, 100)
	select {
	case c := <-s.Copied():
		t.Fatalf("%+v though nobody wants it", c)
	default:
	}
	want := make([]float64, m.StateLen())
	for range 3 {
		drain(s)
		s.WantState()
		var shots []*Snapshot
		for len(shots) == 0 {
			periods(s, 1)
			shots = drain(s)
		}
		m.Save(want)
		c := <-s.Copied()
		if !slices.Equal(c.State, want) || c.Stamp != shots[0].Stamp || c.SimTime != shots[0].SimTime {
			t.Errorf("%+v, want %v of %+v", c, want, shots[0])
		}
		periods(s, 100)
		if len(s.Copied()) > 0 {
			t.Error("a copy that nobody has asked for")
		}
	}
}

func TestScene(t *testing.T) {
	s, m, _ := newFake(t, fakeOptions()) // a scene every 16 periods
	var scene Scene
	if periods(s, 100); len(drain(s)) == 0 {
		t.Fatal("no snapshots")
	}
	if _, ok := s.Scene(&scene); ok {
		t.Error("drawn though nobody wants it")
	}
	s.WantScene(fakeOptions().MarkerHz)
	periods(s, 20)
	var slow *Snapshot
	for _, shot := range drain(s) {
		if shot.Slow {
			slow = shot
		}
	}
	stamp, ok := s.Scene(&scene)
	if !ok || stamp != slow.Stamp || scene.Tubes[0].Points[1].X != slow.Values[portJoints][0] || scene.Tubes[0].Name != "rod" {
		t.Errorf("%v %v %+v, want that of %+v", stamp, ok, scene, slow)
	}
	if _, ok := s.Scene(&scene); ok {
		t.Error("the same scene twice")
	}
	seen := scene.Tubes[0].Points[1].X
	s.WantScene(0)
	periods(s, 100)
	if _, ok := s.Scene(&scene); ok || scene.Tubes[0].Points[1].X != seen || m.x[0] == seen {
		t.Error("drawn after nobody wants it any more")
	}
}

// Scenes are drawn at the rate that is wanted, also beyond that of markers, whose snapshots stay
// as slow as they are; at 0 there are none.
func TestSceneRate(t *testing.T) {
	o := fakeOptions()
	s, _, _ := newFake(t, o)
	count := func(rate float64, n int) (drawn, slow int) {
		s.WantScene(rate)
		for range n {
			periods(s, 1)
			for _, shot := range drain(s) {
				if shot.Drawn {
					drawn++
				}
				if shot.Slow {
					slow++
				}
			}
		}
		return drawn, slow
	}
	const n = 1600
	seconds := n / o.ControlHz
	for _, rate := range []float64{4 * o.MarkerHz, o.MarkerHz / 2, o.PublishHz} {
		drawn, slow := count(rate, n)
		if want := rate * seconds; math.Abs(float64(drawn)-want) > 1 || math.Abs(float64(slow)-o.MarkerHz*seconds) > 1 {
			t.Errorf("at %g Hz: %d scenes, want %g, and %d slow snapshots, want %g", rate, drawn, want, slow, o.MarkerHz*seconds)
		}
	}
	if drawn, _ := count(0, n); drawn != 0 {
		t.Errorf("%d scenes that nobody wants", drawn)
	}
}

// The copy shares nothing with what the model draws into next.
func TestSceneCopyIsDeep(t *testing.T) {
	m := &fakeModel{x: [2]float64{1, 0}}
	var a, b Scene
	m.Draw(&a)
	a.Polylines = []Polyline{{Name: "tendon", Points: a.Tubes[0].Points[:1]}, {Name: "other"}}
	a.copyTo(&b)
	m.x[0] = 2
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
	fakeModel
	robots int
}

func (m *wideModel) Ports() []Port {
	return append(m.fakeModel.Ports(), Port{Name: "poses", Kind: PoseArray, Direction: Out, Labels: make([]string, m.robots), Frames: []string{World}})
}

func (m *wideModel) Value(i int, dst []float64) {
	if i <= portTip {
		m.fakeModel.Value(i, dst)
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
	s, err := NewSimulator(m, &fakeClock{now: time.Second}, fakeOptions())
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

// Who waits for pictures is woken by each and by an emergency stop, not by the snapshots between.
func TestDrawn(t *testing.T) {
	o := fakeOptions()
	s, _, _ := newFake(t, o)
	woken := func() bool {
		select {
		case <-s.Drawn():
			return true
		default:
			return false
		}
	}
	s.WantScene(o.PublishHz / 4)
	drawn := 0
	for range 1600 {
		periods(s, 1)
		is := false
		for _, shot := range drain(s) {
			is = is || shot.Drawn
		}
		if is {
			drawn++
		}
		if got := woken(); got != is {
			t.Fatalf("a scene: %t, woken: %t", is, got)
		}
	}
	if drawn == 0 {
		t.Error("no scenes")
	}
	s.WantScene(0)
	if s.EStop(); !woken() {
		t.Error("not woken by an emergency stop")
	}
	for _, text := range []string{"reset", "pause", "step 3", "resume"} {
		ask(t, s, text)
		if drain(s); !woken() {
			t.Errorf("not woken by %q", text)
		}
	}
}
