package magnetics

import "sinew/pkg/sim/spatial"

// AddInteraction adds what dipoles of moments m (A m²) at x (m) do to each other: the
// force on each to force (N), and the field of the others at each to field (T), which
// turns it with the torque m × field. With r from j to i,
//
//	F_i = (3µ0/4πr⁵) ((m_i·r) m_j + (m_j·r) m_i + (m_i·m_j) r − 5 (m_i·r)(m_j·r) r/r²)
//	B_i = (µ0/4πr³) (3 (m_j·r) r/r² − m_j)
//
// The forces of a pair are opposite, and with their moments so are the torques. It
// does one part of the given number of parts of all pairs: different parts may be done
// at once, with other force and field. No two dipoles may be at one place. It does not
// allocate.
//
// It visits each pair once: a dipole i with those of a tile before it, whose numbers
// stand in columns, four pairs at a time. The sums have the same bits with and without
// the vectors of the processor.
func AddInteraction(force, field, x, m []spatial.Vec, part, parts int) {
	force, field, m = force[:len(x)], field[:len(x)], m[:len(x)]
	var r row
	for first := 0; first < len(x); first += tileLen {
		n := min(tileLen, len(x)-first)
		var t tile
		t.set(x[first:first+n], m[first:])
		for i := first + (part+parts-first%parts)%parts; i < len(x); i += parts {
			r.set(x[i], m[i])
			addRow(&r, &t, min(i-first, n))
			force[i] = force[i].Add(total(&r.force))
			field[i] = field[i].Add(total(&r.field))
		}
		for j := range n {
			force[first+j] = force[first+j].Sub(spatial.Vec{X: t.pull[0][j], Y: t.pull[1][j], Z: t.pull[2][j]})
			field[first+j] = field[first+j].Add(spatial.Vec{X: t.field[0][j], Y: t.field[1][j], Z: t.field[2][j]})
		}
	}
}

const (
	tileLen = 64 // dipoles of a tile: its columns stay in the nearest cache
	lanes   = 4  // pairs that are worked on at once
)

// column is a number of each dipole of a tile.
type column [tileLen]float64

// tile is a piece of the dipoles in columns: interaction_amd64.s depends on its layout.
type tile struct {
	x, m        [3]column // places, m; moments, A m²
	pull, field [3]column // so far: forces of these on others, N; fields of others here, T
}

// row is a dipole that acts on those of tiles: interaction_amd64.s depends on its layout.
type row struct {
	x, m         [3]float64
	force, field [3][lanes]float64 // so far, by lanes: dipole j of a tile is in lane j mod lanes
}

// set fills the tile, which is zero, with the dipoles of moments m at x.
func (t *tile) set(x, m []spatial.Vec) {
	m = m[:len(x)]
	for j := range min(len(x), tileLen) {
		t.x[0][j], t.x[1][j], t.x[2][j] = x[j].X, x[j].Y, x[j].Z
		t.m[0][j], t.m[1][j], t.m[2][j] = m[j].X, m[j].Y, m[j].Z
	}
}

// set makes the row that of a dipole of moment m at x.
func (r *row) set(x, m spatial.Vec) {
	r.x[0], r.x[1], r.x[2] = x.X, x.Y, x.Z
	r.m[0], r.m[1], r.m[2] = m.X, m.Y, m.Z
	clear(r.force[:])
	clear(r.field[:])
}

// total returns the sum over the lanes.
func total(l *[3][lanes]float64) spatial.Vec {
	sum := func(l *[lanes]float64) float64 { return (l[0] + l[1]) + (l[2] + l[3]) }
	return spatial.Vec{X: sum(&l[0]), Y: sum(&l[1]), Z: sum(&l[2])}
}
