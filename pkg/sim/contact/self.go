package contact

import (
	"slices"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// SelfName is the name of the rod as the partner of self-contact in messages and pictures.
const SelfName = "self"

const (
	// maxListed bounds the listed element pairs, and maxActivePairs those in contact.
	maxListed      = 2048
	maxActivePairs = 48
	// columnsPerPair is the largest number of tangent columns of a pair in contact.
	columnsPerPair = 5
	// MinSeparation is the least length of rod between two elements in contact, over the radius:
	// half a circle of one radius, which is a bound of the bending of a rod, plus a quarter of
	// that.
	MinSeparation = 1.25 * 3.14159265358979
)

// selfContact is the contact of a rod with itself, without friction. It depends on the present
// shape alone; of the past it keeps only the forces, for reports.
//
// It lists pairs of elements that are near each other. A pair that is not listed cannot touch until
// a node has moved by half of travelLimit since the list was built.
type selfContact struct {
	segments       []Segment
	arcLengths     []float64 // arc lengths of the nodes at rest, m
	lastPartner    []int     // by element: the last element, counted from the base, that it may touch; pairs before that are checked with mayTouch; −1: none
	stepRate       float64   // 1/dt of the step, 1/s; 0 in statics
	stiffnessScale float64   // factor of the stiffness; see Contacts.ScaleStiffness
	maxRadius      float64   // largest radius, m
	maxLength      float64   // length of the longest element, m

	pool   []ElementPair
	unused []*ElementPair
	slots  []*ElementPair // by slotOf; nil: not listed
	listed []*ElementPair // by increasing slot

	nodes       []HermiteNode // nodes at the present shape
	listNodes   []HermiteNode // nodes at the shape for which the list was built
	travelLimit float64       // m
	overflow    bool          // there was no room for all pairs that are near

	active        []*ElementPair // pairs in contact at the last Assemble
	displacements []HermiteNode  // scratch: displacements of the nodes and of their tangents
	travel        []float64      // scratch: by element, a bound of its displacement, m
}

func newSelfContact(r *rod.Rod, o *Options) *selfContact {
	n := r.Elements
	s := &selfContact{
		segments: make([]Segment, n), arcLengths: r.ArcLengths, lastPartner: make([]int, n), stiffnessScale: 1,
		slots: make([]*ElementPair, 2*n*n), nodes: make([]HermiteNode, n+1), listNodes: make([]HermiteNode, n+1),
		active: make([]*ElementPair, 0, maxActivePairs), displacements: make([]HermiteNode, n+1), travel: make([]float64, n),
	}
	count, masses := 0, r.NodeMasses()
	for e, l := range r.Lengths {
		p := &s.segments[e]
		p.length = l
		// the radius may jump at either node, where two sections meet, so it is taken inside the
		// element
		near, far := o.Radius(r.ArcLengths[e]+0.25*l), o.Radius(r.ArcLengths[e]+0.75*l)
		p.radius = [2]float64{1.5*near - 0.5*far, 1.5*far - 0.5*near}
		if p.stiffness = o.Stiffness; p.stiffness == 0 {
			p.stiffness = NodeStiffness(r, e, false)
		}
		p.mass = masses[e+1]
		s.maxRadius, s.maxLength = max(s.maxRadius, p.maxRadius()), max(s.maxLength, l)
	}
	for a := range s.segments {
		s.lastPartner[a] = -1
		for b := range max(a-1, 0) { // check all of them: a thick element may lie between thin ones
			if s.mayTouch(a, b) {
				s.lastPartner[a] = b
				count += 2
			}
		}
	}
	count = min(count, maxListed)
	s.pool, s.unused, s.listed = make([]ElementPair, count), make([]*ElementPair, 0, count), make([]*ElementPair, 0, count)
	s.reset()
	return s
}

// mayTouch reports whether enough rod lies between elements a and b for a contact.
func (s *selfContact) mayTouch(a, b int) bool {
	return s.arcLengths[a]-s.arcLengths[b+1] >= MinSeparation*max(s.segments[a].maxRadius(), s.segments[b].maxRadius())
}

// reset empties the list.
func (s *selfContact) reset() {
	s.listed, s.unused, s.active = s.listed[:0], s.unused[:0], s.active[:0]
	clear(s.slots)
	for i := range s.pool {
		s.unused = append(s.unused, &s.pool[i])
	}
	s.travelLimit = -1
}

// alarmDistance is the distance of surfaces above which two elements cannot touch within a step, m,
// and listMargin the distance beyond it up to which pairs are listed, so that the list stays valid.
func (s *selfContact) alarmDistance() float64 { return s.maxRadius }
func (s *selfContact) listMargin() float64    { return s.maxRadius }

// update lists the pairs that are near at the present shape and computes their gaps, if the shape
// has changed. prevNodes are the nodes of the state.
func (s *selfContact) update(rod *strain.State, prevNodes []HermiteNode) {
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
		s.rebuildList(prevNodes)
	}
	for _, q := range s.listed {
		q.update(s.nodes)
	}
}

// travelSinceList returns a bound of the displacement of the centre line since the list was built,
// m.
func (s *selfContact) travelSinceList() float64 {
	for i := range s.nodes {
		s.displacements[i] = HermiteNode{s.nodes[i].p.Sub(s.listNodes[i].p), s.nodes[i].t.Sub(s.listNodes[i].t)}
	}
	return s.updateTravel()
}

// updateTravel computes travel from displacements and returns its largest value, m.
func (s *selfContact) updateTravel() (most float64) {
	for e := range s.segments {
		s.travel[e] = segmentTravel(&s.displacements[e], &s.displacements[e+1], s.segments[e].length)
		most = max(most, s.travel[e])
	}
	return most
}

// rebuildList adds the pairs that are near at the present shape to the list.
func (s *selfContact) rebuildList(prevNodes []HermiteNode) {
	copy(s.listNodes, s.nodes)
	s.travelLimit, s.overflow = s.listMargin(), false
	s.updateBoundingSpheres(s.nodes)
	for a, last := range s.lastPartner {
		for b := range last + 1 {
			if gap := s.distanceBound(a, b); gap < s.alarmDistance()+s.listMargin() {
				s.overflow = !s.listPair(a, b, prevNodes) || s.overflow
			}
		}
	}
}

// updateBoundingSpheres computes the bounding spheres of all elements.
func (s *selfContact) updateBoundingSpheres(nodes []HermiteNode) {
	for e := range s.segments {
		s.segments[e].updateBoundingSphere(&nodes[e], &nodes[e+1])
	}
}

// distanceBound returns a lower bound of the distance of the surfaces of two elements, m.
func (s *selfContact) distanceBound(a, b int) float64 {
	p, q := &s.segments[a], &s.segments[b]
	return p.center.Sub(q.center).Norm() - p.boundingRadius - q.boundingRadius - p.maxRadius() - q.maxRadius()
}

// listPair lists both pairs of the elements a and b, with their gaps in the state. It reports
// whether there is room.
func (s *selfContact) listPair(a, b int, prevNodes []HermiteNode) bool {
	if !s.mayTouch(a, b) {
		return true
	}
	if s.slots[s.slotOf(a, b, 0)] != nil && s.slots[s.slotOf(a, b, 1)] != nil {
		return true
	}
	if len(s.unused) < 2 {
		return false
	}
	s.listHalfPair(a, b, 0, prevNodes)
	s.listHalfPair(a, b, 1, prevNodes)
	return true
}

// slotOf returns the index of a pair in slots.
func (s *selfContact) slotOf(a, b, half int) int { return 2*(a*len(s.segments)+b) + half }

func (s *selfContact) listHalfPair(a, b, half int, prevNodes []HermiteNode) {
	slot := s.slotOf(a, b, half)
	if s.slots[slot] != nil {
		return
	}
	q := s.unused[len(s.unused)-1]
	s.unused = s.unused[:len(s.unused)-1]
	p, o := &s.segments[a], &s.segments[b]
	*q = ElementPair{a: a, b: b, half: half, segmentA: p, segmentB: o, law: NormalLaw{
		Stiffness:     s.stiffnessScale * min(p.stiffness, o.stiffness),
		ActivationGap: activationShare * min(p.minRadius(), o.minRadius()),
	}}
	q.law.Damping = p.criticalDamping(o)
	q.commit(prevNodes)
	q.setImpactDamping(&q.law, s.stepRate)
	q.update(s.nodes)
	s.slots[slot] = q
	at, _ := slices.BinarySearchFunc(s.listed, slot, func(q *ElementPair, slot int) int { return s.slotOf(q.a, q.b, q.half) - slot })
	s.listed = slices.Insert(s.listed, at, q) // within its capacity
}

// commit makes the present gaps those of the state and removes pairs that are far apart from the
// list.
func (s *selfContact) commit() {
	s.removeFar()
	for _, q := range s.listed {
		q.tangentStiffness, q.correctionForce = 0, 0
		q.commit(s.nodes)
		q.normalForce, _ = q.force()
	}
}

// removeFar removes the pairs from the list that would not be listed at any shape within
// travelLimit.
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

// force returns the normal force at the present gap, N, and its slope, N/m.
func (q *ElementPair) force() (force, slope float64) {
	if !q.resolved {
		return 0, 0
	}
	return q.ForceAt(&q.law, q.gap)
}

// setImpactDamping sets the damping for a step of length 1/rate; rate 0 means statics.
func (s *selfContact) setImpactDamping(rate float64) {
	s.stepRate = rate
	for _, q := range s.listed {
		q.setImpactDamping(&q.law, rate)
	}
}

// scaleStiffness sets the stiffness to share times its full value.
func (s *selfContact) scaleStiffness(share float64) {
	s.stiffnessScale = share
	for _, q := range s.listed {
		q.law.Stiffness = share * min(q.segmentA.stiffness, q.segmentB.stiffness)
	}
}

// hasImpact reports whether elements touch at the present iterate that were apart in the state.
func (s *selfContact) hasImpact() bool {
	for _, q := range s.listed {
		if q.resolved && q.law.IsImpact(q.prevGap, q.gap) {
			return true
		}
	}
	return false
}

// contactArcLengths returns the arc lengths of the two points of a pair, at rest, m.
func (s *selfContact) contactArcLengths(q *ElementPair) [2]float64 {
	return [2]float64{
		s.arcLengths[q.a] + q.points[0].share*q.segmentA.length,
		s.arcLengths[q.b] + q.points[1].share*q.segmentB.length,
	}
}

// segmentTravel returns a bound of the displacement of all points of an element whose nodes have
// the displacements from and to, m.
func segmentTravel(from, to *HermiteNode, length float64) float64 {
	return max(from.p.Norm(), to.p.Norm()) + tangentTravel(from, to, length)
}

// tangentTravel returns a bound of the part of the tangents in that displacement, m.
func tangentTravel(from, to *HermiteNode, length float64) float64 {
	return 0.25 * length * max(from.t.Norm(), to.t.Norm())
}

// setDisplacements computes the displacements of the nodes and tangents under the body increments
// eta, node 1 first.
func (s *selfContact) setDisplacements(rod *strain.State, eta []spatial.Vec6) {
	s.displacements[0] = HermiteNode{}
	for i := range eta {
		r := &rod.Pose[i+1].R
		s.displacements[i+1] = HermiteNode{r.Apply(eta[i].Linear()), r.Apply(eta[i].Angular().Cross(tangent))}
	}
}
