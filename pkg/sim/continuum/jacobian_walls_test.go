package continuum_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// leaning draws a robot without friction, most likely on a table that also carries its base, in a tube, or over a bar.
func leaning(r *rand.Rand) (*robotfile.Continuum, *inputs) {
	f, in := randomRobot(r)
	f.DiskForce = robotfile.FullDiskForce
	for k := range f.Tendons {
		f.Tendons[k].Friction = 0
	}
	f.Gravity = spatial.Vec{X: -9.81}
	radius, l, room := f.Rod.Radius, f.Rod.Length, 0.003*r.Float64()
	var s robotfile.EnvironmentShape
	switch s.Name = "wall"; r.IntN(4) {
	case 0:
		s.Plane = &robotfile.HalfSpace{Point: spatial.Vec{X: -radius - room}, Normal: spatial.Vec{X: 1, Y: 0.1}}
	case 1: // within what a table gives way to a base
		s.Plane = &robotfile.HalfSpace{Point: spatial.Vec{X: -radius * (1.0005 - 0.004*r.Float64())}, Normal: spatial.Vec{X: 1, Z: 1e-4 * r.NormFloat64() * float64(r.IntN(2))}}
	case 2:
		s.Tube = &robotfile.Tube{Points: []spatial.Vec{{Z: -0.5 * l}, {Z: 0.5 * l}, {X: 0.1 * l, Z: 1.5 * l}}, Radius: []float64{radius + room + 1e-4}}
	default:
		x, z := -2*radius-0.003-0.1*room, l*(0.3+0.5*r.Float64())
		s.Capsule = &robotfile.Capsule{From: spatial.Vec{X: x, Y: -l, Z: z}, To: spatial.Vec{X: x, Y: l, Z: z + 0.1*l}, Radius: 0.003}
	}
	f.Environment.Shapes = []robotfile.EnvironmentShape{s}
	return f, in
}

// TestJacobianBesideWallsAgainstDifferences compares the answers to base and tip of robots that lean on walls, which press
// smoothly over a thousandth of a radius only, with differences of their equilibria over a hundredth of that.
func TestJacobianBesideWallsAgainstDifferences(t *testing.T) {
	t.Parallel()
	const (
		most = 1e-4 // of a column; differences have round-off
		kink = 1e-2 // by which two differences over a kink are unlike, as where a contact comes
	)
	robots, wanted, columns, left, worst := 0, testsize.Of(4, 12, 24), 0, 0, 0.0
	for seed := uint64(0); robots < wanted && seed < 8*uint64(wanted); seed++ {
		f, in := leaning(rand.New(rand.NewPCG(seed, 41)))
		m, err := continuum.New(f)
		if err != nil {
			continue // it begins in a wall
		}
		e := continuumtest.Of(t, m)
		j, err := differentiated(e, in, loadsOf(m)...)
		if err != nil || e.Contact.Summary().Count == 0 {
			continue
		}
		robots++
		saved := make([]float64, e.StateLen())
		e.Save(saved)
		from := e.NodePose(e.System.Rod.Elements)
		for k, input := range j.Inputs {
			if !strings.HasPrefix(input, "base") && !strings.HasPrefix(input, "tip_force") {
				continue
			}
			goes, column := map[string]float64{"m": 1, "rad": f.Rod.Length}[j.InputUnits[k]], make([]float64, 6)
			for i := range column {
				column[i] = j.Values[i][k]
				goes = max(goes, math.Abs(column[i])*[...]float64{1, f.Rod.Length}[i/3])
			}
			h := min(1e-5*f.Rod.Radius/goes, 1e-3)
			difference := func(h float64) (d []float64, ok bool) {
				d = make([]float64, 6)
				for _, side := range [...]float64{1, -1} {
					e.Restore(saved)
					if changed(t, e, in, input, side*h) != nil {
						return nil, false
					}
					for i, x := range answer(e, from)[:6] {
						d[i] += side * x / (2 * h)
					}
				}
				return d, true
			}
			d, ok := difference(h)
			half, again := difference(h / 2)
			if !ok || !again {
				left++
				continue
			}
			size, off, unlike := sizes(e, d), 0.0, 0.0
			for i, x := range d {
				unlike = max(unlike, math.Abs(half[i]-x)/size[i/3])
				off = max(off, math.Abs(column[i]-x)/size[i/3])
			}
			if unlike > kink {
				left++
				continue
			}
			columns++
			worst = max(worst, off)
			if !(off < most) {
				t.Errorf("robot %d, %+v: by %s %.5g, by differences %.5g", seed, f.Environment.Shapes[0], input, column, d)
			}
		}
	}
	t.Logf("%d robots, %d columns, %d beside a kink, worst %.2g", robots, columns, left, worst)
	if robots < wanted || columns < 200*wanted/24 {
		t.Errorf("%d robots, %d columns, %d beside a kink: too few to prove anything", robots, columns, left)
	}
}
