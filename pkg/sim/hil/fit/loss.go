package fit

import (
	"fmt"
	"math"
	"strings"
)

// Loss is the loss function of residuals. Names and formulas are those of
// scipy.optimize.least_squares.
type Loss string

// The losses. Above the scale the loss of a residual is proportional to its size (Huber), or
// approaches a constant (Cauchy); below the scale it is quadratic.
const (
	Linear Loss = "linear" // least squares, also the empty Loss
	Huber  Loss = "huber"
	Cauchy Loss = "cauchy"
)

// Losses lists every loss.
var Losses = []Loss{Linear, Huber, Cauchy}

// ParseLoss finds a loss by its name.
func ParseLoss(name string) (Loss, error) {
	var names []string
	for _, l := range Losses {
		if string(l) == name {
			return l, nil
		}
		names = append(names, string(l))
	}
	return "", fmt.Errorf("%q is no loss; allowed: %s", name, strings.Join(names, ", "))
}

// rho returns ρ, its derivative, which is the weight of a squared residual, and the
// derivative of ψ = r ρ′ with respect to r, all for z = (r / scale)².
func (l Loss) rho(z float64) (value, weight, slope float64) {
	switch {
	case l == Huber && z > 1:
		root := math.Sqrt(z)
		return 2*root - 1, 1 / root, 0
	case l == Cauchy:
		return math.Log1p(z), 1 / (1 + z), (1 - z) / ((1 + z) * (1 + z))
	}
	return z, 1, 1
}
