package continuumtest

import (
	"math"
	"math/rand/v2"
	"slices"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Wire is the nitinol robot of the checkpoints: a tendon at each of the given
// angles (deg) through the base plate and ten disks, rod along +z.
func Wire(elements int, disks float64, gravity spatial.Vec, angles ...float64) *robotfile.Continuum {
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.2, Radius: 0.0005, Density: 6450, YoungsModulus: 60e9, ShearModulus: 60e9 / 2.6,
			ShearCorrection: 27. / 28, Elements: elements, MaterialLaw: robotfile.Linear,
		},
		Base:      robotfile.Base{Direction: spatial.Vec{Z: 1}, Normal: spatial.Vec{X: 1}},
		Gravity:   gravity,
		DiskForce: robotfile.FullDiskForce,
		Solver:    robotfile.RodSolver{Method: robotfile.Implicit, Step: 1e-3},
	}
	for i, a := range angles {
		sin, cos := math.Sincos(a * math.Pi / 180)
		t := robotfile.Tendon{
			Name: string(rune('a' + i)), Offset: [2]float64{0.008 * math.Round(cos), 0.008 * math.Round(sin)},
			Disks:  robotfile.Disks{Count: 10, First: 0.02, Last: 0.2},
			Limits: robotfile.TendonLimits{MaxTension: 20},
		}
		if i == 0 {
			t.Disks.Mass = disks
		}
		f.Tendons = append(f.Tendons, t)
	}
	return f
}

// Sideways is gravity across the rod.
var Sideways = spatial.Vec{X: -9.80665}

// Sweep sets sinusoidal tensions of up to 3.5 N at 2 to 5 Hz.
func Sweep(in *Inputs, time float64) {
	for k := range in.Setpoints {
		in.Setpoints[k].Tension = 1.75 * (1 - math.Cos(2*math.Pi*(2+float64(k))*time))
	}
}

// RandomRobot draws a robot with anything that the implicit method knows, and
// inputs to it.
func RandomRobot(r *rand.Rand) (*robotfile.Continuum, *Inputs) {
	vector := func(scale float64) spatial.Vec {
		return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(scale)
	}
	sometimes := func(x float64) float64 { return x * float64(r.IntN(2)) }
	n := 2 + r.IntN(30)
	f := Wire(n, 0, vector(5))
	if r.IntN(2) == 0 { // soft
		f.Rod.Radius, f.Rod.YoungsModulus, f.Rod.ShearModulus, f.Rod.Density = 0.005, 1e6, 3e5, 1000
	}
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: sometimes(1e-3), Drag: sometimes(2), QuadraticDrag: sometimes(1)}
	f.Rod.Precurvature = vector(sometimes(3))
	f.Tip = robotfile.Tip{Mass: sometimes(0.01), Inertia: spatial.Vec{X: 1e-7, Y: 1e-7, Z: 1e-7}}
	if r.IntN(4) == 0 {
		f.DiskForce = robotfile.TransverseDiskForce
	}
	in := &Inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: vector(sometimes(0.02)), Moment: vector(sometimes(0.002))}, Axes: force.Axes(r.IntN(2))}}
	if r.IntN(2) == 0 {
		at, share := math.Modf(r.Float64() * float64(n)) // between two nodes, which bear it by the lever rule
		l := robotfile.RodLoad{Force: vector(0.05), Moment: vector(0.001), Frame: [...]robotfile.Axes{robotfile.WorldAxes, robotfile.BodyAxes}[r.IntN(2)], Until: math.Inf(1)}
		for k, share := range [...]float64{1 - share, share} {
			x := l
			x.At, x.Force, x.Moment = 0.2*(at+float64(k))/float64(n), l.Force.Scale(share), l.Moment.Scale(share)
			f.Loads = append(f.Loads, x)
		}
	}
	for k := range r.IntN(6) {
		var nodes []float64
		for i := 1; i <= n; i++ {
			if r.IntN(3) == 0 || (i == n && nodes == nil) {
				nodes = append(nodes, 0.2*float64(i)/float64(n))
			}
		}
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: string(rune('a' + k)), Offset: [2]float64{0.01 * r.NormFloat64(), 0.01 * r.NormFloat64()}, Twist: sometimes(10),
			Disks: robotfile.Disks{Positions: nodes, Mass: sometimes(0.001)}, Limits: robotfile.TendonLimits{MaxTension: 10},
			Stiffness: 1000, Friction: sometimes(0.3),
		})
		in.Setpoints = append(in.Setpoints, force.Setpoint{Mode: force.ControlMode(r.IntN(2)), Tension: r.Float64(), Pull: 0.003 * r.NormFloat64()})
	}
	return f, in
}

// Vary changes the inputs of a random robot with time: some swing, some ramp, some jump, and some do so one after the other.
func Vary(r *rand.Rand, in *Inputs) func(step int) {
	type way struct{ kind, from int }
	start, ways := slices.Clone(in.Setpoints), make([]way, len(in.Setpoints))
	for k := range ways {
		ways[k] = way{r.IntN(4), 50 + r.IntN(100)}
	}
	tip := in.Tip.Wrench
	return func(step int) {
		time := float64(step) * 1e-3
		for k, w := range ways {
			share, since := 0.5+0.5*math.Sin(2*math.Pi*float64(2+k)*time), float64(step-w.from)*1e-3
			switch {
			case w.kind == 1 || w.kind == 3 && step < w.from:
				share = 2 * time
			case w.kind >= 2 && step >= w.from:
				share += 0.3 + since
			}
			in.Setpoints[k].Tension, in.Setpoints[k].Pull = share*start[k].Tension, share*start[k].Pull
		}
		swing := math.Cos(9 * time)
		if step > 170 {
			swing = 0
		}
		in.Tip.Force, in.Tip.Moment = tip.Force.Scale(swing), tip.Moment.Scale(swing)
	}
}
