package equilibrium

import (
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Stability is what an equilibrium does when it is disturbed a little.
type Stability uint8

// The kinds of stability. Divergence is a motion away from the shape. Flutter is one around it that grows, which only loads without a
// potential bring about.
const (
	Stable Stability = iota
	Neutral
	Flutter
	Divergence
)

// String returns the stability in words.
func (s Stability) String() string {
	return [...]string{"stable", "neutral", "unstable, by flutter", "unstable"}[s]
}

// Mode is the mode of motion that decides the stability of an equilibrium.
type Mode struct {
	Stability Stability
	// Undamped is the stability without damping. Under loads without a potential the damping of the robot may suppress flutter, and it may
	// cause it (Ziegler 1952); otherwise it changes no stability.
	Undamped Stability
	// Frequency is that of the motion, of a stable or fluttering mode, rad/s; Growth the rate at which an unstable one grows, 1/s. Those of
	// flutter are with the damping of the robot, others without.
	Frequency, Growth float64
	Axis              int     // about which the mode turns most: 0 for d1, 1 for d2, 2 for d3
	ArcLength         float64 // of the middle of the element that turns most, m; 0 where the mode is not known
}

// String says how the equilibrium is stable, and where it is not, how it moves away.
func (m *Mode) String() string {
	switch {
	case m.Stability == Stable && m.Undamped == Flutter:
		return fmt.Sprintf("stable by its damping; it flutters without damping: mode %s", m.direction())
	case m.Stability == Flutter && m.Undamped == Stable:
		return fmt.Sprintf("unstable, by flutter, which its damping causes: mode %s", m.direction())
	case m.Stability == Stable:
		return fmt.Sprintf("stable; lowest undamped mode: %.3g Hz, %s", m.Frequency/(2*math.Pi), m.direction())
	case m.Stability == Neutral:
		return fmt.Sprintf("neutral: no stiffness against %s", m.direction())
	}
	return fmt.Sprintf("%v: mode %s", m.Stability, m.direction())
}

// direction names the deformation of the mode, and its place.
func (m *Mode) direction() string {
	if m.ArcLength == 0 {
		return "an unresolved mode"
	}
	return fmt.Sprintf("%s, largest at arc length %.3g m", [...]string{"bending about d1", "bending about d2", "twist"}[m.Axis], m.ArcLength)
}

const (
	// krylov is the dimension of the space in which modes are sought: of the lowest ones Ritz values are then exact to ritzResidual.
	krylov       = 40
	ritzResidual = 1e-6
	// Eigenvalues are real where their imaginary part is a smaller share than flutterShare: two that meet part as the
	// square root of what the load is beyond that.
	flutterShare = 1e-4
	// A mode of which the squared frequency is a share neutralShare of 1 over the squared period of the rod is neutral.
	neutralShare = 1e-4
	// modeShift is the shift, over that of a neutral shape, with which modes are sought: a neutral shape has a regular tangent then.
	modeShift = 100
	// massStep is the step, in periods of the rod, of which inertia is all of the tangent.
	massStep = 1e-4
	// Damping is present above a share dampingRoundoff of inertia, in a period of the rod.
	dampingRoundoff = 1e-9
)

// errNoMode is the error of an iteration for modes of which none converges.
var errNoMode = fmt.Errorf("no mode of the equilibrium converges in %d iterations", krylov)

// Stability finds the mode that decides the stability of the present equilibrium: of the lowest eigenvalues ω² of stiffness and
// mass, K x = ω² M x, one that is negative or complex, else the lowest one; under loads without a potential, also of those of
// stiffness, damping and mass, (λ² M + λ C + K) x = 0, one that grows. The error is that of a tangent without a solution.
func (s *Solver) Stability() (*Mode, error) {
	s.system.State.BeginStatic()
	s.system.BeginEquilibrium()
	return s.stability(true)
}

// stability is Stability in a search, with the damping of the robot or without. It makes the mode the increment.
func (s *Solver) stability(damped bool) (*Mode, error) {
	x := &modes{system: s.system, period: s.period()}
	x.mass, x.damping = s.massAndDamping(damped && !s.system.HasPotential())
	if !s.factorForModes(modeShift * s.neutral()) {
		return &Mode{Stability: Neutral, Undamped: Neutral}, nil
	}
	values, vectors, err := x.undamped()
	if err != nil {
		return nil, err
	}
	period := s.period()
	lowest := neutralShare / (period * period)
	best, found, least := Mode{}, -1, 0.0
	for k, theta := range values {
		mu := 1 / theta
		m := Mode{Stability: Stable, Frequency: math.Sqrt(max(0, real(mu)))}
		switch root := cmplx.Sqrt(-mu); {
		case cmplx.Abs(mu) < lowest:
			m.Stability = Neutral
		case math.Abs(imag(mu)) > flutterShare*cmplx.Abs(mu):
			m.Stability, m.Growth, m.Frequency = Flutter, math.Abs(real(root)), math.Abs(imag(root))
		case real(mu) < 0:
			m.Stability, m.Growth, m.Frequency = Divergence, math.Sqrt(-real(mu)), 0
		}
		rank := real(mu) // of modes alike: the one that grows most, or is slowest, is first
		if m.Stability == Flutter {
			rank = -m.Growth
		}
		if found < 0 || m.Stability > best.Stability || m.Stability == best.Stability && rank < least {
			best, found, least = m, k, rank
		}
	}
	if found < 0 {
		return nil, errNoMode
	}
	best.Undamped = best.Stability
	vector := vectors[found]
	if canFlutter := best.Stability == Stable || best.Stability == Flutter; canFlutter && x.isDamped() {
		growing, lambda, err := x.growing()
		if err != nil {
			return nil, err
		}
		if best.Stability, best.Growth = Stable, 0; growing != nil {
			best.Stability, best.Growth, best.Frequency, vector = Flutter, real(lambda), math.Abs(imag(lambda)), growing
		}
	}
	s.takeMode(vector)
	located := s.modeOf(best.Stability)
	located.Undamped, located.Frequency, located.Growth = best.Undamped, best.Frequency, best.Growth
	return &located, nil
}

// lowestMode makes the mode of the lowest eigenvalue, of a symmetric stiffness, the increment. It returns false if that is not negative.
func (s *Solver) lowestMode() (ok bool) {
	x := &modes{system: s.system, period: s.period()}
	x.mass, _ = s.massAndDamping(false)
	if !s.factorForModes(-modeShift * s.neutral()) { // which keeps what is negative regular
		return false
	}
	values, vectors, err := x.undamped()
	if err != nil {
		return false
	}
	lowest, least := -1, 0.0
	for k := range values {
		if mu := real(1 / values[k]); mu < least {
			lowest, least = k, mu
		}
	}
	if lowest < 0 {
		return false
	}
	s.takeMode(vectors[lowest])
	return true
}

// takeMode makes a mode the increment.
func (s *Solver) takeMode(mode []spatial.Vec6) {
	q := s.system
	copy(q.X, mode)
	q.State.StrainIncrement(q.X, q.Dx)
}

// factorForModes factors the stiffness with a shift, or with more if it is singular. It returns false where none makes it regular.
func (s *Solver) factorForModes(shift float64) bool {
	for ; math.Abs(shift) < 1; shift *= modeShift {
		if _, ok := s.factorStiffness(shift); ok {
			return true
		}
	}
	return false
}

// factorStiffness factors the stiffness of the equilibrium, friction included, with a shift. It returns the number of its negative
// eigenvalues; ok is false if it is singular.
func (s *Solver) factorStiffness(shift float64) (negative int, ok bool) {
	skip := s.skipFriction
	s.skipFriction, s.countsEigenvalues = 0, false
	defer func() { s.skipFriction = skip }()
	s.Assemble(shift)
	_, negative, ok = s.Increment()
	return negative, ok
}

// modeOf makes a mode of the present increment of the strains.
func (s *Solver) modeOf(is Stability) Mode {
	m, largest := Mode{Stability: is}, 0.0
	for e := range s.system.Dx {
		a := &s.system.Dx[e].Angular
		for axis, v := range [...]float64{a.X, a.Y, a.Z} {
			if v = math.Abs(v); v > largest*(1+1e-9) {
				largest = v
				m.Axis, m.ArcLength = axis, (s.mesh.ArcLengths[e]+s.mesh.ArcLengths[e+1])/2
			}
		}
	}
	return m
}

// nodeMatrix is a symmetric block tridiagonal matrix of the nodes from 1 on, body axes.
type nodeMatrix struct {
	diagonal []spatial.Mat6
	next     []spatial.Mat6 // block k: rows of the node before that of the columns, k+1 and k+2
}

// massAndDamping returns the matrices of mass and, if damped, of damping: what a step of a small part of a period, of inertia alone, and one
// of a period add to the stiffness.
func (s *Solver) massAndDamping(damped bool) (m, c *nodeMatrix) {
	q := s.system
	dt, period := massStep*s.period(), s.period()
	take := func() *nodeMatrix {
		q.Assemble(0)
		return s.nodeMatrix()
	}
	q.State.BeginPseudoTransient(dt, q.Extra())
	m = take()
	if damped {
		q.State.BeginDampedTransient(period, q.Extra())
		c = take()
	}
	q.State.BeginStatic()
	stiffness := take()
	m.addScaled(-1, stiffness)
	m.scale(dt * dt)
	if !damped {
		return m, nil
	}
	c.addScaled(-1, stiffness)
	c.addScaled(-1/(period*period), m)
	c.scale(period)
	return m, c
}

// addScaled adds f times another matrix.
func (m *nodeMatrix) addScaled(f float64, other *nodeMatrix) {
	for i := range m.diagonal {
		addScaledBlock(&m.diagonal[i], f, &other.diagonal[i])
	}
	for i := range m.next {
		addScaledBlock(&m.next[i], f, &other.next[i])
	}
}

// addScaledBlock adds f times b to a.
func addScaledBlock(a *spatial.Mat6, f float64, b *spatial.Mat6) {
	for j := range a {
		a[j] += f * b[j]
	}
}

// scale multiplies the matrix by f.
func (m *nodeMatrix) scale(f float64) {
	for _, blocks := range [...][]spatial.Mat6{m.diagonal, m.next} {
		for i := range blocks {
			for j := range blocks[i] {
				blocks[i][j] *= f
			}
		}
	}
}

// nodeMatrix returns the assembled blocks of the nodes and of neighbours.
func (s *Solver) nodeMatrix() *nodeMatrix {
	n := len(s.system.X)
	m := &nodeMatrix{make([]spatial.Mat6, n), make([]spatial.Mat6, n-1)}
	for i := range n {
		m.diagonal[i], _, _ = s.system.TangentBlock(i+1, i+1)
		if i > 0 {
			m.next[i-1], _, _ = s.system.TangentBlock(i, i+1)
		}
	}
	return m
}

// multiply makes dst the product of the matrix and x.
func (m *nodeMatrix) multiply(dst, x []spatial.Vec6) {
	clear(dst)
	for i := range x {
		addProduct(&dst[i], &m.diagonal[i], &x[i], false)
		if i > 0 {
			addProduct(&dst[i-1], &m.next[i-1], &x[i], false)
			addProduct(&dst[i], &m.next[i-1], &x[i-1], true)
		}
	}
}

// addProduct adds the product of a block, or of its transpose, and x to dst.
func addProduct(dst *spatial.Vec6, block *spatial.Mat6, x *spatial.Vec6, transposed bool) {
	for r := range 6 {
		for c := range 6 {
			if transposed {
				dst[r] += block[6*c+r] * x[c]
			} else {
				dst[r] += block[6*r+c] * x[c]
			}
		}
	}
}

// modes finds the eigenvalues of an equilibrium, with its factored stiffness.
type modes struct {
	system        *equations.System
	mass, damping *nodeMatrix // damping is nil where it changes no stability
	period        float64     // of the rod, s
}

// undamped returns the eigenvalues 1/ω² of K⁻¹ M, with their vectors.
func (m *modes) undamped() (values []complex128, vectors [][]spatial.Vec6, err error) {
	q := m.system
	in := q.NoInput()
	in.Wrench = make([]spatial.Vec6, len(q.X))
	return m.iterate(startMode(len(q.X)), func(v []spatial.Vec6) error {
		m.mass.multiply(in.Wrench, v)
		err := m.respond(in)
		copy(v, q.X)
		return err
	})
}

// damped returns the eigenvalues 1/(λ p) of (λ² M + λ C + K) x = 0, p the period, with their vectors x: those of
//
//	(x, λ p x) ↦ (−K⁻¹ (C x/p + M u/p²), x), u = λ p x.
func (m *modes) damped() (values []complex128, vectors [][]spatial.Vec6, err error) {
	q := m.system
	n := len(q.X)
	in := q.NoInput()
	in.Wrench = make([]spatial.Vec6, n)
	inertia := make([]spatial.Vec6, n)
	return m.iterate(append(startMode(n), startMode(n)...), func(v []spatial.Vec6) error {
		x, u := v[:n], v[n:]
		m.mass.multiply(inertia, u)
		m.damping.multiply(in.Wrench, x)
		for i := range inertia {
			for j := range inertia[i] {
				in.Wrench[i][j] = -(in.Wrench[i][j] + inertia[i][j]/m.period) / m.period
			}
		}
		err := m.respond(in)
		copy(u, x)
		copy(x, q.X)
		return err
	})
}

// respond makes the increment what an input moves. Where everything has a potential the skew part of the tangent is 0 in equilibrium, and
// what the residual leaves of it would be magnified along a mode without stiffness.
func (m *modes) respond(in *equations.Input) error {
	if !m.system.HasPotential() {
		_, err := m.system.Respond(in)
		return err
	}
	copy(m.system.X, in.Wrench)
	if !m.system.SolveHeld(in) {
		return integrate.ErrSingularTangent
	}
	return nil
}

// growing returns the mode that grows most with damping, nil if all decay, and its eigenvalue λ, 1/s.
func (m *modes) growing() (vector []spatial.Vec6, most complex128, err error) {
	values, vectors, err := m.damped()
	if err == nil && len(values) == 0 {
		err = errNoMode
	}
	if err != nil {
		return nil, 0, err
	}
	for k, theta := range values {
		lambda := 1 / theta / complex(m.period, 0)
		if rate := real(lambda); rate > ritzResidual*cmplx.Abs(lambda) && rate > real(most) {
			vector, most = vectors[k], lambda
		}
	}
	return vector, most, nil
}

// iterate returns the largest eigenvalues of an operator, which replaces a vector by its image, by an Arnoldi iteration from start.
func (m *modes) iterate(start []spatial.Vec6, apply func(v []spatial.Vec6) error) (values []complex128, vectors [][]spatial.Vec6, err error) {
	space := newKrylovSpace(m.mass, len(start))
	v := start
	space.append(v)
	for range min(krylov*len(start)/len(m.mass.diagonal), 6*len(start)) {
		copy(v, space.last())
		if err := apply(v); err != nil {
			return nil, nil, err
		}
		if !space.append(v) {
			break
		}
	}
	values, c, err := space.ritz()
	for k := range c {
		vectors = append(vectors, space.combine(c[k])[:len(m.mass.diagonal)])
	}
	return values, vectors, err
}

// isDamped reports whether there is more damping than the round-off of inertia in a period.
func (m *modes) isDamped() bool {
	if m.damping == nil {
		return false
	}
	for i := range m.mass.diagonal {
		for j := range 6 {
			if m.damping.diagonal[i][7*j]*m.period > dampingRoundoff*m.mass.diagonal[i][7*j] {
				return true
			}
		}
	}
	return false
}

// krylovSpace is an orthonormal basis, in the inner product of the mass, of an Arnoldi iteration on vectors of one or more parts.
type krylovSpace struct {
	mass  *nodeMatrix
	basis [][]spatial.Vec6
	h     [][]float64 // column k: the components of the image of basis vector k
	image []spatial.Vec6
}

func newKrylovSpace(m *nodeMatrix, length int) *krylovSpace {
	return &krylovSpace{mass: m, image: make([]spatial.Vec6, length)}
}

// multiply makes the image the product of the mass and the parts of v.
func (k *krylovSpace) multiply(v []spatial.Vec6) {
	n := len(k.mass.diagonal)
	for i := 0; i < len(v); i += n {
		k.mass.multiply(k.image[i:i+n], v[i:i+n])
	}
}

func (k *krylovSpace) last() []spatial.Vec6 { return k.basis[len(k.basis)-1] }

// append orthogonalises v, the image of the last vector, against the basis, twice, and appends it. It reports whether anything is left.
func (k *krylovSpace) append(v []spatial.Vec6) bool {
	column := make([]float64, len(k.basis)+1)
	k.multiply(v)
	size := math.Sqrt(equations.Inner(v, k.image))
	for range 2 {
		for j, b := range k.basis {
			k.multiply(v)
			f := equations.Inner(b, k.image)
			column[j] += f
			equations.AddScaled(v, -f, b)
		}
	}
	k.multiply(v)
	norm := math.Sqrt(max(0, equations.Inner(v, k.image)))
	column[len(k.basis)] = norm
	if len(k.basis) > 0 {
		k.h = append(k.h, column)
	}
	if !(norm > 1e-12*size) {
		return false
	}
	next := make([]spatial.Vec6, len(v))
	equations.AddScaled(next, 1/norm, v)
	k.basis = append(k.basis, next)
	return true
}

// ritz returns the converged eigenvalues of the iteration, with their vectors in the basis.
func (k *krylovSpace) ritz() (values []complex128, vectors [][]complex128, err error) {
	n := len(k.h)
	h := mat.NewDense(n, n, nil)
	for c, column := range k.h {
		for r := range min(n, len(column)) {
			h.Set(r, c, column[r])
		}
	}
	next := k.h[n-1][n] // what the last image has outside
	var e mat.Eigen
	if !e.Factorize(h, mat.EigenRight) {
		return nil, nil, fmt.Errorf("the eigenvalues of %d modes do not converge", n)
	}
	all := e.Values(nil)
	var right mat.CDense
	e.VectorsTo(&right)
	for c, theta := range all {
		if math.Abs(next)*cmplx.Abs(right.At(n-1, c)) > ritzResidual*cmplx.Abs(theta) {
			continue
		}
		x := make([]complex128, n)
		for r := range x {
			x[r] = right.At(r, c)
		}
		values, vectors = append(values, theta), append(vectors, x)
	}
	return values, vectors, nil
}

// combine returns the real part of a vector of ritz.
func (k *krylovSpace) combine(c []complex128) []spatial.Vec6 {
	x := make([]spatial.Vec6, len(k.image))
	for j, f := range c {
		equations.AddScaled(x, real(f), k.basis[j])
	}
	return x
}
