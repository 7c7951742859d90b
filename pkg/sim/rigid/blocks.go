package rigid

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// putBlock writes m to the matrix a at row i and column j.
func putBlock(a []float64, i, j int, m spatial.Mat3) {
	row1(&m).Put(a[i*row+j:])
	row2(&m).Put(a[(i+1)*row+j:])
	row3(&m).Put(a[(i+2)*row+j:])
}

func zeroBlock(a []float64, i, j int) { putBlock(a, i, j, spatial.Mat3{}) }

func row1(m *spatial.Mat3) spatial.Vec { return spatial.Vec{X: m.XX, Y: m.XY, Z: m.XZ} }
func row2(m *spatial.Mat3) spatial.Vec { return spatial.Vec{X: m.YX, Y: m.YY, Z: m.YZ} }
func row3(m *spatial.Mat3) spatial.Vec { return spatial.Vec{X: m.ZX, Y: m.ZY, Z: m.ZZ} }

// quatAt returns the quaternion in coordinates that hold a position before it.
func quatAt(q *[row]float64) spatial.Quat { return spatial.Quat{W: q[3], X: q[4], Y: q[5], Z: q[6]} }

func putQuat(p *integrate.Point, q spatial.Quat) {
	p.Q[3], p.Q[4], p.Q[5], p.Q[6] = q.W, q.X, q.Y, q.Z
}

func putPlacement(x integrate.Placement, p *integrate.Point) {
	x.P.Put(p.Q[:])
	putQuat(p, x.Q)
}

func placement(p *integrate.Point) integrate.Placement {
	return integrate.Placement{Q: quatAt(&p.Q), P: spatial.VecAt(p.Q[:])}
}

// addDamping adds the resistance d of a load, in body axes, to the derivatives of the
// residual with respect to velocities: of the reference point in world axes, and rates
// that g maps to the angular velocity in body axes, ω = Σ g_j θ̇_j. Moments of the
// residual are those that do work on these rates, g_i·τ.
func addDamping(e *integrate.Equations, d *spatial.Mat6, r *spatial.Mat3, g []spatial.Vec) {
	axes := [3]spatial.Vec{row1(r), row2(r), row3(r)} // of the world, in body axes
	for j := range 3 + len(g) {
		var u spatial.Vec6
		if j < 3 {
			u = spatial.Vec6Of(axes[j], spatial.Vec{})
		} else {
			u = spatial.Vec6Of(spatial.Vec{}, g[j-3])
		}
		y := d.Apply(&u)
		f, m := r.Apply(y.Linear()), y.Angular()
		e.C[j] += f.X
		e.C[row+j] += f.Y
		e.C[2*row+j] += f.Z
		for i := range g {
			e.C[(3+i)*row+j] += g[i].Dot(m)
		}
	}
}
