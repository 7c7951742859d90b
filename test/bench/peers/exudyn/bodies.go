package main

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// problem is a body with an end and what counts as its error there.
type problem struct {
	name     string
	duration float64 // s
	params   rigid.Params
	start    integrate.Motion
	exact    spatial.Mat3 // rotation at the end
}

// problems are the ones that exudyn_body.py solves: a free body that tumbles and falls, and the heavy
// top of Brüls and Cardona, here about its fixed point.
func problems() []problem {
	var pivot spatial.Vec
	p := []problem{
		{
			name: "free", duration: 10,
			params: rigid.Params{Mass: 1, Inertia: [6]float64{1, 2, 3}},
		}, {
			name: "top", duration: 1,
			params: rigid.Params{Mass: 15, Inertia: [6]float64{15.234375, 0.46875, 15.234375}, COM: spatial.Vec{Y: 1}, Pivot: &pivot},
		},
	}
	for i, w := range []spatial.Vec{{X: 0.5, Y: 2, Z: 0.3}, {Y: 150, Z: -4.61538}} {
		p[i].start = integrate.Motion{Placement: integrate.Placement{Q: spatial.IdentityQuat()}, V: spatial.Twist{Angular: w}}
	}
	return p
}

// stepper makes the method o for the problem.
func (p *problem) stepper(o rigid.Options) (integrate.Stepper, error) {
	body, err := rigid.NewBody(p.params)
	if err != nil {
		return nil, err
	}
	return rigid.NewStepper(o, body, &rigid.Constant{Body: body, Gravity: spatial.Vec{Z: -9.81}}, spatial.Vec{})
}

// march takes n steps of the problem.
func (p *problem) march(o rigid.Options, n int) (integrate.Motion, error) {
	m, err := p.stepper(o)
	x := p.start
	h := p.duration / float64(n)
	for i := 0; i < n && err == nil; i++ {
		_, err = m.Step(float64(i)*h, h, &x)
	}
	return x, err
}

// solve finds the exact end, by the method of fourth order with a step at which its error
// is below 1e-10.
func (p *problem) solve() error {
	x, err := p.march(rigid.Options{Method: rigid.RKMK4}, 200_000)
	p.exact = x.Q.Rot()
	return err
}

// off is the error of the rotation r at the end, rad.
func (p *problem) off(r spatial.Mat3) float64 { return p.exact.TMul(r).Log().Norm() }
