package rod

import (
	"math"
	"slices"
)

// Mesh has the nodes of a rod. Elements join neighbouring nodes. It is immutable.
type Mesh struct {
	ArcLengths    []float64 // of the nodes at rest, from 0 to the length of the rod, m
	Lengths       []float64 // of the elements at rest, m
	uniformLength float64   // length of all elements, m; 0 if they differ
}

// NewMesh divides a rod of the given length (m) into elements, with nodes at the arc lengths at
// (m), increasing and between the ends. Between two of these, elements are equal, and their numbers
// minimise the length of the longest element. Each interval has at least one, so there may be more
// than elements.
//
// Where the nodes of a uniform mesh include all of these, the mesh is uniform to the last bit.
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

// roundoff is the deviation of arc lengths with decimal digits from exact ones, over an element
// length.
const roundoff = 1e-9

// uniformMesh returns a mesh of equal elements.
func uniformMesh(length float64, elements int) Mesh {
	l := length / float64(elements)
	m := Mesh{ArcLengths: make([]float64, elements+1), Lengths: make([]float64, elements), uniformLength: l}
	for e := range elements {
		m.ArcLengths[e+1] = length * float64(e+1) / float64(elements)
		m.Lengths[e] = l
	}
	return m
}

// refined returns the mesh with each element divided into times equal ones.
func (m Mesh) refined(times int) Mesh {
	n := len(m.Lengths)
	if times == 1 { // keeps m to the last bit
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

// distribute returns the number of elements between successive ends.
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

// NearestNode returns the node nearest to arc length s (m). In a uniform mesh of element length l,
// it rounds s/l to the nearest multiple of ½ if that is within 1e-9, so that decimal positions
// count as half-way, and then half to even, as Python and so users of PyElastica do.
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

// ElementAt returns the element at arc length s (m) and the share of it before s, from 0 to 1. Arc
// lengths beyond an end count as that end.
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

// MinElementLength returns the length of the shortest element, m.
func (m *Mesh) MinElementLength() float64 { return slices.Min(m.Lengths) }
