package equilibrium

import (
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/spatial"
)

// Stability is what an equilibrium does when it is disturbed a little.
type Stability uint8

// The kinds of stability. Divergence is a motion away from the shape. Flutter is one around it that grows without damping, which only
// loads without a potential bring about.
const (
	Stable Stability = iota
	Neutral
	Flutter
	Divergence
)

// String returns the stability in words.
func (s Stability) String() string {
	return [...]string{"stable", "neutral", "unstable without damping, by flutter", "unstable"}[s]
}

// Mode is the mode of motion that decides the stability of an equilibrium.
type Mode struct {
	Stability Stability
	// Frequency is that of the motion, of a stable or fluttering mode, rad/s; Growth the rate at which an unstable one grows, 1/s. Both
	// are those without damping.
	Frequency, Growth float64
	Axis              int     // about which the mode turns most: 0 for d1, 1 for d2, 2 for d3
	ArcLength         float64 // of the middle of the element that turns most, m; 0 where the mode is not known
}

// String says how the equilibrium is stable, and where it is not, how it moves away.
func (m *Mode) String() string {
	switch m.Stability {
	case Stable:
		return fmt.Sprintf("stable; its lowest mode, %.3g Hz without damping, %s", m.Frequency/(2*math.Pi), m.direction())
	case Neutral:
		return fmt.Sprintf("neutral: it %s without resistance", m.direction())
	}
	return fmt.Sprintf("%v: it %s", m.Stability, m.direction())
}

// direction says what the mode does, in words.
func (m *Mode) direction() string {
	if m.ArcLength == 0 {
		return "moves in a direction that is not known"
	}
	return fmt.Sprintf("%s most at %.3g m", [...]string{"bends about d1", "bends about d2", "twists"}[m.Axis], m.ArcLength)
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
)

// Stability finds the mode that decides the stability of the present equilibrium: of the lowest eigenvalues ω² of stiffness and
// mass, K x = ω² M x, one that is negative or complex, else the lowest one. The error is that of a tangent without a solution.
func (s *Solver) Stability() (*Mode, error) {
	s.system.State.BeginStatic()
	s.system.BeginEquilibrium()
	return s.stability()
}

// stability is Stability in a search.
func (s *Solver) stability() (*Mode, error) {
	q := s.system
	mass := s.newMass()
	skip := s.skipFriction
	s.skipFriction, s.counts = 0, false
	defer func() { s.skipFriction = skip }()
	s.Assemble(modeShift * s.neutral())
	period := s.period()
	lowest := neutralShare / (period * period)
	if _, _, ok := s.Increment(); !ok {
		return &Mode{Stability: Neutral}, nil
	}
	space := newKrylovSpace(mass)
	in := q.NoInput()
	in.Wrench = make([]spatial.Vec6, len(q.X))
	dimension := min(krylov, 6*len(q.X))
	v := startMode(len(q.X))
	space.append(v)
	for range dimension {
		space.mass.multiply(in.Wrench, space.last())
		if _, err := q.Respond(in); err != nil {
			return nil, err
		}
		copy(v, q.X)
		if !space.append(v) {
			break
		}
	}
	values, vectors, err := space.ritz()
	if err != nil {
		return nil, err
	}
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
		return nil, fmt.Errorf("no mode of the equilibrium converges in %d iterations", dimension)
	}
	copy(q.X, space.combine(vectors[found]))
	q.State.StrainIncrement(q.X, q.Dx)
	located := s.modeOf(best.Stability)
	located.Frequency, located.Growth = best.Frequency, best.Growth
	return &located, nil
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

// mass is a block tridiagonal matrix of the nodes from 1 on, body axes.
type mass struct {
	diagonal []spatial.Mat6
	next     []spatial.Mat6 // block k: rows of the node before that of the columns, k+1 and k+2
}

// newMass returns the mass matrix: what a step of a small part of a period adds to the tangent of the equilibrium.
func (s *Solver) newMass() *mass {
	q := s.system
	dt := massStep * s.period()
	q.State.BeginPseudoTransient(dt, q.Extra())
	q.Assemble(0)
	m := &mass{}
	m.diagonal, m.next = s.tridiagonal()
	q.State.BeginStatic()
	q.Assemble(0)
	diagonal, next := s.tridiagonal()
	subtract := func(from, blocks []spatial.Mat6) {
		for i := range from {
			for j := range from[i] {
				from[i][j] = (from[i][j] - blocks[i][j]) * dt * dt
			}
		}
	}
	subtract(m.diagonal, diagonal)
	subtract(m.next, next)
	return m
}

// tridiagonal returns the assembled blocks of the nodes and of neighbours.
func (s *Solver) tridiagonal() (diagonal, next []spatial.Mat6) {
	n := len(s.system.X)
	diagonal, next = make([]spatial.Mat6, n), make([]spatial.Mat6, n-1)
	for i := range n {
		diagonal[i], _, _ = s.system.TangentBlock(i+1, i+1)
		if i > 0 {
			next[i-1], _, _ = s.system.TangentBlock(i, i+1)
		}
	}
	return diagonal, next
}

// multiply makes dst the product of the matrix and x.
func (m *mass) multiply(dst, x []spatial.Vec6) {
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

// krylovSpace is an orthonormal basis, in the inner product of the mass, of an Arnoldi iteration.
type krylovSpace struct {
	mass  *mass
	basis [][]spatial.Vec6
	h     [][]float64 // column k: the components of the image of basis vector k
	image []spatial.Vec6
}

func newKrylovSpace(m *mass) *krylovSpace {
	return &krylovSpace{mass: m, image: make([]spatial.Vec6, len(m.diagonal))}
}

func (k *krylovSpace) last() []spatial.Vec6 { return k.basis[len(k.basis)-1] }

// append orthogonalises v, the image of the last vector, against the basis, twice, and appends it. It reports whether anything is left.
func (k *krylovSpace) append(v []spatial.Vec6) bool {
	column := make([]float64, len(k.basis)+1)
	k.mass.multiply(k.image, v)
	size := math.Sqrt(equations.Inner(v, k.image))
	for range 2 {
		for j, b := range k.basis {
			k.mass.multiply(k.image, v)
			f := equations.Inner(b, k.image)
			column[j] += f
			equations.AddScaled(v, -f, b)
		}
	}
	k.mass.multiply(k.image, v)
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

// combine returns the real part of a vector of ritz on the nodes.
func (k *krylovSpace) combine(c []complex128) []spatial.Vec6 {
	x := make([]spatial.Vec6, len(k.mass.diagonal))
	for j, f := range c {
		equations.AddScaled(x, real(f), k.basis[j])
	}
	return x
}
