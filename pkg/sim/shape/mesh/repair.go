package mesh

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Tolerances of the repair of open edges.
const (
	gapOfBox  = 1e-5 // corners of open edges nearer than this part of the box are one
	onEdge    = 1e-3 // a corner nearer to an open edge than this part of its length is on it
	maxPasses = 4    // of the repair of open edges
)

// repair makes a surface without flaws of the triangles where it is certain what they mean, and
// sets neighbours. Its error joins all flaws that are left.
func (s *surface) repair(f *STL, inside bool) ([]loop, error) {
	s.dropDegenerate()
	s.dropDouble()
	for range maxPasses {
		open := s.openEdges()
		if len(open) == 0 || !s.closeGaps(open) && !s.divideAtCorners(open) {
			break
		}
		s.dropDegenerate()
		s.dropDouble()
	}
	if len(s.triangles) == 0 {
		return nil, errors.New("mesh: all triangles are degenerate or double: there is no surface; export the mesh again, in finer digits")
	}
	twisted := s.orient(f)
	left := s.connect()
	s.splitPoints()
	loops := s.openLoops()
	if err := errors.Join(twisted, s.nonManifold(f, left), s.checkLoops(f, loops, inside)); err != nil {
		if len(s.findings) > 0 {
			err = fmt.Errorf("%w\nmesh: repaired without that: %s", err, Describe(f, s.findings))
		}
		return nil, err
	}
	if s.turnBodies(loops) {
		s.connect()
		loops = s.openLoops()
	}
	return loops, nil
}

// splitPoints gives each sheet of triangles that meets others in a corner, or along an edge of more
// than two triangles, a corner of its own, so that normals there are those of one sheet.
func (s *surface) splitPoints() {
	sheets := newUnionFind(3 * len(s.triangles)) // of corners of triangles
	corner := func(triangle int, point int32) int {
		return 3*triangle + slices.Index(s.triangles[triangle][:], point)
	}
	for i := range s.triangles {
		for k, other := range s.neighbours[i] {
			if other < 0 {
				continue
			}
			for _, p := range [2]int32{s.triangles[i][k], s.triangles[i][next[k]]} {
				sheets.join(corner(i, p), corner(int(other), p))
			}
		}
	}
	of := make([]int32, len(s.points)) // 1 + the sheet of a point
	copies := map[int32]int32{}        // points of further sheets
	for i := range s.triangles {
		for k, p := range s.triangles[i] {
			sheet := int32(sheets.root(3*i + k))
			switch q, known := copies[sheet]; {
			case known:
				s.triangles[i][k] = q
			case of[p] == 0 || of[p] == 1+sheet:
				of[p] = 1 + sheet
			default:
				s.found(i, "corner where sheets of the surface touch is split", "corners where sheets of the surface touch are split")
				copies[sheet] = int32(len(s.points))
				s.triangles[i][k] = copies[sheet]
				s.points = append(s.points, s.points[p])
			}
		}
	}
}

// keepIf drops the triangles for which keep is false.
func (s *surface) keepIf(keep []bool) {
	n := 0
	for i, k := range keep {
		if k {
			s.triangles[n], s.source[n] = s.triangles[i], s.source[i]
			n++
		}
	}
	s.triangles, s.source = s.triangles[:n], s.source[:n]
}

// dropDegenerate drops triangles without a width. divideAtCorners closes what that leaves open.
func (s *surface) dropDegenerate() {
	keep := make([]bool, len(s.triangles))
	for i := range s.triangles {
		a, b, c := s.corners(i)
		longest := max(b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2())
		keep[i] = b.Sub(a).Cross(c.Sub(a)).Norm() > leastWidth*longest
		if !keep[i] {
			s.found(i, "degenerate triangle is dropped", "degenerate triangles are dropped")
		}
	}
	s.keepIf(keep)
}

// sorted returns the corners of triangle i in ascending order, and whether they are an even
// permutation of those.
func (s *surface) sorted(i int) (corners [3]int32, even bool) {
	t := s.triangles[i]
	k := 0
	for m := range t {
		if t[m] < t[k] {
			k = m
		}
	}
	a, b, c := t[k], t[next[k]], t[next[next[k]]]
	if b < c {
		return [3]int32{a, b, c}, true
	}
	return [3]int32{a, c, b}, false
}

// dropDouble drops triangles that repeat another one, and both of two that are turned against one
// another where they are a wall between two touching bodies.
func (s *surface) dropDouble() {
	type pairOf struct{ one, turned int32 } // numbers of the first triangle of each direction, −1: none
	known := make(map[[3]int32]pairOf, len(s.triangles))
	keep := make([]bool, len(s.triangles))
	var paired []int32 // second triangles of pairs that are turned against one another
	for i := range s.triangles {
		key, even := s.sorted(i)
		p, seen := known[key]
		if !seen {
			p = pairOf{-1, -1}
		}
		mine, other := &p.one, &p.turned
		if !even {
			mine, other = other, mine
		}
		switch {
		case *mine >= 0:
			s.found(i, "triangle that repeats another one is dropped", "triangles that repeat others are dropped")
		case *other >= 0:
			paired = append(paired, int32(i))
			*mine, keep[i] = int32(i), true
		default:
			*mine, keep[i] = int32(i), true
		}
		known[key] = p
	}
	if len(paired) > 0 {
		first := make([]int32, len(paired))
		for k, i := range paired {
			key, even := s.sorted(int(i))
			if first[k] = known[key].one; even {
				first[k] = known[key].turned
			}
		}
		s.dropPairs(first, paired, keep)
	}
	s.keepIf(keep)
}

// dropPairs decides for each connected piece of double triangles, of which first and second are
// turned against one another, whether it is a wall between two bodies: at its border the two bodies
// go on with two triangles more. Then both layers are dropped, otherwise the second one.
func (s *surface) dropPairs(first, second []int32, keep []bool) {
	number := map[int32]int{} // of the pair of a triangle
	for k := range first {
		number[first[k]], number[second[k]] = k, k
	}
	sets := newUnionFind(len(first))
	single := make([][]int, len(first)) // numbers of single triangles at edges of the pair
	for g := range groups(s.halfEdges()) {
		others, pairs := 0, []int(nil)
		for i := range g {
			if k, ok := number[g[i].triangle]; ok {
				pairs = append(pairs, k)
			} else if keep[g[i].triangle] {
				others++
			}
		}
		for _, k := range pairs {
			sets.join(pairs[0], k)
		}
		if others > 0 && len(pairs) > 0 {
			single[pairs[0]] = append(single[pairs[0]], others)
		}
	}
	border, odd := map[int]bool{}, map[int]bool{}
	for k := range single {
		for _, n := range single[k] {
			border[sets.root(k)] = true
			odd[sets.root(k)] = odd[sets.root(k)] || n%2 != 0
		}
	}
	for k := range first {
		keep[second[k]] = false
		root := sets.root(k)
		if border[root] && !odd[root] {
			keep[first[k]] = false
			for _, i := range [2]int32{first[k], second[k]} {
				s.found(int(i), "triangle between touching bodies is dropped", "triangles between touching bodies are dropped")
			}
			continue
		}
		s.found(int(second[k]), "triangle that repeats another one is dropped", "triangles that repeat others are dropped")
	}
}

// openEdges returns the edges of single triangles.
func (s *surface) openEdges() (open []halfEdge) {
	for g := range groups(s.halfEdges()) {
		if len(g) == 1 {
			open = append(open, g[0])
		}
	}
	return open
}

// closeGaps makes corners of open edges one that round-off has put apart. It reports whether there
// were any.
func (s *surface) closeGaps(open []halfEdge) bool {
	shortest := math.Inf(1)
	for i := range open {
		shortest = min(shortest, s.points[open[i].lo].Sub(s.points[open[i].hi]).Norm())
	}
	const share = 0.1 // of the shortest open edge, so that none vanishes
	w := newWelder(min(gapOfBox*s.size, share*shortest))
	to := map[int32]int32{} // by the number of a corner
	var kept []int32        // numbers of corners by those of the welder
	moved := false
	for i := range open {
		for _, p := range [2]int32{open[i].lo, open[i].hi} {
			if _, done := to[p]; done {
				continue
			}
			n := w.index(s.points[p])
			if int(n) == len(kept) {
				kept = append(kept, p)
			}
			to[p] = kept[n]
			moved = moved || kept[n] != p
		}
	}
	if !moved {
		return false
	}
	for i := range s.triangles {
		was := s.triangles[i]
		for k, p := range was {
			if q, ok := to[p]; ok {
				s.triangles[i][k] = q
			}
		}
		if was != s.triangles[i] {
			s.found(i, "triangle with a corner beside that of its neighbour is moved there", "triangles with corners beside those of their neighbours are moved there")
		}
	}
	return true
}

// divideAtCorners divides triangles with open edges on which corners of other open edges are. It
// reports whether there were any.
func (s *surface) divideAtCorners(open []halfEdge) bool {
	corners := make([]int32, 0, len(open))
	for i := range open {
		corners = append(corners, open[i].lo, open[i].hi)
	}
	slices.Sort(corners)
	corners = slices.Compact(corners)
	slices.SortFunc(corners, func(a, b int32) int { return cmp.Compare(s.points[a].X, s.points[b].X) })
	taken := map[int32]bool{} // triangles that are divided in this pass
	found := false
	for i := range open {
		e := &open[i]
		if taken[e.triangle] {
			continue
		}
		if on := s.cornersOn(e, corners); len(on) > 0 {
			taken[e.triangle], found = true, true
			s.divide(e, on)
		}
	}
	return found
}

// cornersOn lists the corners, sorted by x, that are on an open edge, in the direction of its triangle.
func (s *surface) cornersOn(e *halfEdge, corners []int32) (on []int32) {
	from, to := s.triangles[e.triangle][e.k], s.triangles[e.triangle][next[e.k]]
	a, b := s.points[from], s.points[to]
	along := b.Sub(a)
	length := along.Norm()
	lo, hi := min(a.X, b.X)-onEdge*length, max(a.X, b.X)+onEdge*length
	begin, _ := slices.BinarySearchFunc(corners, lo, func(p int32, x float64) int { return cmp.Compare(s.points[p].X, x) })
	share := func(p int32) float64 { return s.points[p].Sub(a).Dot(along) / (length * length) }
	for _, p := range corners[begin:] {
		if s.points[p].X > hi {
			break
		}
		if t := share(p); p != from && p != to && t > onEdge && t < 1-onEdge && s.points[p].Sub(a.AddScaled(t, along)).Norm() < onEdge*length {
			on = append(on, p)
		}
	}
	slices.SortFunc(on, func(p, q int32) int { return cmp.Compare(share(p), share(q)) })
	return on
}

// divide divides the triangle of an edge at corners on it.
func (s *surface) divide(e *halfEdge, on []int32) {
	i := int(e.triangle)
	t := s.triangles[i]
	to, apex := t[next[e.k]], t[next[next[e.k]]]
	s.found(i, "triangle is divided where a corner of another one is on its edge", "triangles are divided where corners of others are on their edges")
	s.triangles[i][next[e.k]] = on[0]
	for k, p := range on {
		end := to
		if k+1 < len(on) {
			end = on[k+1]
		}
		s.triangles = append(s.triangles, [3]int32{p, end, apex})
		s.source = append(s.source, s.source[i])
	}
}

// orient turns the triangles of each piece that hangs together over edges of two triangles as most
// of them are. It refuses pieces with one side, as a Möbius strip.
func (s *surface) orient(f *STL) error {
	type link struct {
		to   int32
		turn bool // the two are turned against one another
	}
	links := make([][3]link, len(s.triangles))
	for i := range links {
		links[i] = [3]link{{to: -1}, {to: -1}, {to: -1}}
	}
	for g := range groups(s.halfEdges()) {
		if len(g) == 2 {
			turn := g[0].forward == g[1].forward
			links[g[0].triangle][g[0].k], links[g[1].triangle][g[1].k] = link{g[1].triangle, turn}, link{g[0].triangle, turn}
		}
	}
	const unknown, same, turned = 0, 1, 2
	state := make([]uint8, len(s.triangles))
	var twisted flaw
	for seed := range s.triangles {
		if state[seed] != unknown {
			continue
		}
		state[seed] = same
		piece := []int32{int32(seed)}
		for k := 0; k < len(piece); k++ {
			i := piece[k]
			for _, l := range links[i] {
				if l.to < 0 {
					continue
				}
				want := state[i]
				if l.turn {
					want = same + turned - want
				}
				switch {
				case state[l.to] == unknown:
					state[l.to] = want
					piece = append(piece, l.to)
				case state[l.to] != want && l.to < i:
					twisted.add(int(s.source[i]), s.points[s.triangles[i][0]])
				}
			}
		}
		count := 0
		for _, i := range piece {
			if state[i] == turned {
				count++
			}
		}
		minority := uint8(turned)
		if 2*count > len(piece) {
			minority = same
		}
		for _, i := range piece {
			if state[i] == minority {
				s.turn(int(i))
			}
		}
	}
	return twisted.err(f, "edge is left where the surface has one side, as a Möbius strip", "edges are left where the surface has one side, as a Möbius strip", "cut it and close the two sides")
}

// turn turns a triangle round.
func (s *surface) turn(i int) {
	t := &s.triangles[i]
	t[1], t[2] = t[2], t[1]
	s.found(i, "triangle is turned round", "triangles are turned round")
}

// nonManifold refuses edges at which a triangle is left.
func (s *surface) nonManifold(f *STL, left [][]halfEdge) error {
	var l flaw
	for _, g := range left {
		l.add(int(s.source[g[len(g)-1].triangle]), s.points[g[0].lo].Add(s.points[g[0].hi]).Scale(0.5))
	}
	return l.err(f, "edge of more than two triangles has no two sides", "edges of more than two triangles have no two sides",
		"remove inner walls and fins, for example by Select Non Manifold Edges of MeshLab or Select Non Manifold of Blender")
}

// turnBodies turns closed pieces that are turned against the largest one, unless they are inside of
// an odd number of others, where they are cavities; those are turned if they are not. It reports
// whether it has turned any.
func (s *surface) turnBodies(loops []loop) bool {
	all := s.components(loops)
	largest := 0
	for i := range all {
		if math.Abs(all[i].volume) > math.Abs(all[largest].volume)*(1+1e-6) { // not by roundoff
			largest = i
		}
	}
	found := false
	for i := range all {
		b := &all[i]
		against := b.volume*all[largest].volume < 0
		if against == (b.depth(all)%2 == 1) || b.volume == 0 {
			continue
		}
		found = true
		for _, t := range b.triangles {
			s.turn(int(t))
		}
	}
	return found
}

// smoothDepth returns the largest distance (m) of the smooth surface from the facets of the wall.
func smoothDepth(facets []facet) (depth float64) {
	for i := range facets {
		f := &facets[i]
		for _, w := range [4][3]float64{{1. / 3, 1. / 3, 1. / 3}, {0.5, 0.5, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}} {
			x := spatial.Vec{}
			for k, share := range w {
				x = x.AddScaled(share, f.Triangle[k])
			}
			n := f.Triangle.nearest(x)
			depth = max(depth, math.Abs(f.distance(x, &n)))
		}
	}
	return depth
}
