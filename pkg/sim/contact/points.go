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
	Friction float64 // Coulomb coefficient
}

// ContactPoint is a material point of the rod at which contact with one wall is tested. It lies
// between node Element and the next one, or at the next one. Its position is that of the cubic
// Hermite interpolation of the positions and tangents of the two nodes. For an element of constant
// curvature κ and length l that deviates from the arc by at most κ³ l⁴/384, and for elements of
// order 4 by terms of the same order; its derivatives are exact.
//
// That of a rim is the point of its element that was closest to the rim at the start of the step.
type ContactPoint struct {
	Element   int
	Wall      int     // index in Contacts.Walls
	ArcLength float64 // at rest, m
	Radius    float64 // of the surface of the rod, m
	NormalLaw
	interval
	surface int        // index in Contacts.surfaces
	rim     *shape.Rim // nil: a point of a wall
	// of a rim: arc length (m) and radius (m) where the element begins
	firstArcLength, firstRadius float64

	fullStiffness float64 // stiffness when ScaleStiffness is 1, N/m
	// staticOffset lowers the activation gap of the wall, m: gaps of wallContact exceed those of
	// the surfaces by it. See baseContact.
	staticOffset          float64
	maxPenetrationPerStep float64 // largest penetration that one step may add, m
	share                 float64 // share of the element between its first node and the point, from 0 to 1
	from                  weights // of the node at the beginning of the element
	to                    weights // of the node at its end
}

// weights are the factors of a node's position (1) and unit tangent (m) in the interpolated
// position.
type weights struct{ position, tangent float64 }

const (
	// sagShare is the penetration that is allowed between two contact points beside a concave wall, over
	// the radius.
	sagShare = 0.005
	// tiltLimit is the largest distance of a contact point from the point of the rod closest to the
	// wall, over the relative radius of curvature. Half of it is the angle (rad) between force and
	// normal of the rod that this allows.
	tiltLimit = 0.05
	// maxPointsPerElement bounds the contact points of an element and wall.
	// Contacts.PenetrationBound is the penetration between them that results.
	maxPointsPerElement = 16
	// bendingFactor is the stiffness of contact at a node over 12 EI/l³ of its elements: contact
	// then adds 1e-6 to the compliance of a rod of 20 elements. stretchFactor is that over EA/l,
	// which counts for a thin rod that is pulled over a wall: its penetration stays below a
	// hundredth of the radius.
	bendingFactor, stretchFactor = 25, 8
	// MaxSharing bounds how many contact points share the stiffness of a node. An element has more
	// of them only at a wall of large curvature, which few of them touch.
	MaxSharing = 4
	// flatWallRatio is the wall radius over the rod's radius above which maxPenetrationPerStep no
	// longer grows.
	flatWallRatio = 10
)

// Options describe the environment of a rod.
type Options struct {
	Walls []Wall
	// Radius returns the radius of the surface of the rod at an arc length (m), m.
	Radius func(s float64) float64
	// Taper returns the change of that radius over an element, m. It differs from the differences
	// of Radius where the radius jumps between two sections. nil means 0.
	Taper func(element int) float64
	// Stiffness is the stiffness of contact at a node, N/m, which the contact points of an element
	// share. With 0 it derives from the stiffness of the rod, and the law hardens.
	Stiffness   float64
	Gravity     float64 // magnitude of gravity, m/s²; it gives the weight of the rod on a wall near the base
	SelfContact bool    // contact of the rod with itself is on
}

// newPoints lists the contact points of a rod, by element from base to tip and, within an element,
// by wall, then those of rims, by rim and element, and the patches that group them. The surfaces are
// those of newSurfaces.
func newPoints(r *rod.Rod, o *Options, surfaces []surface) (all []ContactPoint, patches []patch) {
	masses := r.NodeMasses()
	for e, l := range r.Lengths {
		for w := range o.Walls {
			thinnest := o.Walls[w].Shape.MinRadius()
			n := o.pointsPerElement(w, r, e)
			p := patch{element: e, surface: w, first: len(all), last: len(all) + n, tangentFactor: l / 4}
			if n == 1 && !o.Walls[w].Shape.Convex() {
				p.tangentFactor = 0
			}
			patches = append(patches, p)
			for i := range n {
				x := float64(i+1) / float64(n)
				s := ContactPoint{Element: e, Wall: w, surface: w, share: x, ArcLength: r.ArcLengths[e] + x*l}
				if i+1 == n {
					s.ArcLength = r.ArcLengths[e+1]
				}
				s.Radius = o.Radius(s.ArcLength)
				s.maxPenetrationPerStep = 0.5 * (s.Radius + min(thinnest, flatWallRatio*s.Radius))
				stiffness, sharing := o.Stiffness, n
				if stiffness == 0 {
					stiffness, sharing = NodeStiffness(r, e, i+1 == n), min(n, MaxSharing)
				}
				s.NormalLaw = NewNormalLaw(stiffness/float64(sharing), s.Radius, o.Stiffness == 0)
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
	for i := len(o.Walls); i < len(surfaces); i++ {
		for e, l := range r.Lengths {
			if s := o.newRimPoint(r, e, &surfaces[i], masses[e+1]); s.fitsOpening() {
				s.surface = i
				patches = append(patches, patch{element: e, surface: i, first: len(all), last: len(all) + 1, tangentFactor: l / 4})
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

// pointsPerElement returns the number of contact points of an element for a wall.
func (o *Options) pointsPerElement(wall int, r *rod.Rod, element int) int {
	return PointsPerElement(r.Lengths[element], o.minRadius(r, element), o.relativeRadius(wall, r, element), o.Walls[wall].Shape.Convex())
}

// PointsPerElement returns the number of contact points of an element of the given length and radius (m) on a
// wall with which it has the given relative radius of curvature, m.
func PointsPerElement(length, radius, curved float64, isConvex bool) int {
	spacing := tiltLimit * curved
	if !isConvex {
		spacing = min(spacing, math.Sqrt(8*curved*sagShare*radius))
	}
	if x := length / spacing; x > 1 {
		return int(min(math.Ceil(x), maxPointsPerElement))
	}
	return 1
}

// relativeRadius returns the least relative radius of curvature of the surface of an element and a
// wall, m: 1/(1/R₁ + 1/R₂). A precurved rod touches even a plane between its nodes. Contact points
// of a convex wall find the closest point themselves, so precurvature does not count there.
func (o *Options) relativeRadius(wall int, r *rod.Rod, element int) float64 {
	w := &o.Walls[wall].Shape
	curved := w.MinRadius() + o.minRadius(r, element)
	if k := &r.Properties[element].Precurvature; !w.Convex() && (k.X != 0 || k.Y != 0) {
		return 1 / (1/curved + math.Hypot(k.X, k.Y))
	}
	return curved
}

// minRadius returns the radius of the surface at the thinner end of an element, m.
func (o *Options) minRadius(r *rod.Rod, element int) float64 {
	s := r.ArcLengths[element]
	return min(o.Radius(s), o.Radius(s+r.Lengths[element]))
}

// penetrationBound returns a bound of the penetration into walls between contact points, over the
// radius. It exceeds sagShare where an element would need more than maxPointsPerElement. Convex
// walls have no such error, since contact points cover intervals there.
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

// NodeStiffness returns the stiffness of contact at node e+1, or within element e, N/m.
func NodeStiffness(r *rod.Rod, e int, atNode bool) float64 {
	k := func(e int) float64 {
		p, l := &r.Properties[e].Stiffness, r.Lengths[e]
		return max(bendingFactor*12*min(p.Bend.X, p.Bend.Y)/(l*l*l), stretchFactor*p.Shear.Z/l)
	}
	if atNode && e+1 < r.Elements {
		return 0.5 * (k(e) + k(e+1))
	}
	return k(e)
}

// impactStiffness returns the stiffness for which impact damping is critical, N/m, of one of the n
// contact points of an element. A single one takes the whole impact and reaches the hardened range
// of its law.
func (s *ContactPoint) impactStiffness(n int) float64 {
	if n == 1 && s.HardeningDepth > 0 {
		return maxHardening * s.Stiffness
	}
	return s.Stiffness
}

// isBetweenNodes reports whether the contact point is not at a node.
func (s *ContactPoint) isBetweenNodes() bool { return s.from != weights{} }

// tangent is d3 in body axes.
var tangent = spatial.Vec{Z: 1}

// position returns the position of the contact point, world, m.
func (s *ContactPoint) position(rod *strain.State) spatial.Vec {
	b := &rod.Pose[s.Element+1]
	if !s.isBetweenNodes() {
		return b.P
	}
	from, to := hermiteNodeOf(rod, s.Element), HermiteNode{b.P, b.R.Col3()}
	return s.positionBetween(&from, &to)
}

// positionBetween returns the position of the contact point between two nodes, world, m.
func (s *ContactPoint) positionBetween(from, to *HermiteNode) spatial.Vec {
	return interpolate(s.from, s.to, from, to)
}

// stepRotation returns the rotation vector of the contact point since the start of the step, world
// axes, rad.
func (s *ContactPoint) stepRotation(rod *strain.State) spatial.Vec {
	b := rod.StepRotation(s.Element + 1)
	if !s.isBetweenNodes() {
		return b
	}
	return rod.StepRotation(s.Element).Scale(1-s.share).AddScaled(s.share, b)
}

// pointDisplacement returns, to first order, the displacement (world, m) of the point of an element
// with the given weights under the body increments eta of the nodes, node 1 first.
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

// displacement returns the displacement that a body increment x of the node gives the position, in
// the node's body axes, m.
func (w weights) displacement(x *spatial.Vec6) spatial.Vec {
	return x.Linear().Scale(w.position).AddScaled(w.tangent, x.Angular().Cross(tangent))
}
