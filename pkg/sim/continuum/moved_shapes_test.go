package continuum_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/spatial"
)

// besideBar is a damped rod along x with a bar across it below its middle, which it does not
// touch, and a plane far away.
func besideBar(t *testing.T, order int, friction string) *continuum.Model {
	t.Helper()
	return mustModelOf(t, `
rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e8, shear_modulus_pa: 4e7, elements: 10, element_order: `+string(rune('0'+order))+`, damping: {kelvin_voigt_s: 0.005, drag_per_s: 10}}
gravity_m_per_s2: [0, 0, 0]
environment: {friction_coefficient: `+friction+`, shapes: [{name: far, plane: {point_m: [0, 0, -5]}}, {name: bar, capsule: {from_m: [0.06, -0.1, -0.008], to_m: [0.06, 0.1, -0.008], radius_m: 0.005}}]}
solver: {step_s: 0.001}`)
}

// shifted is a pose of that place.
func shifted(x, y, z float64) spatial.Pose {
	return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: x, Y: y, Z: z}}
}

// lead commands a port along a straight line from one place to another, evenly, step by step.
func lead(t *testing.T, m *continuum.Model, name string, from, to spatial.Vec, steps int) {
	t.Helper()
	for i := 1; i <= steps; i++ {
		at := from.AddScaled(float64(i)/float64(steps), to.Sub(from))
		g := spatial.Pose{R: basePose(m).R, P: at}
		if name != "base_pose" {
			g.R = spatial.Identity3()
		}
		command(t, m, name, poseValues(g)...)
		if err := m.Step(1e-3); err != nil {
			t.Fatalf("%s, step %d: %v", name, i, err)
		}
	}
}

// TestMovedShapeIsTheBaseMovedTheOtherWay presses a bar against a rod, and a rod against the
// bar, and demands the same shape and forces.
func TestMovedShapeIsTheBaseMovedTheOtherWay(t *testing.T) {
	for _, order := range orders() {
		for _, c := range []struct {
			friction  string
			tolerance float64 // of the way; friction keeps how fast the rod was
		}{{"0", 1e-8}, {"0.3", 1e-3}} {
			way := spatial.Vec{X: 0.002, Y: -0.001, Z: 0.01}
			bar, base := besideBar(t, order, c.friction), besideBar(t, order, c.friction)
			lead(t, bar, "bar/pose", spatial.Vec{}, way, 500)
			lead(t, base, "base_pose", spatial.Vec{}, way.Neg(), 500)
			run(t, bar, 2)
			run(t, base, 2)
			nodes := nodePoses(t, base)
			for i, a := range nodePoses(t, bar) {
				b := nodes[i]
				if d := a.P.Sub(b.P.Add(way)).Norm(); d > c.tolerance*way.Norm() {
					t.Errorf("order %d, friction %s: node %d is off by %.3g m", order, c.friction, i, d)
				}
			}
			f, g := value(t, bar, "bar/wrench"), value(t, base, "bar/wrench")
			size := spatial.VecAt(f).Norm()
			if size < 1e-3 || value(t, bar, "far/wrench")[2] != 0 {
				t.Fatalf("the bar is pushed by %v, the plane far away by %v", f, value(t, bar, "far/wrench"))
			}
			if d := spatial.VecAt(f).Sub(spatial.VecAt(g)).Norm(); d > max(c.tolerance, 1e-6)*100*size {
				t.Errorf("order %d, friction %s: the bar is pushed by %v, by the other way %v", order, c.friction, f, g)
			}
		}
	}
}

// TestWrenchesOnShapesBalance demands that what acts on the shapes and on the base be the
// weight of the rod, and that the wrench in the frame of a shape that is turned be that of the
// contacts.
func TestWrenchesOnShapesBalance(t *testing.T) {
	m := mustModelOf(t, `
rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e7, shear_modulus_pa: 4e6, elements: 10, damping: {kelvin_voigt_s: 0.002, drag_per_s: 20}}
environment: {friction_coefficient: 0.2, shapes: [{name: bar, capsule: {from_m: [0.03, -0.1, -0.008], to_m: [0.03, 0.1, -0.008], radius_m: 0.005}}, {name: table, plane: {point_m: [0, 0, -0.02]}}]}
solver: {step_s: 0.001}`)
	turned := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.1, Y: 0.05, Z: 0.2}), P: spatial.Vec{Z: 0.002}}
	command(t, m, "table/pose", poseValues(turned)...)
	run(t, m, 3)
	e := continuumtest.Of(t, m)
	c := e.Contact
	var force, moment, weight, weightMoment spatial.Vec
	touched := 0
	for w, name := range []string{"bar", "table"} {
		v := value(t, m, name+"/wrench")
		f, at := c.WallPose(w).R.Apply(spatial.VecAt(v)), c.WallPose(w)
		force = force.Add(f)
		moment = moment.Add(at.R.Apply(spatial.VecAt(v[3:]))).Add(at.P.Cross(f))
		if f.Norm() > 0 {
			touched++
		}
		var listed spatial.Vec
		for _, x := range c.ListContacts(nil, 100) {
			if x.Wall == w {
				listed = listed.Sub(x.Normal.Scale(x.Force)).Sub(x.Friction)
			}
		}
		if listed.Sub(f).Norm() > 1e-12 {
			t.Errorf("on %s acts %v N, its contacts are %v N", name, f, listed)
		}
	}
	if touched != 2 {
		t.Fatalf("%d shapes are touched, want both", touched)
	}
	if d := c.WallPose(1).P.Sub(turned.P).Norm(); d != 0 {
		t.Fatalf("the table is %g m from where it was sent", d)
	}
	for i := range e.System.State.Pose {
		f := spatial.Vec{Z: -9.80665}.Scale(e.System.State.NodeMass(i))
		weight = weight.Add(f)
		weightMoment = weightMoment.Add(e.System.State.Pose[i].P.Cross(f))
		weightMoment = weightMoment.Add(e.System.State.Pose[i].R.Col3().Cross(spatial.Vec{Z: -9.80665}.Scale(e.System.State.NodeFirstMoment(i))))
	}
	cf := value(t, m, "measured_cf")
	base := spatial.Wrench{Force: spatial.VecAt(cf), Moment: spatial.VecAt(cf[3:])}
	r := basePose(m).R
	if off := r.Apply(base.Force).Add(weight).Sub(force).Norm(); off > 1e-6*weight.Norm() {
		t.Errorf("base and weight are %.3g N out of balance with the shapes, of a weight of %.3g N", off, weight.Norm())
	}
	if off := r.Apply(base.Moment).Add(weightMoment).Sub(moment).Norm(); off > 1e-6*weight.Norm()*0.1 {
		t.Errorf("base and weight are %.3g N m out of balance with the shapes", off)
	}
}

// TestWorkOfAMovedShapeIsTheEnergyOfTheRod demands that a bar without friction does as much
// work, force times way, as the rod gains.
func TestWorkOfAMovedShapeIsTheEnergyOfTheRod(t *testing.T) {
	m := besideBar(t, 2, "0")
	work, last := 0.0, 0.0
	const steps, rise = 3000, 0.008
	for i := 1; i <= steps; i++ {
		lead(t, m, "bar/pose", spatial.Vec{Z: rise * float64(i-1) / steps}, spatial.Vec{Z: rise * float64(i) / steps}, 1)
		f := -value(t, m, "bar/wrench")[2]
		work += 0.5 * (f + last) * rise / steps
		last = f
	}
	if e := energy(t, m, spatial.Vec{}); !(e > 1e-7) || math.Abs(work-e) > 0.01*e {
		t.Errorf("the bar did %.6g J of work, the rod has %.6g J", work, e)
	}
}

// TestMovedTableDragsTheRod moves a table under the tip of a rod that lies on it: the tip goes
// along while it sticks, and friction is its limit when it slips.
func TestMovedTableDragsTheRod(t *testing.T) {
	for _, order := range orders() {
		m := mustModelOf(t, `
rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e7, shear_modulus_pa: 4e6, elements: 10, element_order: `+string(rune('0'+order))+`, damping: {kelvin_voigt_s: 0.002, drag_per_s: 20}}
environment: {friction_coefficient: 0.5, shapes: [{name: table, plane: {point_m: [0, 0, -0.004]}}]}
solver: {step_s: 0.001}`)
		run(t, m, 1)
		start := tipPose(m).P
		const little = 2e-4
		lead(t, m, "table/pose", spatial.Vec{}, spatial.Vec{Y: little}, 200)
		run(t, m, 1)
		if d := tipPose(m).P.Sub(start); math.Abs(d.Y-little) > 0.02*little {
			t.Errorf("order %d: the tip goes by %v m where the table goes by %g m", order, d, little)
		}
		stuck := tipPose(m).P
		run(t, m, 5)
		if d := tipPose(m).P.Sub(stuck).Norm(); d > 1e-8 {
			t.Errorf("order %d: the tip creeps by %.3g m in 5 s", order, d)
		}
		lead(t, m, "table/pose", spatial.Vec{Y: little}, spatial.Vec{Y: 0.1}, 1000)
		w := value(t, m, "table/wrench")
		if ratio := math.Hypot(w[0], w[1]) / -w[2]; math.Abs(ratio-0.5) > 0.01 {
			t.Errorf("order %d: friction is %.4g of the normal force where the table slips under the rod, want 0.5", order, ratio)
		}
	}
}

// TestNoShapePassesThroughARod sends shapes of all sizes across a rod at once: they are brought
// there at the greatest speed, which gauges tell, and the rod goes ahead of them.
func TestNoShapePassesThroughARod(t *testing.T) {
	for name, shape := range map[string]string{
		"bar":   "capsule: {from_m: [0.06, -0.3, -0.003], to_m: [0.06, 0.3, -0.003], radius_m: 0.0005}",
		"ball":  "sphere: {center_m: [0.06, 0, -0.03], radius_m: 0.02}",
		"table": "plane: {point_m: [0, 0, -0.3]}",
	} {
		m := mustModelOf(t, `
rod: {length_m: 0.1, radius_m: 0.0005, density_kg_per_m3: 6450, youngs_modulus_pa: 1e10, shear_modulus_pa: 3.6e9, elements: 20, damping: {kelvin_voigt_s: 0.0005}}
gravity_m_per_s2: [0, 0, 0]
environment: {shapes: [{name: it, `+shape+`}]}
solver: {step_s: 0.001}`)
		command(t, m, "it/pose", poseValues(shifted(0, 0, map[string]float64{"table": 0.299503, "bar": 0.02, "ball": 0.02}[name]))...)
		c, limited, touched := continuumtest.Of(t, m).Contact, false, false
		speed := 0.0
		for i := range 400 {
			before := c.WallPose(0).P
			if err := m.Step(1e-3); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			speed = max(speed, c.WallPose(0).P.Sub(before).Norm()/1e-3)
			limited = limited || gaugeOf(m, "shape_speed_limited") == 1
			touched = touched || c.Summary().Count > 0
			if d := c.Summary().RelativePenetration; i > 300 && d > 0.01 {
				t.Fatalf("%s: %.3g radii deep in step %d", name, d, i)
			}
		}
		if !touched || !limited || speed > 2*(1+1e-9) {
			t.Errorf("%s: touched %v, limited %v, up to %g m/s", name, touched, limited, speed)
		}
		if gaugeOf(m, "shape_speed_limited") != 0 || gaugeOf(m, "unconverged_steps") != 0 {
			t.Errorf("%s: limited %v where it has arrived, unconverged %v", name, gaugeOf(m, "shape_speed_limited"), gaugeOf(m, "unconverged_steps"))
		}
		if z := nodePoses(t, m)[12].P.Z; name != "table" && z < 0.004 {
			t.Errorf("%s: the rod is at %.4g m, where the shape has passed it", name, z)
		}
	}
}

// TestBaseThatIsLimitedIsTold demands the gauge of a base that is behind its command.
func TestBaseThatIsLimitedIsTold(t *testing.T) {
	m := mounted(t).Model
	to := basePose(m)
	to.P.X += 0.05
	command(t, m, "base_pose", poseValues(to)...)
	step(t, m, 1e-3, 5)
	if gaugeOf(m, "base_speed_limited") != 1 {
		t.Error("a jump of the base is not told")
	}
	step(t, m, 1e-3, 50)
	if gaugeOf(m, "base_speed_limited") != 0 {
		t.Error("a base that has arrived is reported as limited")
	}
}

// gaugeOf measures a gauge of a model.
func gaugeOf(m *continuum.Model, key string) float64 {
	values := make([]float64, len(m.Gauges()))
	m.Measure(values)
	return values[slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == key })]
}

// TestMovedShapesThatAreTooFast demands that a step in which a shape could pass through the rod
// be refused with an error that names it, and leave nothing behind.
func TestMovedShapesThatAreTooFast(t *testing.T) {
	m := besideBar(t, 4, "0.4")
	command(t, m, "bar/pose", poseValues(shifted(0, 0, 0.004))...)
	run(t, m, 0.2)
	twin := besideBar(t, 4, "0.4")
	command(t, m, "bar/pose", poseValues(shifted(0, 0, 3))...)
	if err := twin.Restore(save(m)); err != nil {
		t.Fatal(err)
	}
	err := m.Step(1) // in 64 parts of 30 mm
	var fast *contact.SpeedError
	if !errors.As(err, &fast) || fast.Wall != "bar" || !strings.Contains(err.Error(), "base and shapes") {
		t.Fatalf("error is %v, want a SpeedError of the bar", err)
	}
	wantSameContacts(t, m, twin) // but for what is looked at
	step(t, m, 1e-3, 20)
	step(t, twin, 1e-3, 20)
	wantSameContacts(t, m, twin)
	if !slices.Equal(value(t, m, "backbone"), value(t, twin, "backbone")) {
		t.Fatal("a step that fails changes nodes after it")
	}
}

// TestDividedStepsTurnShapesAboutTheirCentres demands that parts of a step take a shape along
// the way on which the whole step takes it: far from the origin it would swing out else.
func TestDividedStepsTurnShapesAboutTheirCentres(t *testing.T) {
	m := mustModelOf(t, `
environment: {shapes: [{name: ball, sphere: {center_m: [1, 2, 0], radius_m: 0.005}}]}`)
	c := continuumtest.Of(t, m).Contact
	center := c.Walls[0].Shape.Center()
	turn := spatial.ExpRot(spatial.Vec{Z: 1})
	c.SetWallTarget(0, spatial.Pose{R: turn, P: center.Sub(turn.Apply(center))})
	c.BeginDivision()
	for _, share := range []float64{0.25, 0.5, 1} {
		c.SetDivision(share)
		at := c.WallTarget(0)
		if d := at.Apply(center).Sub(center).Norm(); d > 1e-15 {
			t.Errorf("at %g of the way the centre is %.3g m off", share, d)
		}
		if a := at.R.Log().Z; math.Abs(a-share) > 1e-12 {
			t.Errorf("at %g of the way it has turned by %g rad", share, a)
		}
	}
}

// TestMovedShapesAreDrawn demands that pictures and frames of shapes go with them.
func TestMovedShapesAreDrawn(t *testing.T) {
	m := besideBar(t, 2, "0")
	to := spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: 0.3}), P: spatial.Vec{X: 0.01}}
	command(t, m, "bar/pose", poseValues(to)...)
	run(t, m, 0.5)
	var s sim.Scene
	m.Draw(&s)
	if g := s.Meshes[1].Place(); g.P.Sub(to.P).Norm() > 1e-12 || s.Meshes[0].Place() != spatial.IdentityPose() {
		t.Errorf("shapes are drawn at %v and %v", s.Meshes[0].Place(), g)
	}
	if v := value(t, m, "shapes/bar"); spatial.VecAt(v).Sub(to.P).Norm() > 1e-12 {
		t.Errorf("the frame of the bar is at %v", v)
	}
}
