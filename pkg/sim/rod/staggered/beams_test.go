package staggered_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
)

// loaded is a rod under a dead force on its end with a linear ramp, as in PyElastica's
// EndpointForces.
type loaded struct {
	*staggered.State
	force spatial.Vec
	ramp  float64 // s
	time  float64 // of the next kick, s
}

func (l *loaded) Kick(h float64) {
	l.ClearLoads()
	l.AddTipLoad(spatial.Wrench{Force: l.force.Scale(math.Min(1, l.time/l.ramp))}, false)
	l.State.Kick(h)
}

func (l *loaded) run(t *testing.T, steps int, dt float64, each func(step int)) {
	t.Helper()
	for i := range steps {
		l.time = (float64(i) + 0.5) * dt
		integrate.PositionVerlet(l, dt)
		each(i + 1)
	}
	if k := l.FirstNonFinite(); k >= 0 {
		t.Fatalf("not finite at node %d", k)
	}
}

type beamRun struct {
	Params struct {
		N                     int
		L, R, Rho, E, G, Ramp float64
		Damping, Dt, Final    float64
		F                     [3]float64 `json:"F_end"`
	}
	TipX     [][2]float64 `json:"tip_x"`
	FinalX   []float64    `json:"final_x"`
	Improved float64      `json:"analytic_improved"`
	Analytic float64      `json:"analytic_tip_timoshenko"`
	LastMean float64      `json:"mean_last_quarter"`
}

func (b *beamRun) loaded(t *testing.T, base spatial.Mat3, scheme staggered.Scheme, law rod.Law, d staggered.Damping) *loaded {
	p := b.Params
	x := staggered.Rod(t, rod.Params{
		Length: p.L, Elements: p.N, Section: rod.Circle(p.R),
		Material: rod.Material{YoungsModulus: p.E, ShearModulus: p.G, Density: p.Rho, ShearCorrection: rod.CircleShearCorrection, Law: law},
		Base:     spatial.Pose{R: base},
	}, staggered.Options{Scheme: scheme, Damping: d})
	return &loaded{State: x, force: spatial.Vec{X: p.F[0], Y: p.F[1], Z: p.F[2]}, ramp: p.Ramp}
}

// samples maps the sample times to steps.
func (b *beamRun) samples(dt float64) map[int]float64 {
	m := make(map[int]float64)
	for _, s := range b.TipX {
		m[int(math.Round(s[0]/dt))] = s[1]
	}
	return m
}

// An axial force on the end: every sample of PyElastica's trajectory, and the closed form for a
// section of constant volume.
func TestAxialStretchMeetsPyElastica(t *testing.T) {
	const (
		compatibility = 1e-9 // m
		physics       = 1e-5 // m, the stated tolerance
	)
	var b beamRun
	staggered.ReadJSON(t, "axial.json", &b)
	p := b.Params
	steps := int(math.Floor(p.Final/p.Dt + 1e-6))
	dt := p.Final / float64(steps)
	base := spatial.FromColumns(spatial.Vec{Y: 1}, spatial.Vec{Z: 1}, spatial.Vec{X: 1})
	l := b.loaded(t, base, staggered.Original, rod.VolumePreserving, staggered.Damping{Legacy: p.Damping, LegacyStep: p.Dt})
	want, seen, worst := b.samples(dt), 0, 0.0
	l.run(t, steps, dt, func(step int) {
		if x, ok := want[step]; ok {
			worst = math.Max(worst, math.Abs(l.Positions()[p.N].X-x))
			seen++
		}
	})
	t.Logf("%d samples, worst %.3g m", seen, worst)
	if seen != len(want) || !(worst <= compatibility) {
		t.Errorf("%d of %d samples, worst %.3g m off", seen, len(want), worst)
	}
	if d := math.Abs(l.Positions()[p.N].X - b.Improved); !(d <= physics) {
		t.Errorf("end %.3g m from the closed form", d)
	}
}

// A soft cantilever in shear: every sample and the final shape of PyElastica.
func TestTimoshenkoBeamMeetsPyElastica(t *testing.T) {
	if testing.Short() {
		t.Skip("238 000 steps of 100 elements: not with -short")
	}
	t.Parallel()
	const compatibility = 1e-8 // m, the stated tolerance
	var b beamRun
	staggered.ReadJSON(t, "timoshenko.json", &b)
	p := b.Params
	steps := int(math.Round(p.Final / p.Dt))
	base := spatial.FromColumns(spatial.Vec{Y: 1}, spatial.Vec{X: -1}, spatial.Vec{Z: 1})
	l := b.loaded(t, base, staggered.Original, rod.VolumePreserving, staggered.Damping{Legacy: p.Damping, LegacyStep: p.Dt})
	want, seen, worst := b.samples(p.Dt), 0, 0.0
	l.run(t, steps, p.Dt, func(step int) {
		if x, ok := want[step]; ok {
			worst = math.Max(worst, math.Abs(l.Positions()[p.N].X-x))
			seen++
		}
	})
	t.Logf("%d samples, worst %.3g m", seen, worst)
	if seen != len(want) || !(worst <= compatibility) {
		t.Errorf("%d of %d samples, worst %.3g m off", seen, len(want), worst)
	}
	for i, x := range b.FinalX {
		k := i * p.N / (len(b.FinalX) - 1)
		if d := math.Abs(l.Positions()[k].X - x); !(d <= compatibility) {
			t.Errorf("node %d ends %.3g m off", k, d)
		}
	}
}

// The corrected rod reaches Timoshenko's deflection with few elements.
func TestTimoshenkoDeflection(t *testing.T) {
	const (
		original = 0.015 // the stated tolerance of the original at n = 100
		share    = 1e-3  // of the deflection: the closed form is for small ones
	)
	var b beamRun
	staggered.ReadJSON(t, "timoshenko.json", &b)
	if d := math.Abs(b.LastMean/b.Analytic - 1); d > original {
		t.Fatalf("the data disagree with the closed form by %.3g", d)
	}
	b.Params.N = 20
	base := spatial.FromColumns(spatial.Vec{Y: 1}, spatial.Vec{X: -1}, spatial.Vec{Z: 1})
	d := staggered.Damping{Drag: 1, Quadratic: 1}
	l := b.loaded(t, base, staggered.Corrected, rod.Linear, d)
	dt := 0.8 * staggered.StepLimit(l.Rod, d, 0)
	l.run(t, int(350/dt), dt, func(int) {})
	if got := l.Positions()[20].X / b.Analytic; math.Abs(got-1) > share {
		t.Errorf("deflection is %.5f of Timoshenko's", got)
	}
}
