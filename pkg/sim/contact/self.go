package contact

import (
	"slices"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// SelfName is what messages and pictures call the rod where it touches itself.
const SelfName = "self"

const (
	// mostListed bounds the couples that are near one another at a time, and mostTouching those
	// that touch.
	maxListed      = 2048
	maxActivePairs = 48
	// columnsEach is how many columns of the tangent a couple has that touches.
	columnsPerPair = 5
	// apart is the length of rod, in radii, between elements that may touch: half round a circle
	// of the radius, which no rod bends tighter than, and some more.
	minSeparation = 1.25 * 3.14159265358979
)

// itself is a rod that may touch itself, without friction. What touches follows from the
// present shape; of the past it keeps only the forces to tell of.
//
// Elements are tested two by two. Those that are far from one another are not listed, and
// until a node has moved by half of slack none of them is near.
type selfContact struct {
	segments       []segment
	arcLengths     []float64 // of the nodes, m
	lastPartner    []int     // by element, the last one toward the base that it may touch, as those before it may, unless they are not separate; −1: none
	stepRate       float64   // one over the length of the step, 1/s; 0 in a search for equilibrium
	stiffnessScale float64   // what the stiffness is multiplied by
	maxRadius      float64   // largest radius, m
	maxLength      float64   // longest element, m

	pool   []elementPair
	unused []*elementPair
	slots  []*elementPair // by slotOf, nil: not listed
	listed []*elementPair // in the order of slots

	nodes       []hermiteNode // of the present shape
	listNodes   []hermiteNode // of the shape in which elements were listed
	travelLimit float64       // m
	overflow    bool          // there was no room for all that are near

	active        []*elementPair // at the last Add
	displacements []hermiteNode  // scratch: by node, a displacement and that of the tangent
	travel        []float64      // scratch: by element, the length of such a way, m
}

func newSelfContact(r *rod.Rod, o *Options) *selfContact {
	n := r.Elements
	s := &selfContact{
		segments: make([]segment, n), arcLengths: r.ArcLengths, lastPartner: make([]int, n), stiffnessScale: 1,
		slots: make([]*elementPair, 2*n*n), nodes: make([]hermiteNode, n+1), listNodes: make([]hermiteNode, n+1),
		active: make([]*elementPair, 0, maxActivePairs), displacements: make([]hermiteNode, n+1), travel: make([]float64, n),
	}
	count, masses := 0, r.NodeMasses()
	for e, l := range r.Lengths {
		p := &s.segments[e]
		p.length = l
		// a section may end at either node, so that the radius is taken within
		near, far := o.Radius(r.ArcLengths[e]+0.25*l), o.Radius(r.ArcLengths[e]+0.75*l)
		p.radius = [2]float64{1.5*near - 0.5*far, 1.5*far - 0.5*near}
		if p.stiffness = o.Stiffness; p.stiffness == 0 {
			p.stiffness = nodeStiffness(r, e, false)
		}
		p.mass = masses[e+1]
		s.maxRadius, s.maxLength = max(s.maxRadius, p.maxRadius()), max(s.maxLength, l)
	}
	for a := range s.segments {
		s.lastPartner[a] = -1
		for b := range max(a-1, 0) { // a thick one between thin ones hides none of these
			if s.mayTouch(a, b) {
				s.lastPartner[a] = b
				count += 2
			}
		}
	}
	count = min(count, maxListed)
	s.pool, s.unused, s.listed = make([]elementPair, count), make([]*elementPair, 0, count), make([]*elementPair, 0, count)
	s.reset()
	return s
}

// separate reports whether there is so much rod between two elements that they may touch.
func (s *selfContact) mayTouch(a, b int) bool {
	return s.arcLengths[a]-s.arcLengths[b+1] >= minSeparation*max(s.segments[a].maxRadius(), s.segments[b].maxRadius())
}

// clear forgets which elements are near.
func (s *selfContact) reset() {
	s.listed, s.unused, s.active = s.listed[:0], s.unused[:0], s.active[:0]
	clear(s.slots)
	for i := range s.pool {
		s.unused = append(s.unused, &s.pool[i])
	}
	s.travelLimit = -1
}

// alert is the distance of surfaces beyond which nothing that happens in a step matters, and
// margin that to which more elements are listed, so that the list lasts.
func (s *selfContact) alarmDistance() float64 { return max(s.maxRadius, minActivationGap) }
func (s *selfContact) listMargin() float64    { return s.maxRadius }

// locate finds what is near in the present shape, and how near, if it is another than at the
// last time; held are the nodes of the state.
func (s *selfContact) update(rod *strain.State, held []hermiteNode) {
	same := true
	for i := range s.nodes {
		f := hermiteNodeOf(rod, i)
		same = same && f == s.nodes[i]
		s.nodes[i] = f
	}
	if same && s.travelLimit > 0 {
		return
	}
	if !(2*s.travelSinceList() < s.travelLimit) {
		s.rebuildList(held)
	}
	for _, q := range s.listed {
		q.update(s.nodes)
	}
}

// gone is a bound on how far a point of the centre line is from where it was when elements
// were listed.
func (s *selfContact) travelSinceList() float64 {
	for i := range s.nodes {
		s.displacements[i] = hermiteNode{s.nodes[i].p.Sub(s.listNodes[i].p), s.nodes[i].t.Sub(s.listNodes[i].t)}
	}
	return s.updateTravel()
}

// measureWays makes ways bounds on how far the displacements take the points of the elements,
// and returns the largest.
func (s *selfContact) updateTravel() (most float64) {
	for e := range s.segments {
		s.travel[e] = segmentTravel(&s.displacements[e], &s.displacements[e+1], s.segments[e].length)
		most = max(most, s.travel[e])
	}
	return most
}

// list lists the elements that are near in the present shape, besides those that are listed.
func (s *selfContact) rebuildList(held []hermiteNode) {
	copy(s.listNodes, s.nodes)
	s.travelLimit, s.overflow = s.listMargin(), false
	s.updateBoundingSpheres(s.nodes)
	for a, last := range s.lastPartner {
		for b := range last + 1 {
			if gap := s.distanceBound(a, b); gap < s.alarmDistance()+s.listMargin() {
				s.overflow = !s.listPair(a, b, held) || s.overflow
			}
		}
	}
}

// enclose puts balls round the elements.
func (s *selfContact) updateBoundingSpheres(nodes []hermiteNode) {
	for e := range s.segments {
		s.segments[e].updateBoundingSphere(&nodes[e], &nodes[e+1])
	}
}

// bound is a distance that the surfaces of two elements have at least.
func (s *selfContact) distanceBound(a, b int) float64 {
	p, q := &s.segments[a], &s.segments[b]
	return p.center.Sub(q.center).Norm() - p.boundingRadius - q.boundingRadius - p.maxRadius() - q.maxRadius()
}

// enlist lists both couples of two elements, with their gaps in the state. It reports whether
// there is room.
func (s *selfContact) listPair(a, b int, held []hermiteNode) bool {
	if !s.mayTouch(a, b) {
		return true
	}
	if s.slots[s.slotOf(a, b, 0)] != nil && s.slots[s.slotOf(a, b, 1)] != nil {
		return true
	}
	if len(s.unused) < 2 {
		return false
	}
	s.listHalfPair(a, b, 0, held)
	s.listHalfPair(a, b, 1, held)
	return true
}

// slotOf is the number of a couple.
func (s *selfContact) slotOf(a, b, half int) int { return 2*(a*len(s.segments)+b) + half }

func (s *selfContact) listHalfPair(a, b, half int, held []hermiteNode) {
	slot := s.slotOf(a, b, half)
	if s.slots[slot] != nil {
		return
	}
	q := s.unused[len(s.unused)-1]
	s.unused = s.unused[:len(s.unused)-1]
	p, o := &s.segments[a], &s.segments[b]
	*q = elementPair{a: a, b: b, half: half, segmentA: p, segmentB: o, law: NormalLaw{
		Stiffness:     s.stiffnessScale * min(p.stiffness, o.stiffness),
		ActivationGap: max(activationShare*min(p.minRadius(), o.minRadius()), minActivationGap),
	}}
	q.law.Damping = p.criticalDamping(o)
	q.commit(held)
	q.setImpactDamping(&q.law, s.stepRate)
	q.update(s.nodes)
	s.slots[slot] = q
	at, _ := slices.BinarySearchFunc(s.listed, slot, func(q *elementPair, slot int) int { return s.slotOf(q.a, q.b, q.half) - slot })
	s.listed = slices.Insert(s.listed, at, q) // within its capacity
}

// settle makes the present gaps those of the state, and takes what is far off the list.
func (s *selfContact) commit() {
	s.removeFar()
	for _, q := range s.listed {
		q.tangentStiffness, q.correctionForce = 0, 0
		q.commit(s.nodes)
		q.normalForce, _ = q.force()
	}
}

// trim takes elements off the list that are so far from one another that they would not be
// listed, wherever they were then.
func (s *selfContact) removeFar() {
	kept := s.listed[:0]
	for _, q := range s.listed {
		if !q.resolved && q.gap > s.alarmDistance()+2*s.listMargin() {
			s.slots[s.slotOf(q.a, q.b, q.half)] = nil
			s.unused = append(s.unused, q)
			continue
		}
		kept = append(kept, q)
	}
	s.listed = kept
}

// force returns the force at the present gap and how fast it grows.
func (q *elementPair) force() (force, slope float64) {
	if !q.resolved {
		return 0, 0
	}
	return q.forceAt(&q.law, q.gap)
}

// brace makes impacts those of a step which begins at the state.
func (s *selfContact) setImpactDamping(rate float64) {
	s.stepRate = rate
	for _, q := range s.listed {
		q.setImpactDamping(&q.law, rate)
	}
}

// soften makes the rod give way to itself as if its stiffness of contact were a share of what
// it is.
func (s *selfContact) scaleStiffness(share float64) {
	s.stiffnessScale = share
	for _, q := range s.listed {
		q.law.Stiffness = share * min(q.segmentA.stiffness, q.segmentB.stiffness)
	}
}

// hit reports whether the present iterate brings elements together that were apart.
func (s *selfContact) hasImpact() bool {
	for _, q := range s.listed {
		if q.resolved && q.gap < q.law.ActivationGap && q.prevGap-q.gap > 0.1*q.law.ActivationGap+minActivationGap && q.prevGap >= q.law.ActivationGap {
			return true
		}
	}
	return false
}

// arcLengths are those of the two places where a couple touches, m.
func (s *selfContact) contactArcLengths(q *elementPair) [2]float64 {
	return [2]float64{
		s.arcLengths[q.a] + q.points[0].share*q.segmentA.length,
		s.arcLengths[q.b] + q.points[1].share*q.segmentB.length,
	}
}

// wayBetween is a bound on how far displacements of its nodes take the points of an element.
func segmentTravel(from, to *hermiteNode, length float64) float64 {
	return max(from.p.Norm(), to.p.Norm()) + tangentTravel(from, to, length)
}

// bulgeOf is a bound on what the tangents add to the way of a point.
func tangentTravel(from, to *hermiteNode, length float64) float64 {
	return 0.25 * length * max(from.t.Norm(), to.t.Norm())
}

// displaced makes moved what increments of the nodes, which begin with node 1, do to them.
func (s *selfContact) setDisplacements(rod *strain.State, eta []spatial.Vec6) {
	s.displacements[0] = hermiteNode{}
	for i := range eta {
		r := &rod.Pose[i+1].R
		s.displacements[i+1] = hermiteNode{r.Apply(eta[i].Linear()), r.Apply(eta[i].Angular().Cross(tangent))}
	}
}
