package stokes

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Correlation is the mobility matrix of a swarm with its Cholesky factor M = L Lᵀ,
// for the Brownian motion of spheres that interact. It is scratch: one for each
// state that is stepped. Its cost grows with the cube of the number of spheres.
type Correlation struct {
	swarm *Swarm
	m     Cholesky // 6 rows per sphere: v, w
	xi    []float64
}

// NewCorrelation returns the scratch for swarm s.
func NewCorrelation(s *Swarm) *Correlation {
	n := 6 * s.Len()
	return &Correlation{swarm: s, m: NewCholesky(n), xi: make([]float64, n)}
}

// Update sets the correlation to that of the spheres at x. It does not allocate. It
// fails only for coincident spheres, whose mobility is singular.
func (c *Correlation) Update(x []spatial.Vec) error {
	c.assemble(x)
	if i := c.m.Factor(); i < c.m.N {
		return fmt.Errorf("stokes: sphere %d and another one are at the same place; the mobility is singular", i/6)
	}
	return nil
}

// Resistance sets the lower triangle of dst to the resistance matrix, the inverse of the
// mobility at Update: 6 rows per sphere, forces before moments.
func (c *Correlation) Resistance(dst *Cholesky) { c.m.Inverse(dst) }

// ThermalLoads sets dst to the random loads with which the fluid of thermal energy
// kT (J) shakes the spheres during a step of h seconds: of covariance 2kT/h M⁻¹,
// the inverse of the mobility at Update. They move the spheres with covariance
// 2kTh M; hold them through the stages of a step, as Factor.ThermalWrench says.
func (c *Correlation) ThermalLoads(dst []spatial.Wrench, noise *Noise, kT, h float64) {
	c.swarm.mustMatch(len(dst))
	noise.Fill(c.xi)
	c.m.SolveLT(c.xi)
	s := math.Sqrt(2 * kT / h)
	for i := range dst {
		f := c.xi[6*i : 6*i+6]
		dst[i] = spatial.Wrench{
			Force:  spatial.VecAt(f[:]).Scale(s),
			Moment: spatial.VecAt(f[3:]).Scale(s),
		}
	}
}

// assemble sets the lower triangle of l to the mobility matrix at x.
func (c *Correlation) assemble(x []spatial.Vec) {
	s := c.swarm
	s.mustMatch(len(x))
	for i := range x {
		for j := range x[:i] {
			r := x[i].Sub(x[j])
			p := newPair(r.Norm2(), s.radii[i], s.radii[j]).times(s.scale)
			rr, cross := spatial.Outer(r, r), spatial.Skew(r)
			one := spatial.Identity3()
			c.set(6*i, 6*j, one.Scale(p.tt).Add(rr.Scale(p.th)))
			c.set(6*i, 6*j+3, cross.Scale(-p.tr))
			c.set(6*i+3, 6*j, cross.Scale(-p.rt))
			c.set(6*i+3, 6*j+3, one.Scale(p.rr).Add(rr.Scale(p.rh)))
		}
		c.set(6*i, 6*i, spatial.Identity3().Scale(s.scale*s.alone[i].trans))
		c.set(6*i+3, 6*i, spatial.Mat3{})
		c.set(6*i+3, 6*i+3, spatial.Identity3().Scale(s.scale*s.alone[i].rot))
	}
}

// set writes the block m with its first entry at row i, column j.
func (c *Correlation) set(i, j int, m spatial.Mat3) {
	k := i*c.m.N + j
	copy(c.m.L[k:k+3], []float64{m.XX, m.XY, m.XZ})
	copy(c.m.L[k+c.m.N:k+c.m.N+3], []float64{m.YX, m.YY, m.YZ})
	copy(c.m.L[k+2*c.m.N:k+2*c.m.N+3], []float64{m.ZX, m.ZY, m.ZZ})
}
