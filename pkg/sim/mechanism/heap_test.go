package mechanism_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// TestHeaps: boxes, capsules, spheres and soft rods fall on the floor and on each other. No step fails, nothing goes
// deeper than 2 % of the radius of the rods, and energy rises by no more than its error in tumbling.
func TestHeaps(t *testing.T) {
	testsize.SkipInShort(t)
	const h, rodRadius = 0.002, 0.004
	s, err := shape.NewCapsule(spatial.Vec{X: -0.02}, spatial.Vec{X: 0.02}, 0.01)
	capsule := must(t, s, err)
	box := boxed(t, spatial.Vec{X: 0.05, Y: 0.03, Z: 0.02})
	for _, seed := range []uint64{3, 4, 7} {
		r := rand.New(rand.NewPCG(seed, 9))
		p := mechanism.Parameters{Gravity: spatial.Vec{Z: -earth}, Walls: []mechanism.Wall{floor(t, 0.4)}}
		for i := range 6 {
			at := spatial.Vec{X: 0.02 * r.NormFloat64(), Y: 0.02 * r.NormFloat64(), Z: 0.04 + 0.06*float64(i)}
			turn := spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
			switch name := fmt.Sprint("link ", i); i % 4 {
			case 0:
				p.Bodies = append(p.Bodies, shaped(name, box, at, turn))
			case 1:
				p.Bodies = append(p.Bodies, shaped(name, capsule, at, turn))
			case 2:
				p.Bodies = append(p.Bodies, shaped(name, sphere(t, 0.015), at, turn))
			case 3:
				d := shortRod(name, at.Sub(spatial.Vec{X: 0.05}), spatial.Vec{Y: math.Pi / 2})
				d.Parameters.Elements, d.KelvinVoigt = 6, 2e-3
				d.Parameters.Material.YoungsModulus, d.Parameters.Material.ShearModulus = 1e7, 4e6
				p.Rods = append(p.Rods, d)
			}
		}
		w := mustWorld(t, p)
		energy := func() float64 {
			kinetic, weight, elastic := w.Energy()
			return kinetic + weight + elastic
		}
		first := energy()
		least, rise, deep := first, 0.0, 0.0
		for range 500 {
			march(t, w, h, 0, h)
			now := energy()
			rise, least = max(rise, now-least), min(least, now)
			for _, o := range w.AppendContacts(nil) {
				deep = max(deep, -o.Gap)
			}
		}
		t.Logf("seed %d: energy rises by %.3g of %.3g J, penetration %.3g m", seed, rise, first, deep)
		if rise > 0.02*first || deep > 0.02*rodRadius {
			t.Errorf("seed %d: energy rises by %.3g of %.3g J, links are %.3g m within others", seed, rise, first, deep)
		}
	}
}
