package stokes

import (
	"math"
	"math/rand/v2"

	"sinew/pkg/sim/spatial"
)

// Boltzmann is the Boltzmann constant k, J/K (exact since 2019).
const Boltzmann = 1.380649e-23

// Noise is a source of independent standard normal numbers, equal for equal seeds.
// It is a plain value: a copy continues the same sequence, which saves and restores
// a state. It is not safe for concurrent use.
type Noise struct{ source rand.PCG }

// NewNoise returns the source of the given seed; streams of one seed are
// independent, one for each robot.
func NewNoise(seed, stream uint64) Noise { return Noise{source: *rand.NewPCG(seed, stream)} }

// Normal returns the next number.
func (n *Noise) Normal() float64 { return rand.New(&n.source).NormFloat64() }

// Vec returns three numbers.
func (n *Noise) Vec() spatial.Vec {
	r := rand.New(&n.source) // stays on the stack
	return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
}

// Fill fills dst.
func (n *Noise) Fill(dst []float64) {
	r := rand.New(&n.source)
	for i := range dst {
		dst[i] = r.NormFloat64()
	}
}

// ThermalWrench draws the random load with which the fluid, of thermal energy kT
// (J, Boltzmann times temperature), shakes a body during a step of h seconds: of
// covariance 2kT/h times the resistance R = L Lᵀ, in its axes and about its
// reference point, coupling included.
//
// Draw it once per step and hold it, in the axes of the resistance, through all
// stages. With the mobility M of each stage it moves the body by M f:
//
//   - Far from walls the resistance is constant in body axes. A step that applies
//     the twist M f by the exponential map in body axes has the covariance 2kTh M,
//     is of weak order 1, and needs no drift term.
//   - Near walls M depends on the position. The midpoint scheme (Fixman 1978) takes
//     f from the resistance at the start, steps h/2 with M there, and then the whole
//     step with M at the midpoint: that yields the drift kT ∇·M, without which
//     spheres would leave or collect at walls.
//
// Do not draw again inside the stages of a Runge-Kutta step.
func (l *Factor) ThermalWrench(n *Noise, kT, h float64) spatial.Wrench {
	a, b := n.Vec(), n.Vec()
	f, m := l.Apply(a, b)
	s := math.Sqrt(2 * kT / h)
	return spatial.Wrench{Force: f.Scale(s), Moment: m.Scale(s)}
}
