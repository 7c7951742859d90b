package strain

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Slip is a spring beside the bending stiffness of an element that slips where its moment reaches
// a limit, whatever the direction of the bend: elastic, perfectly plastic. Several in parallel, of
// different limits, are the friction of Maxwell slip (Iwan 1966; the stop operators of Prandtl and
// Ishlinskii): a loop of moment over curvature follows Masing's rules, and a rod that returns to
// where it turned round goes on as if it had not.
//
// With u the bend of the element, its curvatures about d1 and d2 times its length l, p the bend at
// which the spring is free, and k = Stiffness/l, the moment is k (u − p) up to the limit M and
// there M in the direction of u − p. While a step or an equilibrium is sought p stays, and the
// moment is the gradient of a convex potential,
//
//	½ k |u − p|²  or, beyond M,  M |u − p| − M²/(2k),
//
// so that the solution is that of an implicit step, stable whatever its length, with an exact and
// positive tangent. Then p follows u to where k |u − p| = M. The energy that a step takes in
// is never less than what the spring stores of it.
//
// Bends are those between the ends of the element, also where the strain changes along it: the
// friction is of order 2 in the length of elements.
type JenkinsElement struct {
	Stiffness float64 // N m², above 0
	Limit     float64 // M, N m, above 0
}

// bend are angles about d1 and d2, rad.
type bend struct{ x, y float64 }

func (b bend) norm() float64 { return math.Sqrt(b.x*b.x + b.y*b.y) }

// slips are the springs of all elements, one after the other.
type jenkinsElements struct {
	elements     [][]JenkinsElement // by element; nil: there are none
	first        []int              // by element, number of its first spring
	unloadedBend []bend             // p, by spring
}

func newJenkinsElements(of [][]JenkinsElement) jenkinsElements {
	count, first := 0, make([]int, len(of))
	for e, all := range of {
		first[e] = count
		count += len(all)
	}
	if count == 0 {
		return jenkinsElements{}
	}
	return jenkinsElements{elements: of, first: first, unloadedBend: make([]bend, count)}
}

// Slips reports whether an element has springs that slip.
func (s *State) HasJenkinsElements() bool { return s.jenkins.elements != nil }

// stretched returns by how much spring i of element e is bent, its stiffness to that, N m/rad, and
// the factor by which slipping makes that less: 1 where it sticks.
func (s *State) jenkinsDeflection(e, i int) (d bend, k, share float64) {
	u, p := &s.Strain[e].Angular, s.jenkins.unloadedBend[s.jenkins.first[e]+i]
	spring := &s.jenkins.elements[e][i]
	d, k, share = bend{u.X - p.x, u.Y - p.y}, spring.Stiffness/s.elements[e].length, 1
	if size := d.norm(); k*size > spring.Limit {
		share = spring.Limit / (k * size)
	}
	return d, k, share
}

// addSlips returns m with the moments of the springs of element e and adds to k, if it is not nil,
// their stiffness.
func (s *State) addJenkinsMoments(e int, m spatial.Vec, k *stiffness) spatial.Vec {
	if k != nil && len(s.jenkins.elements[e]) > 0 {
		k.makeFull()
	}
	for i := range s.jenkins.elements[e] {
		d, spring, share := s.jenkinsDeflection(e, i)
		spring *= share
		m.X += spring * d.x
		m.Y += spring * d.y
		if k == nil {
			continue
		}
		k.k22.XX += spring
		k.k22.YY += spring
		if share < 1 { // slipping, it resists only a turn of the bend
			c := spring / (d.x*d.x + d.y*d.y)
			k.k22.XX -= c * d.x * d.x
			k.k22.XY -= c * d.x * d.y
			k.k22.YX -= c * d.x * d.y
			k.k22.YY -= c * d.y * d.y
		}
	}
	return m
}

// slipEnergy is the potential of the springs at the present strains, J.
func (s *State) jenkinsPotential() (sum float64) {
	for e, all := range s.jenkins.elements {
		for i := range all {
			d, k, share := s.jenkinsDeflection(e, i)
			sum += k * (d.x*d.x + d.y*d.y) * share * (1 - 0.5*share)
		}
	}
	return sum
}

// slipStored is the energy of the springs at the end of the last step, J.
func (s *State) jenkinsEnergy() (sum float64) {
	for e, all := range s.jenkins.elements {
		for i := range all {
			d, k, share := s.jenkinsDeflection(e, i)
			sum += 0.5 * k * (d.x*d.x + d.y*d.y) * share * share
		}
	}
	return sum
}

// acceptSlips lets the springs slip to the present strains.
func (s *State) commitJenkins() {
	for e, all := range s.jenkins.elements {
		for i := range all {
			d, _, share := s.jenkinsDeflection(e, i)
			if share < 1 {
				p, u := &s.jenkins.unloadedBend[s.jenkins.first[e]+i], &s.Strain[e].Angular
				*p = bend{u.X - share*d.x, u.Y - share*d.y}
			}
		}
	}
}

// freeSlips frees the springs at the strains at rest.
func (s *State) resetJenkins() {
	for e, all := range s.jenkins.elements {
		for i := range all {
			rest := &s.elements[e].rest.Angular
			s.jenkins.unloadedBend[s.jenkins.first[e]+i] = bend{rest.X, rest.Y}
		}
	}
}

// fill makes the stiffness that is diagonal one of blocks.
func (k *stiffness) makeFull() {
	if k.isFull {
		return
	}
	k.isFull = true
	k.k11 = spatial.Mat3{XX: k.linear.X, YY: k.linear.Y, ZZ: k.linear.Z}
	k.k21 = spatial.Mat3{}
	k.k22 = spatial.Mat3{XX: k.angular.X, YY: k.angular.Y, ZZ: k.angular.Z}
}
