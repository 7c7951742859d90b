package fit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Termination is the reason why a search from one start ended.
type Termination string

// The endings of a search.
const (
	Converged Termination = "converged"
	// Stalled: no step lessens the residuals any more, though the derivatives
	// promise it: the model is not smooth, or less accurate than Difference needs.
	Stalled Termination = "stalled"
	// Exhausted: Options.Iterations were not enough.
	Exhausted Termination = "out of iterations"
	// Abandoned: further steps promise nothing better than another start has led to.
	Abandoned Termination = "abandoned"
	// Interrupted: the context ended.
	Interrupted Termination = "interrupted"
	// Failed: the model cannot be evaluated at the start, or around a point.
	Failed Termination = "failed"
)

// Constants of the damping, see the package documentation.
const (
	firstDamping = 1e-3
	mostDamping  = 1e14 // beyond, steps are below round-off
	leastDamping = 1e-14
	roundoff     = 0x1p-50 // relative, of a sum of squares
	smallStep    = 1e-12   // change of a coordinate that counts as no step
	noisyStep    = 1e-6    // the same where no step lessens the residuals, because
	noisyOffset  = 0.05    // the model is not exact; and the offset that then is left
	coarser      = 10      // times as far are differences taken of a model that is not smooth,
	coarsest     = 0.1     // up to this relative step,
	unlike       = 0.2     // where derivatives over both differ by more than this share
	poorGain     = 1e-2    // share of what derivatives promise below which a step is poor,
	manyTries    = 4       // as is one that so many have been tried for,
	mostPoor     = 5       // and how many of those in a row end the search
)

// point is a place of the search.
type point struct {
	u, r []float64
	ssr  float64 // cost of r: the sum of squares, unless there are a loss or priors
}

// descent is a search from one start.
type descent struct {
	*search
	objective
	at       point
	mu, grow float64
	scale    []float64  // greatest norms of the columns of J so far
	exact    bool       // the model provides exact derivatives
	fine     bool       // they are that, or of second order
	apart    float64    // relative step of the differences, where there is room
	widest   float64    // the largest that the Jacobian has
	poor     int        // number of last steps in a row that were poor
	hopeless int        // the same of those that promise nothing better than target
	target   float64    // cost of the best search before, which others are abandoned for; 0: none
	j        *mat.Dense // Jacobian at the present point; nil before it is taken
	steps    int
}

// descend searches from u. Where there is no model, it begins nearer to home, which
// is known to have one.
func (s *search) descend(u, home []float64, progress func(*descent)) (*descent, Termination, error) {
	at, err := s.begin(u, home)
	if err != nil {
		return nil, Failed, err
	}
	d := &descent{search: s, target: s.target, objective: s.objective(), at: at, mu: firstDamping, grow: 2, scale: make([]float64, len(u)), apart: s.options.Difference}
	d.exact = s.pool.tangents != nil
	d.fine = d.exact
	for d.steps = 0; d.steps < s.options.Iterations; d.steps++ {
		d.reweigh()
		progress(d)
		ending, err := d.step()
		if err != nil || ending != "" {
			return d, ending, err
		}
	}
	d.reweigh()
	return d, Exhausted, d.refine()
}

// begin evaluates the residuals at u, or half way to home, and so on.
func (s *search) begin(u, home []float64) (point, error) {
	const halvings = 4
	for k := 0; ; k++ {
		outcomes, err := s.evaluate([][]float64{u})
		if err != nil {
			return point{}, err
		}
		if o := outcomes[0]; o.err == nil {
			return point{u, o.r, sumOfSquares(o.r)}, nil
		} else if k == halvings {
			return point{}, o.err
		}
		for i := range u {
			u[i] = (u[i] + home[i]) / 2
		}
	}
}

// refine takes the Jacobian with differences of second order, unless it is.
func (d *descent) refine() (err error) {
	if d.j == nil || !d.fine {
		d.fine = true
		if err = d.derive(); err == nil && !d.fine { // the model has turned out not to know it
			d.fine = true
			err = d.derive()
		}
	}
	return err
}

// derive takes the Jacobian at the present point. Where the model does not know it, it is taken by differences from now on.
func (d *descent) derive() (err error) {
	if d.exact {
		if d.j, d.widest, err = d.jacobian(d.at.u, d.at.r, d.tangent()); err == nil || cancelled(err) {
			return err
		}
		d.exact, d.fine = false, false
	}
	schemes := firstOrder
	if d.fine {
		schemes = secondOrder
	}
	d.j, d.widest, err = d.jacobian(d.at.u, d.at.r, d.difference(schemes, d.apart))
	return err
}

// step takes a step, or returns why the search has ended.
func (d *descent) step() (Termination, error) {
	if d.j == nil {
		if err := d.derive(); err != nil {
			return Failed, err
		}
	}
	l := linearize(weighed(d.j, d.at.r, d.factors(d.at.r)))
	for i, n := range l.norms {
		d.scale[i] = max(d.scale[i], n)
	}
	if offset, tiny := d.offset(l, smallStep); offset <= d.options.Tolerance || tiny {
		if d.fine {
			return Converged, nil
		}
		d.fine, d.j = true, nil // search once more with better derivatives
		return "", nil
	}
	if d.isHopeless(l) {
		return Abandoned, nil
	}
	moved, err := d.tryDamped(l)
	switch {
	case err != nil:
		return Failed, err
	case moved && d.poor == 0:
		d.j = nil
		return "", nil
	case !moved && !d.fine:
		d.nextDifference()
		return "", nil
	}
	if rough, err := d.coarsenDifferences(moved); err != nil || rough {
		return terminationOf(err), err
	}
	switch {
	case moved && d.poor < mostPoor:
		return "", nil
	case !d.fine:
		d.nextDifference()
		return "", nil
	}
	// the possible gain is below the round-off of the model
	l = linearize(weighed(d.j, d.at.r, d.factors(d.at.r)))
	if offset, tiny := d.offset(l, noisyStep); offset <= noisyOffset || tiny {
		return Converged, nil
	}
	return Stalled, nil
}

// nextDifference searches on with better derivatives.
func (d *descent) nextDifference() {
	d.fine, d.j, d.mu, d.grow = true, nil, firstDamping, 2
}

// terminationOf is the ending of a search with an error.
func terminationOf(err error) Termination {
	if err != nil {
		return Failed
	}
	return ""
}

// coarsenDifferences looks, after a step that was poor by what the derivatives promise, whether the model is
// smooth: whether derivatives are about the same over differences further apart. If not, they
// are taken so from now on, as there the model changes by more than it jumps.
func (d *descent) coarsenDifferences(moved bool) (bool, error) {
	if moved {
		if err := d.derive(); err != nil {
			return false, err
		}
	}
	if d.apart >= coarsest {
		return false, nil
	}
	near, before, widest, exact := d.j, d.apart, d.widest, d.exact
	if d.exact = false; !exact {
		d.apart = min(coarsest, coarser*d.apart)
	}
	if err := d.derive(); cancelled(err) {
		return false, err
	} else if err != nil || almostEqual(near, d.j) { // a failed model at that distance gives no information
		d.j, d.apart, d.widest, d.exact = near, before, widest, exact
		return false, nil
	}
	d.mu, d.grow, d.poor = firstDamping, 2, 0
	clear(d.scale)
	return true, nil
}

// almostEqual reports whether each column of two Jacobians is about the same.
func almostEqual(a, b *mat.Dense) bool {
	rows, columns := a.Dims()
	for i := range columns {
		off, size := 0.0, 0.0
		for k := range rows {
			x, y := a.At(k, i), b.At(k, i)
			off, size = off+(x-y)*(x-y), size+y*y
		}
		if off > unlike*unlike*size {
			return false
		}
	}
	return true
}

// boundDistances is how far each coordinate can move.
func (d *descent) boundDistances() (lo, hi []float64) {
	p := len(d.at.u)
	lo, hi = make([]float64, p), make([]float64, p)
	for i := range p {
		lo[i], hi[i] = d.axes[i].lo-d.at.u[i], d.axes[i].hi-d.at.u[i]
	}
	return lo, hi
}

// isHopeless counts the steps whose linearised model promises nothing better than the target.
func (d *descent) isHopeless(l *linearModel) bool {
	lo, hi := d.boundDistances()
	if d.at.ssr-l.reduction(l.solve(leastDamping, d.scaling(), lo, hi)) > d.target && d.target > 0 {
		d.hopeless++
	} else {
		d.hopeless = 0
	}
	return d.hopeless > mostHopeless
}

// atBounds are the bounds that the present point is at.
func (d *descent) atBounds() (at []Bound) {
	for i := range d.axes {
		switch a := &d.axes[i]; {
		case d.at.u[i] <= a.lo:
			at = append(at, Bound{i, false})
		case d.at.u[i] >= a.hi:
			at = append(at, Bound{i, true})
		}
	}
	return at
}

// offset is how far the residuals can still be lessened, by the linearised model:
// the relative offset of Bates & Watts (A relative offset orthogonality convergence
// criterion, 1981), which is the length of the full step in units of the joint
// standard error. tiny reports that the full step moves nothing by more than its
// share small.
func (d *descent) offset(l *linearModel, small float64) (offset float64, tiny bool) {
	if d.at.ssr == 0 {
		return 0, true
	}
	lo, hi := d.boundDistances()
	full := l.solve(leastDamping, d.scaling(), lo, hi)
	tiny = true
	for i, v := range full {
		tiny = tiny && math.Abs(v) <= small*max(1, math.Abs(d.at.u[i]))
	}
	freedom := float64(max(1, len(d.at.r)-len(full)))
	return math.Sqrt(max(0, l.reduction(full)) * freedom / d.at.ssr), tiny
}

// scaling is the scale of each coordinate; one without influence gets the scale of the
// others, so that it does not wander.
func (d *descent) scaling() []float64 {
	largest := 0.0
	for _, v := range d.scale {
		largest = max(largest, v)
	}
	scaling := append([]float64(nil), d.scale...)
	for i, v := range scaling {
		if v == 0 {
			scaling[i] = max(largest, 1)
		}
	}
	return scaling
}

// tryDamped takes the first step, with ever more damping, that lessens the
// residuals; moved is false when none does.
func (d *descent) tryDamped(l *linearModel) (moved bool, err error) {
	lo, hi := d.boundDistances()
	for tries := 1; d.mu <= mostDamping; tries++ {
		delta := l.solve(d.mu, d.scaling(), lo, hi)
		predicted := l.reduction(delta)
		if predicted > roundoff*d.at.ssr {
			next, err := d.try(delta)
			if err != nil {
				return false, err
			}
			if gain := (d.at.ssr - next.ssr) / predicted; gain > 0 {
				d.at = next
				d.mu = max(leastDamping, d.mu*max(1./3, 1-math.Pow(2*gain-1, 3)))
				d.grow = 2
				if d.poor++; gain > poorGain && tries < manyTries {
					d.poor = 0
				}
				return true, nil
			}
		}
		d.mu *= d.grow
		d.grow *= 2
	}
	return false, nil
}

// try evaluates a step. A model that fails there has an infinite sum of squares.
func (d *descent) try(delta []float64) (point, error) {
	next := point{u: make([]float64, len(delta)), ssr: math.Inf(1)}
	for i, v := range delta {
		a := &d.axes[i]
		next.u[i] = min(max(d.at.u[i]+v, a.lo), a.hi)
	}
	outcomes, err := d.evaluate([][]float64{next.u})
	if err == nil && outcomes[0].err == nil {
		next.r = outcomes[0].r
		next.ssr = d.cost(next.r)
	}
	return next, err
}

// cancelled reports whether the context of the caller has ended, in contrast to a failure of the model.
func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// failure is the text of what ended a search.
func failure(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprint(err)
}
