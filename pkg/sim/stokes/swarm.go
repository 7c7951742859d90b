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

// single is the mobility of a sphere by itself, times 8πη.
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
		dst[i] = spatial.Twist{
			Linear:  loads[i].Force.Scale(s.scale * s.alone[i].trans),
			Angular: loads[i].Moment.Scale(s.scale * s.alone[i].rot),
		}
	}
	s.AddInteraction(dst, x, loads)
}

func (s *Swarm) mustMatch(lengths ...int) {
	for _, n := range lengths {
		if n != s.Len() {
			panic("stokes: wrong number of spheres")
		}
	}
}

// AddInteraction adds to dst what each sphere's load makes the others do, without
// their motion under their own: for bodies that are no spheres but act on each
// other as if they were. Only with the mobilities of the spheres themselves, as in
// Motions, is the whole sure to be positive definite.
func (s *Swarm) AddInteraction(dst []spatial.Twist, x []spatial.Vec, loads []spatial.Wrench) {
	s.mustMatch(len(dst), len(x), len(loads))
	for i := range x {
		a, xi, li := s.radii[i], x[i], loads[i]
		radii, loads, dsts := s.radii[:i], loads[:i], dst[:i]
		var t spatial.Twist
		for j, xj := range x[:i] {
			b, lj, dj := radii[j], &loads[j], &dsts[j]
			r := xi.Sub(xj)
			r2 := r.Norm2()
			if ab := a + b; r2 < ab*ab {
				p := overlapping(math.Sqrt(r2), a, b).times(s.scale)
				t = p.add(t, r, lj)
				p = p.flip()
				*dj = p.add(*dj, r.Neg(), &li)
				continue
			}
			// pair.add for both, written out with tr = rt = −2 rr
			q := 1 / r2
			g := s.scale * math.Sqrt(q)
			k, g3 := (a*a+b*b)*q, g*q
			tt, th, rr, rh := g+g*k*(1./3), g3-g3*k, -0.5*g3, 1.5*g3*q
			c := r.Scale(g3)
			fj, mj := th*r.Dot(lj.Force), rh*r.Dot(lj.Moment)
			fi, mi := th*r.Dot(li.Force), rh*r.Dot(li.Moment)
			t.Linear.X += tt*lj.Force.X + fj*r.X + lj.Moment.Y*c.Z - lj.Moment.Z*c.Y
			t.Linear.Y += tt*lj.Force.Y + fj*r.Y + lj.Moment.Z*c.X - lj.Moment.X*c.Z
			t.Linear.Z += tt*lj.Force.Z + fj*r.Z + lj.Moment.X*c.Y - lj.Moment.Y*c.X
			t.Angular.X += rr*lj.Moment.X + mj*r.X + lj.Force.Y*c.Z - lj.Force.Z*c.Y
			t.Angular.Y += rr*lj.Moment.Y + mj*r.Y + lj.Force.Z*c.X - lj.Force.X*c.Z
			t.Angular.Z += rr*lj.Moment.Z + mj*r.Z + lj.Force.X*c.Y - lj.Force.Y*c.X
			dj.Linear.X += tt*li.Force.X + fi*r.X - li.Moment.Y*c.Z + li.Moment.Z*c.Y
			dj.Linear.Y += tt*li.Force.Y + fi*r.Y - li.Moment.Z*c.X + li.Moment.X*c.Z
			dj.Linear.Z += tt*li.Force.Z + fi*r.Z - li.Moment.X*c.Y + li.Moment.Y*c.X
			dj.Angular.X += rr*li.Moment.X + mi*r.X - li.Force.Y*c.Z + li.Force.Z*c.Y
			dj.Angular.Y += rr*li.Moment.Y + mi*r.Y - li.Force.Z*c.X + li.Force.X*c.Z
			dj.Angular.Z += rr*li.Moment.Z + mi*r.Z - li.Force.X*c.Y + li.Force.Y*c.X
		}
		dst[i].Linear = dst[i].Linear.Add(t.Linear)
		dst[i].Angular = dst[i].Angular.Add(t.Angular)
	}
}
