package sweep

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Plan is the values of all samples.
type Plan struct {
	Variations []Variation
	Samples    int    // from 1
	Seed       uint64 // of what is drawn
}

// MaxSamples bounds the samples of a plan.
const MaxSamples = 1_000_000_000

// NewPlan plans so many samples; 0 are the points of the grids, each once. Grids together
// are all combinations of their points, the last one changing fastest, and sample i takes
// combination i modulo their number; what is random is drawn for each sample anew.
func NewPlan(variations []Variation, samples int, seed uint64) (*Plan, error) {
	p := &Plan{Variations: variations, Samples: samples, Seed: seed}
	seen := map[string]bool{}
	combinations := 1
	random := ""
	for i := range variations {
		v := &variations[i]
		if seen[v.Name] {
			return nil, fmt.Errorf("%s is varied twice", v.Name)
		}
		seen[v.Name] = true
		if v.Random() {
			random = v.Name
			continue
		}
		if v.points() > MaxSamples/combinations {
			return nil, fmt.Errorf("the grids have more than %d combinations", MaxSamples)
		}
		combinations *= v.points()
	}
	switch {
	case len(variations) == 0:
		return nil, errors.New("nothing is varied")
	case samples == 0 && random != "":
		return nil, fmt.Errorf("%s is random: how many samples are to be drawn must be said", random)
	case samples == 0:
		p.Samples = combinations
	case samples < 0 || samples > MaxSamples:
		return nil, fmt.Errorf("%d samples; allowed: 1 to %d", samples, MaxSamples)
	}
	return p, nil
}

// Combinations is the number of combinations of the points of all grids, 1 without grids.
func (p *Plan) Combinations() int {
	n := 1
	for i := range p.Variations {
		if !p.Variations[i].Random() {
			n *= p.Variations[i].points()
		}
	}
	return n
}

// Values writes to dst the value of each variation in sample i, 0 ≤ i < Samples.
func (p *Plan) Values(i int, dst []float64) {
	combination := i % p.Combinations()
	for k := len(p.Variations) - 1; k >= 0; k-- {
		v := &p.Variations[k]
		if v.Random() {
			dst[k] = v.kind.quantile(v.args, p.share(v.Name, i))
			continue
		}
		n := v.points()
		dst[k] = v.kind.point(v.args, combination%n)
		combination /= n
	}
}

// share draws a number between 0 and 1, both excluded, for sample i of a variation. It
// depends on the seed, the name and i only, so that what else is varied changes nothing.
func (p *Plan) share(name string, i int) float64 {
	var head [16]byte
	binary.LittleEndian.PutUint64(head[:8], p.Seed)
	binary.LittleEndian.PutUint64(head[8:], uint64(i))
	source := rand.NewChaCha8(sha256.Sum256(append(head[:], name...)))
	const bits = 53
	return (float64(source.Uint64()>>(64-bits)) + 0.5) / (1 << bits)
}
