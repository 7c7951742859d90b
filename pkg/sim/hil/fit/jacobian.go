package fit

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// errNoDerivative: the model has no value on either side of a point.
var errNoDerivative = errors.New("no derivative")

// scheme is how one column of the Jacobian is taken: the sum of weight·r(u +
// offset·h), and middle·r(u), over h.
type scheme struct {
	offsets, weights []float64
	middle           float64
}

// Differences of first and second order.
var (
	forward       = scheme{[]float64{1}, []float64{1}, -1}
	backward      = scheme{[]float64{-1}, []float64{-1}, 1}
	central       = scheme{[]float64{-1, 1}, []float64{-0.5, 0.5}, 0}
	forwardTwice  = scheme{[]float64{1, 2}, []float64{2, -0.5}, -1.5}
	backwardTwice = scheme{[]float64{-1, -2}, []float64{-2, 0.5}, 1.5}
)

// Schemes in order of preference: one that leaves the bounds or meets a model that
// fails is followed by the next.
var (
	firstOrder  = []scheme{forward, backward}
	secondOrder = []scheme{central, forwardTwice, backwardTwice, forward, backward}
)

// within reports whether a scheme keeps within the bounds of the axis.
func (c *scheme) within(a *axis, u, h float64) bool {
	for _, o := range c.offsets {
		if v := u + o*h; v < a.lo || v > a.hi {
			return false
		}
	}
	return true
}

// difference fills column i of j, or returns why there is no model.
func (c *scheme) difference(j *mat.Dense, i int, outcomes []outcome, r []float64, h float64) error {
	for _, o := range outcomes {
		if o.err != nil {
			return o.err
		}
	}
	for k := range r {
		d := c.middle * r[k]
		for m, o := range outcomes {
			d += c.weights[m] * o.r[k]
		}
		j.Set(k, i, d/h)
	}
	return nil
}

// column is a column of the Jacobian that is still to be taken.
type column struct {
	axis    int
	apart   float64  // relative step
	h       float64  // the same in the coordinate
	schemes []scheme // left to try
	failure error    // error of the last one tried
}

// begin tries schemes with a relative step of at most apart.
func (c *column) begin(a *axis, u, apart float64, schemes []scheme) {
	c.apart, c.schemes = apart, schemes
	c.h = a.step(u, apart)
}

// next drops schemes that leave the bounds. Where none is left it goes back to differences less far
// apart, down to least, before it gives up.
func (c *column) next(a *axis, u, least float64, schemes []scheme) error {
	for {
		for len(c.schemes) > 0 && !c.schemes[0].within(a, u, c.h) {
			c.schemes = c.schemes[1:]
		}
		if len(c.schemes) > 0 {
			return nil
		}
		if c.apart <= least {
			break
		}
		c.begin(a, u, max(least, c.apart/coarser), schemes)
	}
	if c.failure == nil {
		c.failure = errors.New("the bounds are too narrow")
	}
	return fmt.Errorf("%w with respect to %s: %w", errNoDerivative, a.Name, c.failure)
}

// differencing is how derivatives are taken: by differences over a relative step that is at most apart and, where that does not
// fit, at least least, of points that are evaluated by a function of the search.
type differencing struct {
	schemes      []scheme
	apart, least float64
	by           func(x []float64, points [][]float64) []outcome
	anew         bool // the residuals at u are evaluated so, too
	exact        bool // the derivative is known: points are no simulations, and no failures of the model
}

// tangentStep is the relative step of the differences by which a derivative is read off that the model knows: small, as it
// is exact to round-off.
const tangentStep = 1e-6

// tangent uses the derivatives that the model provides.
func (s *search) tangent() differencing {
	return differencing{firstOrder, tangentStep, tangentStep, s.pool.along, true, true}
}

// difference takes them by differences of the model.
func (s *search) difference(schemes []scheme, apart float64) differencing {
	return differencing{schemes, apart, s.options.Difference, s.pool.near, s.pool.nearby != nil, false}
}

// jacobian is dr/du at u, where the residuals are r: a row per residual, a column
// per axis; widest is the largest relative step that was taken.
func (s *search) jacobian(u, r []float64, w differencing) (j *mat.Dense, widest float64, err error) {
	j = mat.NewDense(len(r), len(u), nil)
	left := make([]column, len(u))
	for i := range left {
		left[i].axis = i
		left[i].begin(&s.axes[i], u[i], s.axes[i].apart(u[i], w.apart, w.least), w.schemes)
	}
	for len(left) > 0 {
		outcomes, err := s.differences(u, left, &w)
		if err != nil {
			return nil, 0, err
		}
		if w.anew { // u was evaluated as points nearby are, last
			last := len(outcomes) - 1
			if r = outcomes[last].r; r == nil {
				return nil, 0, outcomes[last].err
			}
			outcomes = outcomes[:last]
		}
		again := left[:0]
		for _, c := range left {
			d := &c.schemes[0]
			mine := outcomes[:len(d.offsets)]
			outcomes = outcomes[len(d.offsets):]
			if c.failure = d.difference(j, c.axis, mine, r, c.h); c.failure != nil {
				c.schemes = c.schemes[1:]
				again = append(again, c)
				continue
			}
			widest = max(widest, c.apart)
		}
		left = again
	}
	return j, widest, nil
}

// differences evaluates what the first scheme of each column asks for.
func (s *search) differences(u []float64, columns []column, w *differencing) ([]outcome, error) {
	var points [][]float64
	for k := range columns {
		c := &columns[k]
		if err := c.next(&s.axes[c.axis], u[c.axis], w.least, w.schemes); err != nil {
			return nil, err
		}
		for _, o := range c.schemes[0].offsets {
			v := append([]float64(nil), u...)
			v[c.axis] += o * c.h
			points = append(points, v)
		}
	}
	if w.anew {
		points = append(points, u)
	}
	if w.exact {
		s.evaluations++ // of which the derivative is
		return w.by(s.outer(u), s.outers(points)), s.ctx.Err()
	}
	return s.evaluateBy(points, func(outer [][]float64) []outcome { return w.by(s.outer(u), outer) })
}

// evaluate gives the residuals at several points of the search.
func (s *search) evaluate(points [][]float64) ([]outcome, error) {
	return s.evaluateBy(points, s.pool.all)
}

// evaluateBy gives them by a function of the parameters there.
func (s *search) evaluateBy(points [][]float64, by func(outer [][]float64) []outcome) ([]outcome, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	s.evaluations += len(points)
	outcomes := by(s.outers(points))
	for _, o := range outcomes {
		if o.err != nil && s.ctx.Err() == nil {
			if s.failed++; s.failure == nil {
				s.failure = o.err
			}
		}
	}
	return outcomes, nil
}

func (s *search) outers(points [][]float64) (all [][]float64) {
	for _, u := range points {
		all = append(all, s.outer(u))
	}
	return all
}

// outer gives the parameters at a point of the search.
func (s *search) outer(u []float64) []float64 {
	x := make([]float64, len(u))
	for i := range u {
		x[i] = s.axes[i].outer(u[i])
	}
	return x
}
