package strain

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// JenkinsElement is a spring in series with a Coulomb slider, parallel to the bending stiffness of
// an element: an elastic, perfectly plastic moment with an isotropic limit. Several in parallel
// with different limits form the Iwan (Maxwell slip) model of friction (Iwan 1966; the stop
// operators of Prandtl and Ishlinskii). Its loops of moment over curvature follow Masing's rules,
// and closed subloops leave no trace.
//
// With u the bend of the element, its curvatures about d1 and d2 times its length l, p the unloaded
// bend and k = Stiffness/l, the moment is k (u − p) up to the limit M and beyond it M in the
// direction of u − p. During a step or a search for equilibrium p is fixed, and the moment is the
// gradient of the convex potential
//
//	½ k |u − p|²  or, beyond M,  M |u − p| − M²/(2k).
//
// The solution is therefore that of an implicit Euler step of the flow rule, stable at any step
// length, with an exact and positive tangent. At the end p follows u until k |u − p| = M. The work
// in a step is at least the increase of the stored energy.
//
// Bends are those between the ends of the element also for elements of order 4, so this friction is
// of order 2 in the element length.
type JenkinsElement struct {
	Stiffness float64 // N m², above 0
	Limit     float64 // M, N m, above 0
}

// bend is a pair of angles about d1 and d2, rad.
type bend struct{ x, y float64 }

func (b bend) norm() float64 { return math.Sqrt(b.x*b.x + b.y*b.y) }

// jenkinsElements are the Jenkins elements of all elements of the rod, one after the other.
type jenkinsElements struct {
	elements     [][]JenkinsElement // by element; nil: there are none
	first        []int              // by element of the rod, index of its first Jenkins element
	unloadedBend []bend             // p, by Jenkins element
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

// HasJenkinsElements reports whether any element of the rod has internal friction.
func (s *State) HasJenkinsElements() bool { return s.jenkins.elements != nil }

// jenkinsDeflection returns the deflection u − p of Jenkins element i of element e, its stiffness
// k, N m/rad, and the factor by which slip reduces the stiffness: 1 in the sticking state.
func (s *State) jenkinsDeflection(e, i int) (d bend, k, share float64) {
	u, p := &s.Strain[e].Angular, s.jenkins.unloadedBend[s.jenkins.first[e]+i]
	spring := &s.jenkins.elements[e][i]
	d, k, share = bend{u.X - p.x, u.Y - p.y}, spring.Stiffness/s.elements[e].length, 1
	if size := d.norm(); k*size > spring.Limit {
		share = spring.Limit / (k * size)
	}
	return d, k, share
}

// addJenkinsMoments returns m plus the moments of the Jenkins elements of element e. It adds their
// stiffness to k, if k is not nil.
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
		if share < 1 { // in the slipping state only a rotation of the deflection changes the moment
			c := spring / (d.x*d.x + d.y*d.y)
			k.k22.XX -= c * d.x * d.x
			k.k22.XY -= c * d.x * d.y
			k.k22.YX -= c * d.x * d.y
			k.k22.YY -= c * d.y * d.y
		}
	}
	return m
}

// jenkinsPotential returns the potential of the Jenkins elements at the present strains, J.
func (s *State) jenkinsPotential() (sum float64) {
	for e, all := range s.jenkins.elements {
		for i := range all {
			d, k, share := s.jenkinsDeflection(e, i)
			sum += k * (d.x*d.x + d.y*d.y) * share * (1 - 0.5*share)
		}
	}
	return sum
}

// jenkinsEnergy returns the energy that the Jenkins elements store at the end of the last step, J.
func (s *State) jenkinsEnergy() (sum float64) {
	for e, all := range s.jenkins.elements {
		for i := range all {
			d, k, share := s.jenkinsDeflection(e, i)
			sum += 0.5 * k * (d.x*d.x + d.y*d.y) * share * share
		}
	}
	return sum
}

// commitJenkins updates the unloaded bends of the slipping elements at the present strains.
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

// resetJenkins sets the unloaded bends to the rest curvature.
func (s *State) resetJenkins() {
	for e, all := range s.jenkins.elements {
		for i := range all {
			rest := &s.elements[e].rest.Angular
			s.jenkins.unloadedBend[s.jenkins.first[e]+i] = bend{rest.X, rest.Y}
		}
	}
}

// makeFull copies a diagonal stiffness to the blocks.
func (k *stiffness) makeFull() {
	if k.isFull {
		return
	}
	k.isFull = true
	k.k11 = spatial.Mat3{XX: k.linear.X, YY: k.linear.Y, ZZ: k.linear.Z}
	k.k21 = spatial.Mat3{}
	k.k22 = spatial.Mat3{XX: k.angular.X, YY: k.angular.Y, ZZ: k.angular.Z}
}
