package repeat_test

import (
	"fmt"
	"math"
	"strings"

	"sinew/pkg/sim"
)

// strength is how hard a robot is commanded: what makes it move visibly and does not
// break it.
type strength struct {
	tension float64 // N, at most
	pull    float64 // m, either way
	base    float64 // m, of the motion of the base plate
	force   float64 // N, from outside
	moment  float64 // N m, from outside
	field   float64 // T
	gather  float64 // T/m, gradient of the field
	turn    float64 // Hz, of the rotating field
	flow    float64 // m/s, of the fluid
}

var strengths = map[string]strength{
	"silicone":     {tension: 3, base: 0.01, force: 0.05, moment: 1e-3},
	"nitinol":      {tension: 3, base: 0.01, force: 0.05, moment: 1e-3},
	"segments":     {tension: 3, base: 0.01, force: 0.05, moment: 1e-3},
	"helical":      {tension: 3, base: 0.01, force: 0.05, moment: 1e-3},
	"servo":        {tension: 3, pull: 4e-3, base: 0.01, force: 0.05, moment: 1e-3},
	"motors":       {turn: 0.8, base: 0.01, force: 0.05, moment: 1e-3},
	"catheter":     {base: 0.01, force: 1e-3, moment: 1e-5, field: 5e-3, gather: 0.05, turn: 1},
	"tendonforces": {tension: 3, force: 0.05, moment: 1e-3},

	"swimmer":        {field: 5e-3, gather: 0.1, turn: 10, force: 1e-10, moment: 1e-14, flow: 1e-5},
	"helix":          {field: 5e-3, gather: 0.1, turn: 10, force: 1e-10, moment: 1e-14, flow: 1e-5},
	"prolate_magnet": {field: 5e-3, gather: 0.1, turn: 2, force: 1e-9, moment: 1e-13, flow: 1e-5},
	"soft_ellipsoid": {field: 1e-2, gather: 0.1, turn: 1, force: 1e-10, moment: 1e-14, flow: 1e-5},
	"sphere":         {field: 5e-3, gather: 0.1, turn: 2, force: 1e-10, moment: 1e-14, flow: 1e-5},
	"beads":          {field: 5e-3, gather: 0.1, turn: 0.5, force: 1e-12, moment: 1e-17, flow: 1e-6},
	"swarm":          {field: 5e-3, gather: 0.1, turn: 1, force: 1e-10, moment: 1e-14, flow: 1e-5},
	"levitation":     {field: 5e-3, gather: 0.04, turn: 2, force: 0.02, moment: 1e-4, flow: 1e-2},
}

// handover is how long a port of a group is in command before the next one takes over, s.
const handover = 1.5

// command writes the command at time t for In port p, which is the nth of the many ports of its
// group, and reports whether there is one. Every value has a frequency of
// its own.
func (s *strength) command(p *sim.Port, nth, many int, t float64, v []float64) bool {
	if int(t/handover)%many != nth {
		return false
	}
	wave := func(i int) float64 { return math.Sin(2 * math.Pi * (0.3 + 0.17*float64(i)) * t) }
	up := func(i int) float64 { return (1 + wave(i)) / 2 }
	switch p.Kind {
	case sim.Tension:
		for i := range v {
			v[i] = s.tension * up(i)
		}
	case sim.TendonLength: // opposite tendons give way
		for i := range v {
			v[i] = s.pull * wave(i/2) * (1 - 2*float64(i%2))
		}
	case sim.Pose: // about where it is, as far as the first axes go
		for i := range v {
			v[i] = sim.Keep
		}
		v[1], v[2] = s.base*wave(0), s.base*wave(1)
	case sim.Wrench:
		for i := range 3 {
			v[i], v[3+i] = s.force*wave(i), s.moment*wave(3+i)
		}
		if len(v) > 6 {
			v[6] = float64(int(t) % len(p.Frames))
		}
	case sim.Field, sim.FieldGradient:
		for i := range 3 {
			v[i] = s.field * wave(i)
		}
		for i := 3; i < len(v); i++ {
			v[i] = s.gather * wave(i)
		}
	case sim.RotatingField:
		copy(v, []float64{wave(0), wave(1), 1, s.field, s.turn * (1 + up(2)) / 2, s.field * wave(3) / 2})
	case sim.Twist:
		for i := range 3 {
			v[i], v[3+i] = s.flow*wave(i), wave(3+i)
		}
	case sim.JointState: // motors, rad, or insertion of the base, m, and its twist, rad
		v[0], v[1] = s.base*wave(0), wave(1)
		if p.Unit == "rad" {
			v[0], v[1] = s.turn*wave(0), s.turn*wave(1)
		}
	default:
		panic(fmt.Sprintf("repeat: no commands for %s", strings.TrimSpace(p.Name)))
	}
	return true
}
