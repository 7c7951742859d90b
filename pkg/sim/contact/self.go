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
	mostListed   = 2048
	mostTouching = 48
	// columnsEach is how many columns of the tangent a couple has that touches.
	columnsEach = 5
	// apart is the length of rod, in radii, between elements that may touch: half round a circle
	// of the radius, which no rod bends tighter than, and some more.
	apart = 1.25 * 3.14159265358979
)

// itself is a rod that may touch itself, without friction. What touches follows from the
// present shape; of the past it keeps only the forces to tell of.
//
// Elements are tested two by two. Those that are far from one another are not listed, and
// until a node has moved by half of slack none of them is near.
type itself struct {
	pieces   []piece
	arc      []float64 // of the nodes, m
	farthest []int     // by element, the last one toward the base that it may touch, as those before it may, unless they are not separate; −1: none
	rate     float64   // one over the length of the step, 1/s; 0 in a search for equilibrium
	softened float64   // what the stiffness is multiplied by
	widest   float64   // largest radius, m
	longest  float64   // longest element, m

	pool   []couple
	unused []*couple
	slots  []*couple // by slotOf, nil: not listed
	listed []*couple // in the order of slots

	nodes []frame // of the present shape
	from  []frame // of the shape in which elements were listed
	slack float64 // m
	full  bool    // there was no room for all that are near

	touching []*couple // at the last Add
	moved    []frame   // scratch: by node, a displacement and that of the tangent
	ways     []float64 // scratch: by element, the length of such a way, m
}

func newItself(r *rod.Rod, o *Options) *itself {
	n := r.Elements
	s := &itself{
		pieces: make([]piece, n), arc: r.ArcLengths, farthest: make([]int, n), softened: 1,
		slots: make([]*couple, 2*n*n), nodes: make([]frame, n+1), from: make([]frame, n+1),
		touching: make([]*couple, 0, mostTouching), moved: make([]frame, n+1), ways: make([]float64, n),
	}
	count, masses := 0, r.NodeMasses()
	for e, l := range r.Lengths {
		p := &s.pieces[e]
		p.length = l
		// a section may end at either node, so that the radius is taken within
		near, far := o.Radius(r.ArcLengths[e]+0.25*l), o.Radius(r.ArcLengths[e]+0.75*l)
		p.radius = [2]float64{1.5*near - 0.5*far, 1.5*far - 0.5*near}
		if p.stiffness = o.Stiffness; p.stiffness == 0 {
			p.stiffness = nodeStiffness(r, e, false)
		}
		p.mass = masses[e+1]
		s.widest, s.longest = max(s.widest, p.widest()), max(s.longest, l)
	}
	for a := range s.pieces {
		s.farthest[a] = -1
		for b := range max(a-1, 0) { // a thick one between thin ones hides none of these
			if s.separate(a, b) {
				s.farthest[a] = b
				count += 2
			}
		}
	}
	count = min(count, mostListed)
	s.pool, s.unused, s.listed = make([]couple, count), make([]*couple, 0, count), make([]*couple, 0, count)
	s.clear()
	return s
}

// separate reports whether there is so much rod between two elements that they may touch.
func (s *itself) separate(a, b int) bool {
	return s.arc[a]-s.arc[b+1] >= apart*max(s.pieces[a].widest(), s.pieces[b].widest())
}

// clear forgets which elements are near.
func (s *itself) clear() {
	s.listed, s.unused, s.touching = s.listed[:0], s.unused[:0], s.touching[:0]
	clear(s.slots)
	for i := range s.pool {
		s.unused = append(s.unused, &s.pool[i])
	}
	s.slack = -1
}

// alert is the distance of surfaces beyond which nothing that happens in a step matters, and
// margin that to which more elements are listed, so that the list lasts.
func (s *itself) alert() float64  { return max(s.widest, leastReach) }
func (s *itself) margin() float64 { return s.widest }

// locate finds what is near in the present shape, and how near, if it is another than at the
// last time; held are the nodes of the state.
func (s *itself) locate(rod *strain.State, held []frame) {
	same := true
	for i := range s.nodes {
		f := frameOf(rod, i)
		same = same && f == s.nodes[i]
		s.nodes[i] = f
	}
	if same && s.slack > 0 {
		return
	}
	if !(2*s.gone() < s.slack) {
		s.list(held)
	}
	for _, q := range s.listed {
		q.look(s.nodes)
	}
}

// gone is a bound on how far a point of the centre line is from where it was when elements
// were listed.
func (s *itself) gone() float64 {
	for i := range s.nodes {
		s.moved[i] = frame{s.nodes[i].p.Sub(s.from[i].p), s.nodes[i].t.Sub(s.from[i].t)}
	}
	return s.measureWays()
}

// measureWays makes ways bounds on how far the displacements take the points of the elements,
// and returns the largest.
func (s *itself) measureWays() (most float64) {
	for e := range s.pieces {
		s.ways[e] = wayBetween(&s.moved[e], &s.moved[e+1], s.pieces[e].length)
		most = max(most, s.ways[e])
	}
	return most
}

// list lists the elements that are near in the present shape, besides those that are listed.
func (s *itself) list(held []frame) {
	copy(s.from, s.nodes)
	s.slack, s.full = s.margin(), false
	s.enclose(s.nodes)
	for a, last := range s.farthest {
		for b := range last + 1 {
			if gap := s.bound(a, b); gap < s.alert()+s.margin() {
				s.full = !s.enlist(a, b, held) || s.full
			}
		}
	}
}

// enclose puts balls round the elements.
func (s *itself) enclose(nodes []frame) {
	for e := range s.pieces {
		s.pieces[e].enclose(&nodes[e], &nodes[e+1])
	}
}

// bound is a distance that the surfaces of two elements have at least.
func (s *itself) bound(a, b int) float64 {
	p, q := &s.pieces[a], &s.pieces[b]
	return p.center.Sub(q.center).Norm() - p.extent - q.extent - p.widest() - q.widest()
}

// enlist lists both couples of two elements, with their gaps in the state. It reports whether
// there is room.
func (s *itself) enlist(a, b int, held []frame) bool {
	if !s.separate(a, b) {
		return true
	}
	if s.slots[s.slotOf(a, b, 0)] != nil && s.slots[s.slotOf(a, b, 1)] != nil {
		return true
	}
	if len(s.unused) < 2 {
		return false
	}
	s.enlistHalf(a, b, 0, held)
	s.enlistHalf(a, b, 1, held)
	return true
}

// slotOf is the number of a couple.
func (s *itself) slotOf(a, b, half int) int { return 2*(a*len(s.pieces)+b) + half }

func (s *itself) enlistHalf(a, b, half int, held []frame) {
	slot := s.slotOf(a, b, half)
	if s.slots[slot] != nil {
		return
	}
	q := s.unused[len(s.unused)-1]
	s.unused = s.unused[:len(s.unused)-1]
	p, o := &s.pieces[a], &s.pieces[b]
	*q = couple{a: a, b: b, half: half, from: p, with: o, law: NormalLaw{
		Stiffness:     s.softened * min(p.stiffness, o.stiffness),
		ActivationGap: max(reach*min(p.thinnest(), o.thinnest()), leastReach),
	}}
	q.law.Damping = p.dampingWith(o)
	q.hold(held)
	q.brace(&q.law, s.rate)
	q.look(s.nodes)
	s.slots[slot] = q
	at, _ := slices.BinarySearchFunc(s.listed, slot, func(q *couple, slot int) int { return s.slotOf(q.a, q.b, q.half) - slot })
	s.listed = slices.Insert(s.listed, at, q) // within its capacity
}

// settle makes the present gaps those of the state, and takes what is far off the list.
func (s *itself) settle() {
	s.trim()
	for _, q := range s.listed {
		q.slope, q.extra = 0, 0
		q.hold(s.nodes)
		q.pressed, _ = q.force()
	}
}

// trim takes elements off the list that are so far from one another that they would not be
// listed, wherever they were then.
func (s *itself) trim() {
	kept := s.listed[:0]
	for _, q := range s.listed {
		if !q.tested && q.gap > s.alert()+2*s.margin() {
			s.slots[s.slotOf(q.a, q.b, q.half)] = nil
			s.unused = append(s.unused, q)
			continue
		}
		kept = append(kept, q)
	}
	s.listed = kept
}

// force returns the force at the present gap and how fast it grows.
func (q *couple) force() (force, slope float64) {
	if !q.tested {
		return 0, 0
	}
	return q.press(&q.law, q.gap)
}

// brace makes impacts those of a step which begins at the state.
func (s *itself) brace(rate float64) {
	s.rate = rate
	for _, q := range s.listed {
		q.brace(&q.law, rate)
	}
}

// soften makes the rod give way to itself as if its stiffness of contact were a share of what
// it is.
func (s *itself) soften(share float64) {
	s.softened = share
	for _, q := range s.listed {
		q.law.Stiffness = share * min(q.from.stiffness, q.with.stiffness)
	}
}

// hit reports whether the present iterate brings elements together that were apart.
func (s *itself) hit() bool {
	for _, q := range s.listed {
		if q.tested && q.gap < q.law.ActivationGap && q.heldGap-q.gap > 0.1*q.law.ActivationGap+leastReach && q.heldGap >= q.law.ActivationGap {
			return true
		}
	}
	return false
}

// arcLengths are those of the two places where a couple touches, m.
func (s *itself) arcLengths(q *couple) [2]float64 {
	return [2]float64{
		s.arc[q.a] + q.on[0].share*q.from.length,
		s.arc[q.b] + q.on[1].share*q.with.length,
	}
}

// wayBetween is a bound on how far displacements of its nodes take the points of an element.
func wayBetween(from, to *frame, length float64) float64 {
	return max(from.p.Norm(), to.p.Norm()) + bulgeOf(from, to, length)
}

// bulgeOf is a bound on what the tangents add to the way of a point.
func bulgeOf(from, to *frame, length float64) float64 {
	return 0.25 * length * max(from.t.Norm(), to.t.Norm())
}

// displaced makes moved what increments of the nodes, which begin with node 1, do to them.
func (s *itself) displaced(rod *strain.State, eta []spatial.Vec6) {
	s.moved[0] = frame{}
	for i := range eta {
		r := &rod.Pose[i+1].R
		s.moved[i+1] = frame{r.Apply(eta[i].Linear()), r.Apply(eta[i].Angular().Cross(tangent))}
	}
}
