package fit

import (
	"errors"
	"math"
	"math/rand/v2"
)

// Unexported names for the external tests.
var SumOfSquares = sumOfSquares

var ErrBuckled = errors.New("buckled")

// UnitLine is the problem of fitting x to 0 in [−10, 10] where the model exists as far
// as exists says.
func UnitLine(start float64, exists func(x float64) bool) Problem {
	return Problem{
		Parameters: []Parameter{{Name: "x", Start: start, Min: -10, Max: 10}},
		Data: Same(2, func(b, dst []float64) error {
			if !exists(b[0]) {
				return ErrBuckled
			}
			dst[0], dst[1] = b[0], 1
			return nil
		}),
	}
}

// Decay is the problem of fitting b0 exp(−b1 t) to data, unbounded.
func Decay(b0, b1, noise float64, seed uint64) Problem {
	const count = 40
	random := rand.New(rand.NewPCG(seed, 7))
	t, y := make([]float64, count), make([]float64, count)
	for i := range t {
		t[i] = 0.1 * float64(i)
		y[i] = b0*math.Exp(-b1*t[i]) + noise*random.NormFloat64()
	}
	f := func(b, dst []float64) error {
		for i := range t {
			dst[i] = b[0]*math.Exp(-b[1]*t[i]) - y[i]
		}
		return nil
	}
	return Problem{
		Parameters: []Parameter{
			{Name: "amplitude", Unit: "m", Start: b0 / 2, Min: b0 / 100, Max: b0 * 100, Log: true},
			{Name: "rate", Unit: "1/s", Start: b1 * 1.5, Min: b1 / 100, Max: b1 * 100, Log: true},
		},
		Data: Same(count, f),
	}
}

// Same is data whose workers share one function without state.
func Same(count int, f Residuals) Data {
	return Data{Count: count, New: func() (Residuals, error) { return f, nil }}
}
