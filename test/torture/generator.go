package torture

import (
	"math"
	"math/rand/v2"

	"sinew/pkg/sim/spatial"
)

// generator draws numbers.
type generator struct {
	*rand.Rand
	wild bool // beyond what anybody would do
}

// newGenerator returns the generator of a seed; stream tells the kinds of robot apart.
func newGenerator(seed, stream uint64, wild float64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, stream))}
	g.wild = g.chance(wild)
	return g
}

func (g *generator) between(a, b float64) float64 { return a + (b-a)*g.Float64() }
func (g *generator) log(a, b float64) float64     { return a * math.Pow(b/a, g.Float64()) }
func (g *generator) chance(p float64) bool        { return g.Float64() < p }

// or returns wild in a wild robot, else gentle.
func (g *generator) or(gentle, wild float64) float64 {
	if g.wild {
		return wild
	}
	return gentle
}

func (g *generator) direction() spatial.Vec {
	return spatial.Vec{X: g.NormFloat64(), Y: g.NormFloat64(), Z: g.NormFloat64()}.Unit()
}

func (g *generator) word() string {
	if g.wild {
		return "wild"
	}
	return "gentle"
}
