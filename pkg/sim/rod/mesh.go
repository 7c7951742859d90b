package rod

import (
	"math"
	"slices"
)

// Mesh is where along a rod its nodes are. Elements join neighbouring nodes. It is
// immutable.
type Mesh struct {
	ArcLengths    []float64 // of the nodes at rest, from 0 to the length of the rod, m
	Lengths       []float64 // of the elements at rest, m
	uniformLength float64   // length of every element, 0 where they differ
}

// NewMesh divides a rod of the given length (m) into elements with nodes at the given
// arc lengths (m), increasing and between the ends. Between two of them elements are
// equal, and their numbers are such that the longest of all is as short as can be. There
// is at least one everywhere, so that there may be more than elements.
//
// Where all the nodes of equal elements do, elements are equal, to the last bit.
func NewMesh(length float64, elements int, at []float64) Mesh {
	m := uniformMesh(length, elements)
	if !slices.ContainsFunc(at, func(s float64) bool { return math.Abs(m.ArcLengths[m.NearestNode(s)]-s) > roundoff*m.uniformLength }) {
		return m
	}
	ends := append(slices.Clone(at), length)
	counts := distribute(ends, elements)
	m = Mesh{ArcLengths: []float64{0}}
	start := 0.0
	for i, end := range ends {
		for k := range counts[i] {
			s := end
			if k+1 < counts[i] {
				s = start + (end-start)*float64(k+1)/float64(counts[i])
			}
			m.ArcLengths = append(m.ArcLengths, s)
			m.Lengths = append(m.Lengths, (end-start)/float64(counts[i]))
		}
		start = end
	}
	return m
}

// roundoff is the share of an element by which arc lengths that are written in decimals
// miss those that are meant.
const roundoff = 1e-9

// evenMesh divides a rod into equal elements.
func uniformMesh(length float64, elements int) Mesh {
	l := length / float64(elements)
	m := Mesh{ArcLengths: make([]float64, elements+1), Lengths: make([]float64, elements), uniformLength: l}
	for e := range elements {
		m.ArcLengths[e+1] = length * float64(e+1) / float64(elements)
		m.Lengths[e] = l
	}
	return m
}

// divided returns the mesh with each element divided into so many.
func (m Mesh) refined(times int) Mesh {
	n := len(m.Lengths)
	if times == 1 { // to the last bit
		return m
	}
	if m.uniformLength > 0 {
		return uniformMesh(m.ArcLengths[n], n*times)
	}
	fine := Mesh{ArcLengths: []float64{0}}
	for e, l := range m.Lengths {
		for k := range times {
			s := m.ArcLengths[e+1]
			if k+1 < times {
				s = m.ArcLengths[e] + l*float64(k+1)/float64(times)
			}
			fine.ArcLengths = append(fine.ArcLengths, s)
			fine.Lengths = append(fine.Lengths, l/float64(times))
		}
	}
	return fine
}

// divide returns how many of the elements are between two neighbouring ends.
func distribute(ends []float64, elements int) []int {
	counts := make([]int, len(ends))
	gap := func(i int) float64 {
		if i == 0 {
			return ends[0]
		}
		return ends[i] - ends[i-1]
	}
	for total := 0; total < max(elements, len(ends)); total++ {
		longest, at := 0.0, -1
		for i, n := range counts {
			if n == 0 {
				at = i
				break
			}
			if l := gap(i) / float64(n); l > longest*(1+roundoff) {
				longest, at = l, i
			}
		}
		counts[at]++
	}
	return counts
}

// Node returns the node nearest to arc length s (m). Between equal elements s/l, with l
// their length, is first snapped to the nearest multiple of ½ when within 1e-9 of it,
// so that a position written in decimals counts as half-way, and then rounded
// half to even, as Python and so PyElastica's users round.
func (m *Mesh) NearestNode(s float64) int {
	if m.uniformLength > 0 {
		x := s / m.uniformLength
		if h := math.Round(2*x) / 2; math.Abs(x-h) < roundoff {
			x = h
		}
		return int(math.RoundToEven(x))
	}
	e, part := m.ElementAt(s)
	if part > 0.5 {
		e++
	}
	return e
}

// At returns the element at arc length s (m) and the share of it that lies before s. What
// is beyond an end is at the end.
func (m *Mesh) ElementAt(s float64) (element int, share float64) {
	n := len(m.Lengths)
	if m.uniformLength > 0 {
		x := min(max(s/m.uniformLength, 0), float64(n))
		e := min(int(x), n-1)
		return e, x - float64(e)
	}
	e, exact := slices.BinarySearch(m.ArcLengths, s)
	if !exact {
		e--
	}
	e = min(max(e, 0), n-1)
	return e, min(max((s-m.ArcLengths[e])/m.Lengths[e], 0), 1)
}

// Shortest returns the length of the shortest element, m.
func (m *Mesh) MinElementLength() float64 { return slices.Min(m.Lengths) }
