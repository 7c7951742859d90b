package continuum_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// swung is the motion of the base in the checkpoint.
func swung(t float64) spatial.Pose {
	return spatial.Pose{
		R: spatial.ExpRot(spatial.Vec{Y: 0.3 * math.Sin(2*math.Pi*5*t)}),
		P: spatial.Vec{Y: 0.01 * (1 - math.Cos(2*math.Pi*10*t))},
	}
}

// Commands in every control period move the base as the checkpoint prescribes.
func TestCommandedBaseFollowsTheCheckpoint(t *testing.T) {
	e := mounted(t)
	m := e.Model
	e.Stepper.Refine(1e-12, 3)
	e.Stepper.LagSpin()
	command(t, m, "servo_jf", 2, 1, 0.5, 0.5)
	for i, want := range readGolden(t).Dynamics.Tips["n10_moving_base"] {
		at := swung(float64(i+1) * 1e-3)
		command(t, m, "base_pose", poseValues(at)...)
		step(t, m, 1e-3, 1)
		if d := apart(basePose(m), at); !(d < 1e-15) {
			t.Fatalf("step %d: the base is %.3g from its command", i+1, d)
		}
		within(t, "tip", numbers(tipPose(m).P), want, convergedTolerance)
	}
}

// Without commands the base stays where it is: there is no safe pose to go to.
func TestReleasedBaseStays(t *testing.T) {
	m := mounted(t).Model
	in := sim.NewInputs(m)
	in.Release("base_pose") // as a simulator that starts disabled does
	run := func(steps int) {
		for range steps {
			in.Advance(1e-3)
			step(t, m, 1e-3, 1)
		}
	}
	run(3)
	if d := apart(basePose(m), partsOf(m).System.Rod.Base); d > 1e-15 {
		t.Errorf("the base moves by %.3g before anybody commands", d)
	}
	want := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.01}), P: spatial.Vec{Z: 0.01}}
	if v := in.Set(port(t, m, "base_pose"), poseValues(want)); v != sim.Accepted {
		t.Fatal(v)
	}
	run(20)
	in.Release("base_pose")
	run(20)
	if d := apart(basePose(m), want); d > 1e-15 {
		t.Errorf("a released base is %.3g from its last command", d)
	}
}

// A robot that is carried somewhere settles as one that is mounted there, and all
// that it shows goes along.
func TestMovedRobotIsOneMountedThere(t *testing.T) {
	file := func() *robotfile.Continuum {
		f := thesisFile()
		f.InitialState = robotfile.Equilibrium
		f.Rod.Damping.Drag = 40
		f.Tendons[0].Tension, f.Tendons[1].Tension = 2, 1
		return f
	}
	f := file()
	r := spatial.ExpRot(spatial.Vec{X: 0.4, Y: -0.9, Z: 0.3})
	f.Base.Position = spatial.Vec{X: 0.1, Y: 0.2, Z: -0.1}
	f.Base.Direction, f.Base.Normal = r.Apply(f.Base.Direction), r.Apply(f.Base.Normal)
	there := newModel(t, f)

	m := newModel(t, file())
	command(t, m, "base_pose", poseValues(partsOf(there).System.Rod.Base)...)
	step(t, m, 1e-3, 4000)
	for _, name := range []string{"base", "measured_cp", "measured_cf", "measured_js", "backbone"} {
		within(t, name, value(t, m, name), value(t, there, name), 1e-7)
	}
	var a, b sim.Scene
	m.Draw(&a)
	there.Draw(&b)
	for i := range a.Polylines {
		for k, p := range a.Polylines[i].Points {
			within(t, "tendon as drawn", numbers(p), numbers(b.Polylines[i].Points[k]), 1e-7)
		}
	}
}

// A moving world is the same in any frame.
func TestMovingBaseIsFrameIndifferent(t *testing.T) {
	frame := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 2}), P: spatial.Vec{X: 1, Y: -2, Z: 0.5}}
	run := func(x spatial.Pose) *continuum.Model {
		f := wire(10, 0.0005, x.R.Apply(sideways), 0, 90, 180, 270)
		f.Base = robotfile.Base{Position: x.P, Direction: x.R.Col3(), Normal: x.R.Apply(spatial.Vec{X: 1})}
		f.Rates.Control = 1000
		m := newModel(t, f)
		for i := range 100 {
			command(t, m, "servo_jf", 0.02*float64(i), 1, 0, 0)
			command(t, m, "base_pose", poseValues(x.Mul(swung(float64(i+1)*1e-3)))...)
			step(t, m, 1e-3, 1)
		}
		return m
	}
	a, b := run(spatial.IdentityPose()), run(frame)
	within(t, "tip seen from the base", numbers(basePose(b).Inv().Mul(tipPose(b)).P), numbers(basePose(a).Inv().Mul(tipPose(a)).P), 1e-9)
	within(t, "measured_cf", value(t, b, "measured_cf"), value(t, a, "measured_cf"), 1e-8)
}

// What the base exerts is what the momentum of the robot needs beyond its weight.
func TestMovingBaseCarriesTheMomentum(t *testing.T) {
	e := mounted(t)
	m := e.Model
	e.Stepper.Refine(1e-12, 3)
	command(t, m, "servo_jf", 2, 1, 0.5, 0.5)
	const dt = 1e-3
	momentum := func() (p spatial.Vec) {
		for i := range e.System.State.Pose {
			p = p.AddScaled(e.System.State.NodeMass(i), e.System.State.NodeTwist(i).Linear)
		}
		return p
	}
	weight := spatial.Vec{}
	for i := range e.System.State.Pose {
		weight = weight.AddScaled(e.System.State.NodeMass(i), sideways)
	}
	var p [3]spatial.Vec // the newest first
	for i := range 30 {
		command(t, m, "base_pose", poseValues(swung(float64(i+1)*dt))...)
		step(t, m, dt, 1)
		p[2], p[1], p[0] = p[1], p[0], momentum()
		if i < 2 { // BDF1 at first
			continue
		}
		rate := p[0].Scale(3).AddScaled(-4, p[1]).Add(p[2]).Scale(1 / (2 * dt))
		cf := value(t, m, "measured_cf")
		force := basePose(m).R.Apply(spatial.Vec{X: cf[0], Y: cf[1], Z: cf[2]})
		within(t, "force of the base", numbers(force.Add(weight)), numbers(rate), 1e-8)
	}
}

// A command of the present pose is no kick.
func TestCommandOfThePresentPoseIsNoKick(t *testing.T) {
	m := mounted(t).Model
	command(t, m, "base_pose", poseValues(basePose(m))...)
	before := tipPose(m).P
	still := mounted(t).Model
	step(t, m, 1e-3, 10)
	step(t, still, 1e-3, 10)
	if d := tipPose(m).P.Sub(tipPose(still).P).Norm(); d > 1e-12 || tipPose(m).P == before {
		t.Errorf("a command of the present pose moves the tip by %.3g m", d)
	}
}
