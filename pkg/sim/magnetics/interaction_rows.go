package magnetics

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// addRowPlain adds the interaction of the row with the first n of the tile to both. It
// is addRow on any processor.
func addRowPlain(r *row, t *tile, n int) {
	for lane := range lanes {
		r.addLane(t, lane, n)
	}
}

// addLane adds the interaction of the row with one lane of the first n of the tile.
func (r *row) addLane(t *tile, lane, n int) {
	mi := spatial.Vec{X: r.m[0], Y: r.m[1], Z: r.m[2]}
	var force, field spatial.Vec
	for j := lane; j < min(n, tileLen); j += lanes {
		j := j & (tileLen - 1) // j is below tileLen: removes the bounds check
		x, y, z := r.x[0]-t.x[0][j], r.x[1]-t.x[1][j], r.x[2]-t.x[2][j]
		mj := spatial.Vec{X: t.m[0][j], Y: t.m[1][j], Z: t.m[2][j]}
		q := 1 / (x*x + y*y + z*z)
		k := mu0Over4Pi * q * math.Sqrt(q)
		s := 3 * k * q
		a, b := mi.X*x+mi.Y*y+mi.Z*z, mj.X*x+mj.Y*y+mj.Z*z
		c := s * (mi.X*mj.X + mi.Y*mj.Y + mi.Z*mj.Z - 5*q*a*b)
		a, b = s*a, s*b
		fx := a*mj.X + b*mi.X + c*x
		fy := a*mj.Y + b*mi.Y + c*y
		fz := a*mj.Z + b*mi.Z + c*z
		force.X += fx
		force.Y += fy
		force.Z += fz
		field.X += b*x - k*mj.X
		field.Y += b*y - k*mj.Y
		field.Z += b*z - k*mj.Z
		t.pull[0][j] += fx
		t.pull[1][j] += fy
		t.pull[2][j] += fz
		t.field[0][j] += a*x - k*mi.X
		t.field[1][j] += a*y - k*mi.Y
		t.field[2][j] += a*z - k*mi.Z
	}
	r.force[0][lane], r.force[1][lane], r.force[2][lane] = force.X, force.Y, force.Z
	r.field[0][lane], r.field[1][lane], r.field[2][lane] = field.X, field.Y, field.Z
}
