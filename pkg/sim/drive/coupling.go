package drive

// Coupling is by how much tendons give way at their motors per newton of one another, m/N: a
// symmetric matrix without negative eigenvalues. Their own springs are not in it.
type Coupling struct {
	n int
	c []float64 // row-major
}

// NewCoupling makes that of n tendons that do not give way.
func NewCoupling(n int) *Coupling { return &Coupling{n, make([]float64, n*n)} }

// Reset makes all tendons stand on a plate that gives way by shared (m/N) per newton of their
// sum.
func (c *Coupling) Reset(shared float64) {
	for i := range c.c {
		c.c[i] = shared
	}
}

// Add adds what tendons k and l do to each other on a pulley with arms (m) that gives way by
// compliance, rad/(N m): the torque arms[l] T of one turns it, which pays arms[k] times as much
// out to the other.
func (c *Coupling) Add(k, l int, armK, armL, compliance float64) {
	c.c[k*c.n+l] += armK * armL * compliance
}

// At is by how much tendon k gives way per newton of tendon l, m/N.
func (c *Coupling) At(k, l int) float64 { return c.c[k*c.n+l] }
