package offline

import (
	"fmt"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// stepError is how far the robot is from where it would be with ever shorter steps: the largest of all samples.
type stepError struct {
	StepLink            string  `json:"step_link,omitempty"` // of a mechanism, where the error of the tip is
	StepTipErrorM       float64 `json:"step_tip_error_m"`
	StepTipErrorPercent float64 `json:"step_tip_error_percent"`
	StepShapeErrorM     float64 `json:"step_shape_error_m"` // of any node
	StepS               float64 `json:"step_s"`
	// StepImpacts is the number of half steps with an impact. Their error is of order 1, and depends on where within a step it falls.
	StepImpacts int `json:"step_impacts"`
}

// remainder is the error of steps over the change by steps of half their length (Richardson): of order 2, and of order 1 where there are
// impacts.
const remainder, remainderOfImpacts = 4. / 3, 2.

// sampled lets run make the samples of the robot of the file.
func sampled(e *cli.Env, made *program.Instance, run func(sim.Model, sink) error) (*tipsOf, error) {
	model, err := made.Refined(1)
	if err != nil {
		return nil, err
	}
	tips, err := newTips(model, e.Robot.Shown)
	if err == nil {
		err = run(model, tips)
	}
	return tips, err
}

// estimateSteps lets run make the samples of the robot with steps in so many parts and compares them with whole.
func estimateSteps(e *cli.Env, made *program.Instance, whole *tipsOf, run func(m sim.Model, to sink, parts int) error) (*stepError, error) {
	var steps sim.StepErrorEstimator // counts impacts
	half, err := sampled(e, made, func(m sim.Model, to sink) error {
		if x, ok := sim.As[sim.StepErrorEstimator](m); ok && x.BeginStepError() == nil {
			steps = x
		}
		return run(m, to, 2)
	})
	if err != nil {
		return nil, fmt.Errorf("the error of the steps is unknown: with half of step_s: %w", err)
	}
	t, remainder := &stepError{StepS: made.Timing.StepS, StepLink: whole.links[0].link}, remainder
	if steps != nil && steps.Impacts() > 0 {
		t.StepImpacts, remainder = steps.Impacts(), remainderOfImpacts
	}
	for k := range whole.links {
		if off := remainder * whole.links[k].farthest(&half.links[k]); off > t.StepTipErrorM {
			t.StepLink, t.StepTipErrorM = whole.links[k].link, off
		}
	}
	t.StepShapeErrorM = t.StepTipErrorM
	for k := range whole.rods {
		t.StepShapeErrorM = max(t.StepShapeErrorM, remainder*whole.rods[k].farthest(&half.rods[k]))
	}
	t.StepTipErrorPercent = 100 * t.StepTipErrorM / made.LengthM
	return t, nil
}

// farthest is the largest distance of two positions in the same sample, m.
func (x *points) farthest(other *points) (most float64) {
	for i, sample := range x.samples {
		for k, p := range sample {
			most = max(most, p.Sub(other.samples[i][k]).Norm())
		}
	}
	return most
}

// String is the estimate in a line.
func (t *stepError) String() string {
	percent := t.StepTipErrorPercent
	s := fmt.Sprintf("error of the steps of %.4g s: %.2g m (%.2g %% of the length) at %s, %.2g m anywhere on a rod", t.StepS, t.StepTipErrorM, percent, placeOf(t.StepLink), t.StepShapeErrorM)
	if t.StepImpacts > 0 {
		s += fmt.Sprintf("; steps of half the length that have an impact: %d. The error is of order 1 then and known by its magnitude at best, since it depends on where within a step they fall; compare runs with several values of solver.step_s", t.StepImpacts)
	}
	return s
}
