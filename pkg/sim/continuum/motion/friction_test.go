package motion_test

import (
	"math"
	"os"
	"slices"
	"testing"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/continuum/motion"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// stepped is a rod beside a wall, and its stepper.
type stepped struct {
	*motion.Stepper
	system  *equations.System
	contact *force.Contact
}

// beside makes a rod of a radius beside walls. Drag is in proportion to the mass, 1/s.
func beside(t *testing.T, p rod.Params, options strain.Options, drag, radius float64, walls ...contact.Wall) *stepped {
	t.Helper()
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.NodeMasses() {
		options.Drag = append(options.Drag, drag*m)
	}
	c := contact.New(r, contact.Options{
		Walls: walls, Radius: func(float64) float64 { return radius }, Gravity: options.Gravity.Norm(),
	})
	x := &stepped{contact: force.NewContact(c, radius, false)}
	if x.system, err = equations.New(strain.New(r, options), r, motion.AngleTolerance, x.contact); err != nil {
		t.Fatal(err)
	}
	x.Stepper = motion.New(x.system)
	x.Reset()
	x.system.Reset()
	return x
}

// TestStepsInTubesAreSolved: wires whip about in a tube that is shaken, every other one with friction. Where a step begins deep in
// the wall, the tangent there holds the rod along it, and what is left to go there looks small; so does what is left where a
// tangent sticks that ought to slip.
func TestStepsInTubesAreSolved(t *testing.T) {
	testsize.SkipInShort(t)
	const (
		dt     = 1e-3 // s
		most   = 1e-6 // m, of the tip in a step
		radius = 0.0005
	)
	compared, worst := 0, 0.0
	for seed := range 16 {
		lumen, err := shape.NewTube([]spatial.Vec{{Z: -0.1}, {Z: 0.3}}, []float64{radius + 0.004}, false)
		if err != nil {
			t.Fatal(err)
		}
		friction := 0.3 * float64(seed%2)
		x := beside(t, rod.Params{
			Length: 0.2, Elements: 16 + 2*seed, Section: rod.Ring(radius, 0), Base: spatial.IdentityPose(),
			Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 60e9 / 2.6, Density: 6450, ShearCorrection: 27. / 28, Law: rod.Linear},
		}, strain.Options{Gravity: spatial.Vec{X: -9.80665}}, 2, radius, contact.Wall{Name: "lumen", Shape: lumen, Friction: friction})
		for k := range 150 {
			to := 2e-3 * math.Sin(float64(k)/(9+0.5*float64(seed)))
			x.contact.SetWallTarget(0, spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: to, Y: to / 2}})
			time := float64(k) * dt
			exact, ok := x.SolveExactly(time, dt, 1e-10)
			if err := x.Step(time, dt); err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			compared++
			n := len(x.system.State.Pose) - 1
			off := x.system.State.Pose[n].P.Sub(exact.P).Norm()
			worst = max(worst, off)
			if !(off < most) {
				t.Errorf("%d elements, friction %g, step %d: the tip is %.3g m from where the equations put it, want at most %g m", n, friction, k, off, most)
			}
		}
	}
	t.Logf("%d steps, at most %.3g m off", compared, worst)
	if compared < 2000 {
		t.Errorf("%d steps compared: too few to prove anything", compared)
	}
}

// vesselShape is the vessel of the example with a guidewire, for rods of a radius.
func vesselShape(t *testing.T, radius float64) shape.Shape {
	t.Helper()
	stl, err := os.ReadFile("../../../../launch/worlds/vessel.stl")
	if err != nil {
		t.Fatal(err)
	}
	triangles, err := mesh.ReadSTL(stl)
	if err != nil {
		t.Fatal(err)
	}
	s, err := shape.NewMesh(triangles, mesh.Options{Inside: true, Scale: 1, Reach: radius})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCorrectionOfFrictionIsThatOfNewton demands that a step whose friction was corrected with the last tangent end where
// Newton's method takes it: of a catheter that falls onto the
// wall of an introducer and is pushed into a vessel.
func TestCorrectionOfFrictionIsThatOfNewton(t *testing.T) {
	const (
		apart  = 2e-9 // m
		off    = 5e-3 // of the largest force
		dt     = 1e-3
		radius = 0.00025
	)
	introducer, err := shape.NewTube([]spatial.Vec{{X: -0.35}, {X: 0.004}}, []float64{0.0026}, false)
	if err != nil {
		t.Fatal(err)
	}
	vessel := vesselShape(t, radius)
	base := spatial.Pose{R: spatial.FromColumns(spatial.Vec{Z: 1}, spatial.Vec{Y: -1}, spatial.Vec{X: 1}), P: spatial.Vec{X: -0.39}}
	catheter := func() *stepped {
		return beside(t, rod.Params{
			Length: 0.4, Elements: 40, Order: 4, Section: rod.Ring(radius, 0), Base: base,
			Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 23e9, Density: 6450, ShearCorrection: 27. / 28, Law: rod.Linear},
		}, strain.Options{KelvinVoigt: slices.Repeat([]float64{0.0005}, 40), Gravity: spatial.Vec{Z: -9.80665}}, 20, radius,
			contact.Wall{Name: "introducer", Shape: introducer, Friction: 0.02}, contact.Wall{Name: "vessel", Shape: vessel, Friction: 0.1})
	}
	x, exact := catheter(), catheter()
	exact.SolveFrictionByNewton()
	before := make([]float64, x.StateLen())
	compared, otherwise := 0, 0
	for k := range 100 {
		time, updates := float64(k)*dt, x.contact.FrictionUpdates()
		x.Save(before)
		to := base
		to.P.X += 0.02 * (time + dt)
		for _, of := range []*stepped{x, exact} {
			if of == exact {
				of.Restore(before)
			}
			of.system.State.Target = to
			if err := of.Step(time, dt); err != nil {
				t.Fatal(err)
			}
		}
		if x.contact.FrictionUpdates() == updates {
			continue
		}
		if d := exact.system.State.Pose[20].P.Sub(x.system.State.Pose[20].P).Norm(); d > apart {
			t.Errorf("the middle is %.3g m from where Newton's method takes it, allowed: %g m", d, apart)
		} else if d > 0 {
			otherwise++
		}
		if got, want := x.contact.Summary().Force, exact.contact.Summary().Force; got < (1-off)*want || got > (1+off)*want {
			t.Errorf("the largest force is %.6g N, by Newton's method %.6g N", got, want)
		}
		compared++
	}
	t.Logf("%d steps were corrected, %d of them otherwise than by Newton's method", compared, otherwise)
	if compared < 20 || otherwise < 20 {
		t.Errorf("%d steps were corrected, %d of them otherwise than by Newton's method: too few to prove anything", compared, otherwise)
	}
}
