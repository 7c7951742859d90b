package reference_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// The first magnet is moved by magnet_pose and by its name, another by its name, one without a
// name by none. Each has a watchdog of its own, which leaves it where it is.
func TestPortsOfMagnets(t *testing.T) {
	f := surrounded(t)
	var names []string
	for _, p := range f.Ports() {
		names = append(names, p.Name)
		if p.Kind != sim.Pose {
			continue
		}
		group := map[string]string{"magnet_pose": "magnet_pose", "magnet_pose/arm": "magnet_pose", "magnet_pose/other": "magnet_pose/other"}[p.Name]
		if p.Group != group || len(p.Safe) != 7 || !sim.IsKeep(p.Safe[0]) {
			t.Errorf("%s: group %q, safe %v", p.Name, p.Group, p.Safe)
		}
	}
	want := []string{"field_gradient", "field", "rotating_field", "coil_currents", "magnet_pose", "magnet_pose/arm", "magnet_pose/other"}
	if !slices.Equal(names, want) {
		t.Errorf("ports %v, want %v", names, want)
	}
	if len(without().Ports()) != 3 {
		t.Error("a field without magnets and coils has other ports than those of fields")
	}
}

// A magnet that a command sends too fast is reported as limited until it is there.
func TestMagnetThatIsLimitedIsTold(t *testing.T) {
	f := surrounded(t)
	f.Command(port(t, f, "magnet_pose/other"), []float64{1.1, 0, 0, 0, 0, 0, 1})
	if f.Advance(0.01); !f.IsLimited() {
		t.Error("a jump by 0.1 m is not told")
	}
	if f.Advance(0.1); f.IsLimited() {
		t.Error("a magnet that has arrived is reported as limited")
	}
}

// Positions in another unit are refused, in proportion to what there is.
func TestPosesInAnotherUnitAreRefused(t *testing.T) {
	for size, want := range map[float64]float64{0: 1, 1e-4: 1, 0.25: 25, 0.2501: 26, 3: 300, 1e3: 1e4} {
		if got := reference.PositionBound(size); got != want {
			t.Errorf("within %g m of the origin: to %g m, want %g", size, got, want)
		}
	}
	for _, p := range surrounded(t).Ports() {
		if p.Kind != sim.Pose {
			continue
		}
		if !p.Strict || p.Max[2] != 50 || p.Min[0] != -50 || !math.IsInf(p.Max[6], 1) {
			t.Errorf("%s: strict %v, from %v to %v", p.Name, p.Strict, p.Min, p.Max)
		}
	}
}

// A command beyond the limits of the robot file is clamped, one in another unit refused.
func TestFieldsAreLimited(t *testing.T) {
	f := reference.NewField(&robotfile.Field{MaxField: 0.02, MaxGradient: 0.5, MaxFrequency: 30}, nil, 1, 1e-3, 50)
	for name, want := range map[string]struct{ most, credible []float64 }{
		"field":          {[]float64{0.02, 0.02, 0.02}, []float64{1, 1, 1}},
		"field_gradient": {[]float64{0.02, 0.02, 0.02, 0.5, 0.5, 0.5, 0.5, 0.5}, []float64{1, 1, 1, 1e4, 1e4, 1e4, 1e4, 1e4}},
		"rotating_field": {[]float64{math.Inf(1), math.Inf(1), math.Inf(1), 0.02, 30, 0.02}, []float64{math.Inf(1), math.Inf(1), math.Inf(1), 1, 1e6, 1}},
	} {
		p := f.Ports()[port(t, &f, name)]
		limits, last := sim.NewLimits(&p), len(want.most)-1
		command := make([]float64, len(want.most))
		for value, status := range map[float64]sim.CommandStatus{
			want.most[last]: sim.Accepted, -1.01 * want.most[last]: sim.Clamped, want.credible[last]: sim.Clamped, 1.01 * want.credible[last]: sim.OutOfRange,
		} {
			if command[last] = value; limits.Check(command) != status {
				t.Errorf("%s: %v is %v, want %v", name, value, limits.Check(command), status)
			}
		}
		if !slices.Equal(p.Max, want.most) || p.Min[last] != -want.most[last] {
			t.Errorf("%s: from %v to %v", name, p.Min, p.Max)
		}
	}
}

// without is a field without sources.
func without() *reference.Field {
	f := reference.NewField(&robotfile.Field{}, nil, 1, 1e-3, 50)
	return &f
}

// The field at the end of a step is what it is after the step: what begins and ends a step
// agree on it.
func TestInstantIsWhatAdvanceGives(t *testing.T) {
	f := surrounded(t)
	p := spatial.Vec{X: 0.01, Y: -0.02, Z: 0.03}
	for i := range 40 {
		switch i {
		case 5:
			f.Command(port(t, f, "coil_currents"), []float64{4})
		case 10:
			f.Command(port(t, f, "magnet_pose"), []float64{0.02, 0, 0.2, 0, 0, 1, 1})
		case 20, 28:
			f.Command(port(t, f, "field"), []float64{1e-3 * float64(i), 0, 0})
		}
		ahead := f.Instant()
		want, wantG := ahead.At(1e-3, p)
		f.Advance(1e-3)
		now := f.Instant()
		b, g := now.At(0, p)
		if d := b.Sub(want).Norm(); d > 1e-14 || g.AddScaled(-1, wantG).Norm() > 1e-12 {
			t.Fatalf("step %d: field %v, foretold %v", i, b, want)
		}
	}
}

// A restored field continues to the last bit.
func TestFieldRestores(t *testing.T) {
	f := surrounded(t)
	f.Command(port(t, f, "magnet_pose"), []float64{0.3, 0, 0.2, 0, 0, 1, 1})
	f.Command(port(t, f, "coil_currents"), []float64{4})
	f.Advance(7e-3)
	f.Command(port(t, f, "field_gradient"), []float64{0.003, 0, 0, 0, 1, 0, 0, 0})
	f.Advance(2e-3)
	saved := make([]float64, f.StateLen())
	f.Save(saved)
	other := surrounded(t)
	other.Restore(saved)
	for range 20 {
		f.Advance(1e-3)
		other.Advance(1e-3)
	}
	a, b := make([]float64, f.StateLen()), make([]float64, f.StateLen())
	f.Save(a)
	other.Save(b)
	if !slices.Equal(a, b) {
		t.Errorf("after 20 ms the restored field is %v, want %v", b, a)
	}
	if slices.ContainsFunc(a, math.IsNaN) {
		t.Error("the saved state has a NaN")
	}
}

// The hot path allocates nothing.
func TestFieldDoesNotAllocate(t *testing.T) {
	f := surrounded(t)
	i := f.Instant()
	v := poseValues(spatial.Pose{P: spatial.Vec{X: 1}, R: spatial.Identity3()})
	magnet := port(t, f, "magnet_pose")
	if n := testing.AllocsPerRun(100, func() {
		f.Command(magnet, v)
		i.Set(5e-4)
		i.Here(spatial.Vec{X: 0.01})
		i.SlopeAlong(spatial.Vec{X: 0.01}, spatial.Vec{Z: 1})
		f.Advance(1e-3)
	}); n != 0 {
		t.Errorf("%v allocations per step", n)
	}
}
