package program

import (
	"errors"

	"sinew/pkg/sim"
)

// LinearisedStep is a linearised step of StepS seconds, for other programs.
type LinearisedStep struct {
	StepS float64 `json:"step_s"`
	*sim.Linearisation
}

// Linearise linearises a step of dt seconds, dt > 0, from the present state of m, which stays what it is.
func Linearise(m sim.Model, dt float64) (*LinearisedStep, error) {
	l, ok := sim.As[sim.Linearisable](m)
	if !ok {
		return nil, errors.New("linearised steps are for mechanisms and rods with method implicit")
	}
	step, err := l.Linearise(dt)
	if err != nil {
		return nil, err
	}
	return &LinearisedStep{dt, step}, nil
}

// Tangent returns the quasi-static derivative of m at its present shape, which stays what it is.
func Tangent(m sim.Model) (*sim.Jacobian, error) {
	d, ok := sim.As[sim.Differentiable](m)
	if !ok || !d.HasDerivatives() {
		return nil, errors.New("derivatives are for mechanisms and rods with method implicit")
	}
	return d.Tangent()
}
