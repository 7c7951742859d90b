package mesh

import "sinew/pkg/sim/spatial"

// quasi are the weights of the values at a grid point's neighbours and itself in the
// coefficient of the cubic B-spline there; then cubics are reproduced.
const (
	quasiBeside = -1.0 / 6
	quasiHere   = 8.0 / 6
)

// coefficients replaces the values on a grid of n[0] × n[1] × n[2] points by the coefficients
// of the spline on its inner points and returns these. The last index is the fastest.
func coefficients(v []float64, n [3]int) []float64 {
	stride := [3]int{n[1] * n[2], n[2], 1}
	for axis, step := range stride {
		across := [2]int{(axis + 1) % 3, (axis + 2) % 3}
		for i := range n[across[0]] {
			for j := range n[across[1]] {
				line := v[i*stride[across[0]]+j*stride[across[1]]:]
				last := line[0]
				for p := step; p < (n[axis]-1)*step; p += step {
					last, line[p] = line[p], quasiHere*line[p]+quasiBeside*(last+line[p+step])
				}
			}
		}
	}
	packed := 0
	for i := 1; i < n[0]-1; i++ {
		for j := 1; j < n[1]-1; j++ {
			row := v[i*stride[0]+j*stride[1]:]
			packed += copy(v[packed:], row[1:n[2]-1])
		}
	}
	return v[:packed]
}

// basis are the values of the four cubic B-splines of a cell and of their first and second
// derivatives.
type basis struct{ w, d, c [4]float64 }

// newBasis returns the splines at t from 0 to 1.
func newBasis(t float64) basis {
	u := 1 - t
	return basis{
		w: [4]float64{u * u * u / 6, (4 + t*t*(3*t-6)) / 6, (4 + u*u*(3*u-6)) / 6, t * t * t / 6},
		d: [4]float64{-u * u / 2, t * (1.5*t - 2), -u * (1.5*u - 2), t * t / 2},
		c: [4]float64{u, 3*t - 2, 3*u - 2, t},
	}
}

// jet is a value with its first and second derivatives to the coordinates of a grid.
type jet struct {
	value      float64
	x, y, z    float64
	xx, yy, zz float64
	xy, xz, yz float64
}

// evaluate sums the splines of the cell whose first coefficient is v[0]; the coefficients of
// neighbours along x and y are sx and sy further on, along z 1.
func (j *jet) evaluate(v []float32, sx, sy int, x, y, z *basis) {
	*j = jet{}
	for a := range 4 {
		// value, derivatives to y and z, and second ones, in the plane of a
		var f, fy, fz, fyy, fyz, fzz float64
		for b := range 4 {
			row := v[a*sx+b*sy:]
			row = row[:4:4]
			r0, r1, r2, r3 := float64(row[0]), float64(row[1]), float64(row[2]), float64(row[3])
			g := z.w[0]*r0 + z.w[1]*r1 + z.w[2]*r2 + z.w[3]*r3
			gz := z.d[0]*r0 + z.d[1]*r1 + z.d[2]*r2 + z.d[3]*r3
			gzz := z.c[0]*r0 + z.c[1]*r1 + z.c[2]*r2 + z.c[3]*r3
			f += y.w[b] * g
			fy += y.d[b] * g
			fyy += y.c[b] * g
			fz += y.w[b] * gz
			fyz += y.d[b] * gz
			fzz += y.w[b] * gzz
		}
		w, d, c := x.w[a], x.d[a], x.c[a]
		j.value += w * f
		j.x += d * f
		j.xx += c * f
		j.y += w * fy
		j.xy += d * fy
		j.yy += w * fyy
		j.z += w * fz
		j.xz += d * fz
		j.yz += w * fyz
		j.zz += w * fzz
	}
}

// gradient and hessian return the derivatives to lengths, for a grid of which a length unit
// has perLength cells.
func (j *jet) gradient(perLength float64) spatial.Vec {
	return spatial.Vec{X: perLength * j.x, Y: perLength * j.y, Z: perLength * j.z}
}

func (j *jet) hessian(perLength float64) spatial.Mat3 {
	k := perLength * perLength
	return spatial.Mat3{
		XX: k * j.xx, XY: k * j.xy, XZ: k * j.xz,
		YX: k * j.xy, YY: k * j.yy, YZ: k * j.yz,
		ZX: k * j.xz, ZY: k * j.yz, ZZ: k * j.zz,
	}
}
