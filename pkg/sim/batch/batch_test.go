package batch_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/batch"
)

// mass is 1 kg that a force of at most 10 N drives; it fails at a speed above most.
type mass struct {
	x, v, force, most float64
	names             []string
}

var errFast = errors.New("too fast")

func (m *mass) Ports() []sim.Port {
	return []sim.Port{
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: m.names, Min: []float64{-10}, Max: []float64{10}, MaxRate: []float64{100}},
		{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: m.names, Parts: sim.Position | sim.Velocity},
	}
}
func (m *mass) Gauges() []sim.Gauge           { return nil }
func (m *mass) Command(_ int, v []float64)    { m.force = v[0] }
func (m *mass) Setpoint(_ int, dst []float64) { dst[0] = m.force }
func (m *mass) Value(_ int, dst []float64)    { dst[0], dst[1] = m.x, m.v }
func (m *mass) Measure([]float64)             {}
func (m *mass) Draw(*sim.Scene)               {}
func (m *mass) StateLen() int                 { return 3 }
func (m *mass) Save(dst []float64)            { dst[0], dst[1], dst[2] = m.x, m.v, m.force }
func (m *mass) Restore(src []float64) error {
	if math.IsNaN(src[0]) {
		return errors.New("not finite")
	}
	m.x, m.v, m.force = src[0], src[1], src[2]
	return nil
}
func (m *mass) Step(dt float64) error {
	if m.most > 0 && math.Abs(m.v) > m.most {
		return fmt.Errorf("%w: %g m/s", errFast, m.v)
	}
	m.v += dt * m.force
	m.x += dt * m.v
	return nil
}

func masses(t testing.TB, n, workers int) (*batch.Batch, []*mass) {
	t.Helper()
	var models []sim.Model
	var all []*mass
	for range n {
		m := &mass{names: []string{"mass"}}
		models, all = append(models, m), append(all, m)
	}
	b, err := batch.New(models, workers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, all
}

// A copy whose step fails stands still where it was; the others go on.
func TestOneFailsAlone(t *testing.T) {
	b, all := masses(t, 7, 3)
	all[4].most = 0.5
	for i := range b.Len() {
		if v := b.Command(i, 0, []float64{1}); v != sim.Accepted {
			t.Fatal(v)
		}
	}
	values := make([]float64, 2*b.Len())
	for range 100 {
		b.Step(0.01, 1)
	}
	if n := b.Step(0.01, 1); n != 1 || !errors.Is(b.Err(4), errFast) {
		t.Fatalf("%d failed, %v", n, b.Err(4))
	}
	b.Values(1, values)
	for i := range b.Len() {
		want := 1.01
		if i == 4 {
			want = 0.51 // the first speed above 0.5
		} else if b.Err(i) != nil {
			t.Errorf("copy %d: %v", i, b.Err(i))
		}
		if got := values[2*i+1]; math.Abs(got-want) > 0.02 {
			t.Errorf("copy %d: %g m/s, want %g", i, got, want)
		}
	}
	b.Reset(4)
	if b.Err(4) != nil || all[4].v != 0 {
		t.Errorf("after a reset: %v, %g m/s", b.Err(4), all[4].v)
	}
	b.Step(0.01, 10)
	if all[4].v != 0 { // the command is gone with the reset
		t.Errorf("a copy that was reset moves at %g m/s", all[4].v)
	}
}

// A state goes from one copy to another, and one that is not finite is refused.
func TestSaveRestore(t *testing.T) {
	b, all := masses(t, 2, 2)
	b.Command(0, 0, []float64{5})
	b.Step(0.01, 50)
	state := make([]float64, b.StateLen(0))
	b.Save(0, state)
	if err := b.Restore(1, state); err != nil || all[1].x != all[0].x || all[1].x == 0 {
		t.Errorf("%v: copy 1 at %g, copy 0 at %g", err, all[1].x, all[0].x)
	}
	state[0] = math.NaN()
	if err := b.Restore(1, state); err == nil || all[1].x != all[0].x {
		t.Errorf("%v, at %g", err, all[1].x)
	}
	b.Step(0.01, 50)
	if all[0].x != all[1].x {
		t.Errorf("%g and %g", all[0].x, all[1].x)
	}
}

// A reset takes back a command on its way, which a setpoint that has not arrived would go on to follow.
func TestResetTakesCommandsBack(t *testing.T) {
	b, all := masses(t, 2, 1)
	for i := range b.Len() {
		b.Command(i, 0, []float64{10}) // at 100 N/s
	}
	b.Step(0.01, 2)
	b.Reset(0)
	b.Step(0.01, 2)
	if all[0].force != 0 || all[0].x != 0 || all[1].force == 0 {
		t.Errorf("a force of %g N and a place of %g m after a reset, %g N without", all[0].force, all[0].x, all[1].force)
	}
}

// Commands pass the limits of ports, and setpoints move at their greatest rate.
func TestCommandsAreLimited(t *testing.T) {
	b, all := masses(t, 1, 1)
	for _, c := range []struct {
		v    []float64
		want sim.CommandStatus
	}{{[]float64{11}, sim.Clamped}, {[]float64{math.NaN()}, sim.NotFinite}, {[]float64{1, 2}, sim.WrongLength}} {
		if got := b.Command(0, 0, c.v); got != c.want {
			t.Errorf("%v: %v, want %v", c.v, got, c.want)
		}
	}
	b.Step(0.01, 1)
	if all[0].force != 1 { // 100 N/s
		t.Errorf("%g N after 10 ms", all[0].force)
	}
	b.Step(0.01, 20)
	if all[0].force != 10 {
		t.Errorf("%g N in the end", all[0].force)
	}
}

func TestWhatIsRefused(t *testing.T) {
	one, other := &mass{names: []string{"a"}}, &mass{names: []string{"a", "b"}}
	renamed := &mass{names: []string{"b"}}
	for _, c := range []struct {
		models  []sim.Model
		workers int
		want    string
	}{
		{nil, 1, "0 models"}, {[]sim.Model{one}, -1, "-1 workers"},
		{[]sim.Model{one, other}, 1, "copy 1: port servo_jf with 2 values, where the first copy has servo_jf with 1"},
		{[]sim.Model{one, renamed}, 1, "copy 1: port servo_jf"},
	} {
		if _, err := batch.New(c.models, c.workers); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Every copy is visited once, whatever the number of copies and workers, and steps do not allocate.
func TestEachOnce(t *testing.T) {
	for _, n := range []int{1, 2, 31, 500} {
		for _, workers := range []int{0, 1, 2, 5} {
			b, _ := masses(t, n, workers)
			visits := make([]atomic.Int32, n)
			for range 3 {
				b.Each(func(i int) { visits[i].Add(1) })
			}
			for i := range visits {
				if visits[i].Load() != 3 {
					t.Errorf("%d copies, %d workers: copy %d visited %d times", n, workers, i, visits[i].Load())
				}
			}
			if a := testing.AllocsPerRun(100, func() { b.Step(1e-3, 2) }); a != 0 {
				t.Errorf("%d copies, %d workers: %g allocations a step", n, workers, a)
			}
		}
	}
}

// A batch that is stepped after Close panics: it does not wait for helpers that are gone.
func TestStepAfterClosePanics(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		b, _ := masses(t, 5, workers)
		b.Close()
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d workers: no panic", workers)
				}
			}()
			b.Step(1e-3, 1)
		}()
	}
}
