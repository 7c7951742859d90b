package contact

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Wall is a shape that the rod may touch.
type Wall struct {
	Name     string
	Shape    shape.Shape
	Friction float64 // coefficient
}

// Station is a place along the rod at which contact is tested, between node Element and the
// next or at the next. The centre line between two nodes is the cubic with their positions
// and tangents: it misses an element of constant curvature κ by at most κ³ l⁴/384, and one of
// either order by terms of that order; its derivatives are exact.
type ContactPoint struct {
	Element   int
	Wall      int     // in Contacts.Walls, that is tested there
	ArcLength float64 // m
	Radius    float64 // of the rod's surface, m
	NormalLaw
	interval
	fullStiffness float64 // stiffness, N/m, when nothing is softened
	// lowered is by how much the law of the wall begins lower, m: the gaps of pairs are more than those
	// of the surfaces by that. See stance.
	staticOffset          float64
	maxPenetrationPerStep float64 // how far the station may go into a wall at once, m
	share                 float64 // of the element that lies before
	from                  weights // of the node before
	to                    weights // of the node beyond
}

// weights are what the position (1) and the unit tangent (m) of a node make of the position
// of a station.
type weights struct{ position, tangent float64 }

const (
	// sag is the share of the radius of the rod by which it may dip into a wall between
	// stations.
	sagShare = 0.02
	// lean is how far a station may be from where the rod is nearest to a wall, over the radius
	// of curvature between them: the angle (rad) by which the force is off the normal of the
	// rod, twice over.
	tiltLimit = 0.05
	// mostStations bounds how many an element has; Contacts.Dip tells what that costs.
	maxPointsPerElement = 16
	// bent is the stiffness of contact at a node over 12 EI/l³ of the elements there: it gives
	// way by 1e-6 of what a rod of 20 elements does. stretched is that over EA/l, which decides
	// where a thin rod is pulled over a wall: by less than a hundredth of its radius.
	bendingFactor, stretchFactor = 25, 8
	// mostSharing bounds how many stations share the stiffness of a node: where they are more the
	// wall is so much curved that few of them touch.
	maxSharing = 4
	// thick is the radius, over that of the rod, of walls that are as good as infinite.
	flatWallRatio = 10
)

// Options are the choices of one environment.
type Options struct {
	Walls []Wall
	// Radius is that of the surface of the rod at an arc length, m.
	Radius func(s float64) float64
	// Taper is the change of that radius over an element, m, which jumps where sections meet; nil: 0.
	Taper func(element int) float64
	// Stiffness of contact at a node, N/m, which stations between nodes share; 0: that of the
	// rod, and it hardens.
	Stiffness   float64
	Gravity     float64 // m/s², whatever its direction: what a rod that lies on a wall weighs
	SelfContact bool    // the rod touches itself too
}

// stationsOf lists the stations of a rod among walls: element by element, from base to tip,
// and in each wall by wall.
func newPoints(r *rod.Rod, o *Options) (all []ContactPoint, patches []patch) {
	masses := r.NodeMasses()
	for e, l := range r.Lengths {
		for w := range o.Walls {
			thinnest := o.Walls[w].Shape.MinRadius()
			n := o.pointsPerElement(w, r, e)
			p := patch{element: e, first: len(all), last: len(all) + n, tangentFactor: l / 4}
			if n == 1 && !o.Walls[w].Shape.Convex() {
				p.tangentFactor = 0
			}
			patches = append(patches, p)
			for i := range n {
				x := float64(i+1) / float64(n)
				s := ContactPoint{Element: e, Wall: w, share: x, ArcLength: r.ArcLengths[e] + x*l}
				if i+1 == n {
					s.ArcLength = r.ArcLengths[e+1]
				}
				s.Radius = o.Radius(s.ArcLength)
				s.maxPenetrationPerStep = 0.5 * (s.Radius + min(thinnest, flatWallRatio*s.Radius))
				stiffness, sharing := o.Stiffness, n
				if stiffness == 0 {
					stiffness, sharing = nodeStiffness(r, e, i+1 == n), min(n, maxSharing)
				}
				s.NormalLaw = newLaw(stiffness/float64(sharing), s.Radius, o.Stiffness == 0)
				s.fullStiffness = s.Stiffness
				s.Damping = 2 * math.Sqrt(s.impactStiffness(n)*masses[e+1]/float64(n))
				if s.from, s.to = hermiteWeights(x, l); i+1 == n {
					s.from, s.to = weights{}, weights{position: 1}
				}
				s.length, s.taper = l, o.taper(e)
				if o.Walls[w].Shape.Convex() {
					s.interval = newInterval(i, n, e == 0, l, thinnest+s.Radius, o.taper(e))
				}
				all = append(all, s)
			}
		}
	}
	return all, patches
}

func (o *Options) taper(element int) float64 {
	if o.Taper == nil {
		return 0
	}
	return o.Taper(element)
}

// perElement is how many stations an element has for a wall.
func (o *Options) pointsPerElement(wall int, r *rod.Rod, element int) int {
	radius, curved := o.minRadius(r, element), o.relativeRadius(wall, r, element)
	spacing := min(math.Sqrt(8*curved*sagShare*radius), tiltLimit*curved)
	if x := r.Lengths[element] / spacing; x > 1 {
		return int(min(math.Ceil(x), maxPointsPerElement))
	}
	return 1
}

// curved is the least radius of curvature between the surface of an element and a wall, m. A rod
// that is bent without stress touches even a plane between its nodes. The stations of a convex
// wall find the place themselves.
func (o *Options) relativeRadius(wall int, r *rod.Rod, element int) float64 {
	w := &o.Walls[wall].Shape
	curved := w.MinRadius() + o.minRadius(r, element)
	if k := &r.Properties[element].Precurvature; !w.Convex() && (k.X != 0 || k.Y != 0) {
		return 1 / (1/curved + math.Hypot(k.X, k.Y))
	}
	return curved
}

// thinner is the radius of the surface at the thinner end of an element, m.
func (o *Options) minRadius(r *rod.Rod, element int) float64 {
	s := r.ArcLengths[element]
	return min(o.Radius(s), o.Radius(s+r.Lengths[element]))
}

// dip is by how much of its radius, at most, the rod may dip into walls between its stations:
// more than sag where an element would need more stations than it has. The stations of a convex
// wall stand for the rod around them.
func (o *Options) penetrationBound(r *rod.Rod) (most float64) {
	for e, l := range r.Lengths {
		for w := range o.Walls {
			if !o.Walls[w].Shape.Convex() {
				spacing := l / float64(o.pointsPerElement(w, r, e))
				most = max(most, spacing*spacing/(8*o.relativeRadius(w, r, e)*o.minRadius(r, e)))
			}
		}
	}
	return most
}

// nodeStiffness is that of contact at node e+1, or within element e.
func nodeStiffness(r *rod.Rod, e int, atNode bool) float64 {
	k := func(e int) float64 {
		p, l := &r.Properties[e].Stiffness, r.Lengths[e]
		return max(bendingFactor*12*min(p.Bend.X, p.Bend.Y)/(l*l*l), stretchFactor*p.Shear.Z/l)
	}
	if atNode && e+1 < r.Elements {
		return 0.5 * (k(e) + k(e+1))
	}
	return k(e)
}

// stiffest is the stiffness of one of n stations of an element to which damping of impacts is
// critical. A node that is alone takes all of an impact, and goes where its law has hardened.
func (s *ContactPoint) impactStiffness(n int) float64 {
	if n == 1 && s.HardeningDepth > 0 {
		return maxHardening * s.Stiffness
	}
	return s.Stiffness
}

// inside reports whether the station is between nodes.
func (s *ContactPoint) isBetweenNodes() bool { return s.from != weights{} }

// tangent is d3 in body axes.
var tangent = spatial.Vec{Z: 1}

// at returns the position of the station.
func (s *ContactPoint) position(rod *strain.State) spatial.Vec {
	b := &rod.Pose[s.Element+1]
	if !s.isBetweenNodes() {
		return b.P
	}
	from, to := hermiteNodeOf(rod, s.Element), hermiteNode{b.P, b.R.Col3()}
	return s.positionBetween(&from, &to)
}

// between returns the position of the station between nodes.
func (s *ContactPoint) positionBetween(from, to *hermiteNode) spatial.Vec {
	return interpolate(s.from, s.to, from, to)
}

// turned returns the rotation vector of the station since the beginning of the step.
func (s *ContactPoint) stepRotation(rod *strain.State) spatial.Vec {
	b := rod.StepRotation(s.Element + 1)
	if !s.isBetweenNodes() {
		return b
	}
	return rod.StepRotation(s.Element).Scale(1-s.share).AddScaled(s.share, b)
}

// wayOf returns, to first order, by how much the place of an element with those weights moves
// with increments of the nodes, which begin with node 1.
func pointDisplacement(rod *strain.State, element int, from, to weights, eta []spatial.Vec6) spatial.Vec {
	b, x := &rod.Pose[element+1], &eta[element]
	if from == (weights{}) {
		return b.R.Apply(x.Linear())
	}
	d := b.R.Apply(to.displacement(x))
	if element > 0 {
		d = d.Add(rod.Pose[element].R.Apply(from.displacement(&eta[element-1])))
	}
	return d
}

// moved returns what a body increment of the node makes of the position, in its axes.
func (w weights) displacement(x *spatial.Vec6) spatial.Vec {
	return x.Linear().Scale(w.position).AddScaled(w.tangent, x.Angular().Cross(tangent))
}
