package sim_test

import (
	"errors"
	"fmt"
	"math"
	"time"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// spring is a mass of 1 kg on a spring of 4π² N/m, so that it swings once per
// second. A joint named "mass" is pulled along x by a force.
type spring struct {
	x, v  float64 // m, m/s
	force float64 // N, the setpoint
}

const stiffness = 4 * math.Pi * math.Pi // N/m

// The ports of spring, by index.
const (
	force = iota
	joint
)

func (s *spring) Ports() []sim.Port {
	mass := []string{"mass"}
	return []sim.Port{
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: mass, Unit: "N",
			Min: []float64{-10}, Max: []float64{10}, MaxRate: []float64{1000}},
		{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: mass, Parts: sim.Position | sim.Velocity},
	}
}

func (s *spring) Gauges() []sim.Gauge { return []sim.Gauge{{Key: "energy", Unit: "J"}} }

func (s *spring) Command(_ int, v []float64) {
	if !sim.IsKeep(v[0]) {
		s.force = v[0]
	}
}

func (s *spring) Setpoint(_ int, dst []float64) { dst[0] = s.force }

func (s *spring) Value(_ int, dst []float64) { dst[0], dst[1] = s.x, s.v }

func (s *spring) Measure(dst []float64) { dst[0] = s.v*s.v/2 + stiffness*s.x*s.x/2 }

func (s *spring) Draw(dst *sim.Scene) {
	if dst.Spheres == nil {
		dst.Spheres = []sim.Sphere{{Name: "mass", SemiAxes: spatial.Vec{X: 0.01, Y: 0.01, Z: 0.01}}}
	}
	dst.Spheres[0].Pose = spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: s.x}}
}

// Step makes a step of the symplectic Euler method.
func (s *spring) Step(dt float64) error {
	s.v += dt * (s.force - stiffness*s.x)
	s.x += dt * s.v
	return nil
}

func (s *spring) StateLen() int { return 3 }

func (s *spring) Save(dst []float64) { dst[0], dst[1], dst[2] = s.x, s.v, s.force }

func (s *spring) Restore(src []float64) error {
	for _, x := range src {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New("the state is not finite")
		}
	}
	s.x, s.v, s.force = src[0], src[1], src[2]
	return nil
}

// manualClock is a clock whose time passes only while somebody sleeps on it.
type manualClock struct {
	now  time.Duration
	end  time.Duration // when stop is closed
	stop chan struct{}
}

func (c *manualClock) Now() time.Duration { return c.now }

func (c *manualClock) SleepUntil(t time.Duration) {
	if c.now = max(c.now, t); c.now == c.end {
		close(c.stop)
	}
}

// A Simulator steps a model in periods of its clock, takes commands and gives
// snapshots.
func ExampleSimulator() {
	clock := &manualClock{end: time.Second, stop: make(chan struct{})}
	s, err := sim.NewSimulator(&spring{x: 0.1}, clock, sim.Options{ControlHz: 1000, PublishHz: 5, StepS: 1e-4})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(clock.stop); err != nil {
		fmt.Println(err)
		return
	}
	for shot := s.NewSnapshot(); s.Next(shot); {
		fmt.Printf("t = %.1f s  x = %+.3f m  energy = %.3f J\n", shot.SimTime, shot.Values[joint][0], shot.Gauges[0])
	}
	// Output:
	// t = 0.0 s  x = +0.100 m  energy = 0.197 J
	// t = 0.2 s  x = +0.031 m  energy = 0.197 J
	// t = 0.4 s  x = -0.081 m  energy = 0.197 J
	// t = 0.6 s  x = -0.081 m  energy = 0.197 J
	// t = 0.8 s  x = +0.031 m  energy = 0.197 J
	// t = 1.0 s  x = +0.100 m  energy = 0.197 J
}

// Without a clock, Inputs and a Schedule run a model offline.
func ExampleInputs() {
	m := &spring{}
	in := sim.NewInputs(m)
	fmt.Println("3 N:", in.Set(force, []float64{3}))
	fmt.Println("30 N:", in.Set(force, []float64{30})) // clamped to 10 N
	plan, err := sim.NewSchedule(0.5, 1e-4, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range plan.Steps() {
		in.Advance(plan.Step(i))
		if err := m.Step(plan.Step(i)); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("force %.0f N, x = %.3f m of at most %.3f m\n", m.force, m.x, 2*10/stiffness)
	// Output:
	// 3 N: accepted
	// 30 N: clamped
	// force 10 N, x = 0.506 m of at most 0.507 m
}
