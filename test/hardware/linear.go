package main

import (
	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// linear is the baseline: the tip as a linear function of how far each tendon is
// pulled, fitted to rows. It returns what that predicts for other rows, m.
func linear(rows, others []row) ([]spatial.Vec, error) {
	tips := mat.NewDense(len(rows), 3, nil)
	for i := range rows {
		t := &rows[i].tip
		tips.SetRow(i, []float64{t.X, t.Y, t.Z})
	}
	var slope mat.Dense
	if err := slope.Solve(pulls(rows), tips); err != nil {
		return nil, err
	}
	var product mat.Dense
	product.Mul(pulls(others), &slope)
	p := make([]spatial.Vec, len(others))
	for i := range p {
		p[i] = spatial.Vec{X: product.At(i, 0), Y: product.At(i, 1), Z: product.At(i, 2)}
	}
	return p, nil
}

// pulls has a row max(servo, 0) … 1 for every row.
func pulls(rows []row) *mat.Dense {
	m := mat.NewDense(len(rows), tendonCount+1, nil)
	for i := range rows {
		for k, x := range rows[i].servo {
			m.Set(i, k, max(x, 0))
		}
		m.Set(i, tendonCount, 1)
	}
	return m
}
