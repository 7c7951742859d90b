package identify

import (
	"context"
	"fmt"
	"slices"

	"sinew/pkg/sim/hil/fit"
)

// Problem is a robot file, its free numbers, and the trials that decide about them.
type Problem struct {
	Trials []*Trial
	// RotationWeight is how many metres count as much as 1 rad in measured
	// rotations; 0 fits positions only.
	RotationWeight float64
	// Loss and its scale (m) make rows that are far off count less; empty: least squares.
	Loss      fit.Loss
	LossScale float64
	// Deviation is the standard deviation of a measured coordinate, m, by which priors are
	// weighed against the data; 0 takes that of the residuals that are left.
	Deviation float64
	// Notes are what people should know about the choice of parameters.
	Notes []string

	base       File // the file that the search starts from
	complete   File // the same with every default filled in
	free       []Free
	parameters []fit.Parameter
	body       bool // the robot is a body in a fluid
	best       bestPrediction
}

// NewProblem makes a problem without trials. newFile makes an empty robot file, base
// is the one that the search starts from.
func NewProblem(newFile func() File, base File, free []Free) (*Problem, error) {
	p := &Problem{base: base, complete: newFile(), free: free}
	text, err := base.Print()
	if err != nil {
		return nil, err
	}
	p.complete.Merge("robot file", text)
	for i := range free {
		p.parameters = append(p.parameters, free[i].Parameters...)
	}
	numbers, err := base.Numbers()
	_, p.body = fileNumbers(numbers).at("body.density_kg_per_m3")
	p.noteModuli(numbers)
	return p, err
}

// noteModuli says that one modulus stays when the other is free, of the rod or of a section.
func (p *Problem) noteModuli(n fileNumbers) {
	const e, g = "youngs_modulus_pa", "shear_modulus_pa"
	var free []string
	for i := range p.free {
		free = append(free, p.free[i].Paths()...)
	}
	for _, path := range free {
		of, key := cutLast(path)
		other := map[string]string{e: g, g: e}[key]
		if other == "" {
			continue
		}
		other = of + "." + other
		value, ok := n.at(other)
		if rod, found := n.at(ancestorOf(other)); found && rod == value && slices.Contains(free, ancestorOf(path)) {
			continue // as that of the rod, of which it is said
		}
		if ok && !slices.Contains(free, other) {
			p.Notes = append(p.Notes, fmt.Sprintf("%s is not free and stays at %.6g Pa; where the material is not certain or the motion leaves a plane, free it, too: Poisson's ratio is E/2G - 1", other, value))
		}
	}
}

// Parameters returns the free parameters.
func (p *Problem) Parameters() []fit.Parameter { return p.parameters }

// Start returns the parameters of the robot file.
func (p *Problem) Start() []float64 {
	x := make([]float64, len(p.parameters))
	for i := range x {
		x[i] = p.parameters[i].Start
	}
	return x
}

// Difference is the relative step of differences that suits models: they are accurate to about 1e-10,
// and not smooth where tendons stick or slacken. Where they jump more, fit.Fit takes larger ones.
const Difference = 1e-4

// Fit finds the parameters that predict the trials best. As fit.Fit, it returns the best there is with the error of the
// context.
func (p *Problem) Fit(ctx context.Context, o fit.Options) (*fit.Result, error) {
	o.Difference = Difference
	r, err := fit.Fit(ctx, fit.Problem{Parameters: p.parameters, Data: p.data(ctx), Loss: p.Loss, LossScale: p.LossScale}, o)
	if err != nil {
		return r, fmt.Errorf("identify: %w", err)
	}
	return r, nil
}
