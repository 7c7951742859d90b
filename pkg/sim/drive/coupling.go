package drive

// Coupling is the mutual compliance of tendons at their motors, m/N: the symmetric positive
// semidefinite matrix of displacements per tension of another tendon. It does not include the
// elasticity of the tendons themselves.
type Coupling struct {
	n int
	c []float64 // row-major
}

// NewCoupling returns the coupling of n tendons with rigid motors.
func NewCoupling(n int) *Coupling { return &Coupling{n, make([]float64, n*n)} }

// Reset sets the coupling to that of a common plate with the compliance shared, m/N.
func (c *Coupling) Reset(shared float64) {
	for i := range c.c {
		c.c[i] = shared
	}
}

// Add adds the coupling of tendons k and l on one pulley with the compliance given, rad/(N m): the
// torque armL T of tendon l rotates the pulley, which pays out armK times the angle of tendon k.
// Arms are in m.
func (c *Coupling) Add(k, l int, armK, armL, compliance float64) {
	c.c[k*c.n+l] += armK * armL * compliance
}

// At returns the displacement of tendon k per tension of tendon l, m/N.
func (c *Coupling) At(k, l int) float64 { return c.c[k*c.n+l] }
