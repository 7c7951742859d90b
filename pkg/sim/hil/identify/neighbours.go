package identify

import (
	"context"
	"errors"
	"fmt"

	"sinew/pkg/sim"
)

// neighbours predicts trials with several robots of similar parameters side by side: the
// equilibria of the first, the reference, are the initial guesses of the others, which are
// extrapolated by the derivative where there is one.
type neighbours struct {
	ctx     context.Context
	problem *Problem
	follow  bool // by the derivative alone
}

// newNeighbours makes neighbours for one worker.
func (p *Problem) newNeighbours(ctx context.Context) *neighbours { return &neighbours{ctx, p, false} }

// newFollowers makes, for one worker, neighbours that only follow the derivative. They fail where there is none.
func (p *Problem) newFollowers(ctx context.Context) *neighbours { return &neighbours{ctx, p, true} }

// errNoTangent: the model does not know the derivative of a trial.
var errNoTangent = errors.New("no derivative is known of this trial")

// residuals implements fit.Nearby.
func (n *neighbours) residuals(x []float64, points, dst [][]float64, errs []error) {
	references := variants{problem: n.problem, x: x}
	robots := make([]variants, len(points))
	for i, at := range points {
		robots[i] = variants{problem: n.problem, x: at}
	}
	left := append([][]float64(nil), dst...)
	for _, tr := range n.problem.Trials {
		if !tr.decides() {
			continue
		}
		reference, err := references.of(tr)
		if err != nil {
			reference = nil // each robot searches without a warm start, or reports its own error
		}
		others := make([]*run, len(points))
		for i := range others {
			if errs[i] == nil {
				others[i], errs[i] = robots[i].of(tr)
			}
		}
		s := newSideBySide(n.ctx, tr, reference, others, errs)
		s.follow = n.follow
		s.run()
		for i := range others {
			if errs[i] == nil {
				left[i] = n.problem.putTrial(left[i], tr, s.dst[i])
			}
		}
	}
}

// sideBySide is one trial of several robots.
type sideBySide struct {
	ctx       context.Context
	trial     *Trial
	reference *run
	others    []*run
	errs      []error
	dst       [][]deviation // of the others
	follow    bool          // by the derivative alone
}

func newSideBySide(ctx context.Context, tr *Trial, reference *run, others []*run, errs []error) *sideBySide {
	s := &sideBySide{ctx: ctx, trial: tr, reference: reference, others: others, errs: errs}
	for range others {
		s.dst = append(s.dst, make([]deviation, len(tr.rows)))
	}
	return s
}

// run predicts the trial.
func (s *sideBySide) run() {
	if s.reference != nil && s.trial.Static {
		if l, ok := sim.As[warmStarter](s.reference.model.Model); ok {
			s.equilibria(l)
			return
		}
	}
	s.each(func(i int) error {
		if s.follow {
			return errNoTangent
		}
		return s.others[i].trial(s.ctx, s.trial, s.dst[i])
	})
}

// each does f for every robot that has not failed.
func (s *sideBySide) each(f func(i int) error) {
	for i := range s.others {
		if s.errs[i] != nil {
			continue
		}
		if err := f(i); err != nil {
			s.errs[i] = fmt.Errorf("%s: %w", s.trial.Name, err)
		}
	}
}

// equilibria finds the equilibria of all rows; in each row that of the reference l first.
func (s *sideBySide) equilibria(l warmStarter) {
	l.KeepReference()
	lost := s.reference.begin(s.trial) != nil
	s.each(func(i int) error { return s.others[i].begin(s.trial) })
	in, ins := sim.NewInputs(s.reference.model.Model), make([]*sim.Inputs, len(s.others))
	s.each(func(i int) error {
		ins[i] = sim.NewInputs(s.others[i].model.Model)
		return nil
	})
	seen := make([]deviation, len(s.trial.rows))
	for k := range s.trial.rows[:s.trial.measuredUntil()] {
		lost = lost || s.reference.equilibrium(s.trial, k, in, l.Equilibrate, seen) != nil
		s.each(func(i int) error {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			o := s.others[i]
			m, _ := sim.As[warmStarter](o.model.Model) // as the reference is one
			find := m.Equilibrate
			switch {
			case s.follow && lost:
				return errNoTangent
			case s.follow:
				find = func() error { return m.EquilibrateBySensitivity(s.reference.model.Model) }
			case !lost:
				find = func() error { return m.EquilibrateNear(s.reference.model.Model) }
			}
			return o.equilibrium(s.trial, k, ins[i], find, s.dst[i])
		})
	}
}
