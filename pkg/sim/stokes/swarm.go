package stokes

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Swarm is the motion of many spheres that drag each other through unbounded fluid,
// in the Rotne-Prager-Yamakawa approximation: forces and torques, translation and
// rotation, any radii, overlap allowed. It is immutable; all vectors are in world
// axes, about the centres.
type Swarm struct {
	radii []float64
	alone []single
	scale float64 // 1/(8πη)
}

// single is the mobility of a single sphere, times 8πη.
type single struct{ trans, rot float64 }

// NewSwarm returns the swarm of spheres of the given radii (m) in fluid of the
// given viscosity (Pa s).
func NewSwarm(radii []float64, viscosity float64) (*Swarm, error) {
	err := checkPositive("viscosity", viscosity, "Pa s")
	s := &Swarm{radii: append([]float64(nil), radii...), scale: 1 / (8 * math.Pi * viscosity)}
	for i, a := range radii {
		err = errors.Join(err, checkPositive(fmt.Sprintf("radius of sphere %d", i), a, "m"))
		s.alone = append(s.alone, single{4 / (3 * a), 1 / (a * a * a)})
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Len returns the number of spheres.
func (s *Swarm) Len() int { return len(s.radii) }

// Motions sets dst to the motions of the spheres at x under the loads. It does not
// allocate, and panics if the lengths differ.
func (s *Swarm) Motions(dst []spatial.Twist, x []spatial.Vec, loads []spatial.Wrench) {
	s.mustMatch(len(dst), len(x), len(loads))
	for i := range dst {
		dst[i] = s.Alone(i, loads[i])
	}
	s.AddInteraction(dst, x, loads, 0, 1)
}

// Alone returns the velocity of sphere i under the load, without the other spheres.
func (s *Swarm) Alone(i int, load spatial.Wrench) spatial.Twist {
	return spatial.Twist{
		Linear:  load.Force.Scale(s.scale * s.alone[i].trans),
		Angular: load.Moment.Scale(s.scale * s.alone[i].rot),
	}
}

func (s *Swarm) mustMatch(lengths ...int) {
	for _, n := range lengths {
		if n != s.Len() {
			panic("stokes: wrong number of spheres")
		}
	}
}

// Opening returns the speed at which the spheres i and j part under a unit force on each
// along their line of centres, r long, 1/(kg/s): positive down to contact, where lubrication,
// which this approximation leaves out, would bring it to 0.
func (s *Swarm) Opening(i, j int, r float64) float64 {
	p := newPair(r*r, s.radii[i], s.radii[j])
	return s.scale * (s.alone[i].trans + s.alone[j].trans - 2*(p.tt+p.th*r*r))
}
