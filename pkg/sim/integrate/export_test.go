package integrate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Unexported names for the external tests.
const (
	ChordToleranceShare  = chordToleranceShare
	MaxEstimates         = maxEstimates
	MotionToleranceShare = motionToleranceShare
)

var (
	DexpInv = dexpInv
	ExpStep = expStep
)

// Distance returns the larger of angle and displacement between two placements.
func Distance(a, b Placement) float64 {
	return math.Max(a.Q.Conj().Mul(b.Q).Log().Norm(), a.P.Sub(b.P).Norm())
}

// Pendulum is a mass of 2 kg on a rod of 1 m in the plane, with drag, in the coordinates x, y with
// the constraint x² + y² = 1.
type Pendulum struct{}

const (
	BobMass = 2.
	BobDrag = 0.4 // N s/m
	BobG    = 9.81
)

func (Pendulum) Size() (n, m int) { return 2, 1 }

func (Pendulum) SetPoint(x Motion, p *Point) {
	p.Q[0], p.Q[1], p.V[0], p.V[1] = x.P.X, x.P.Y, x.V.Linear.X, x.V.Linear.Y
}

func (Pendulum) MotionOf(p *Point) Motion {
	var x Motion
	x.Q.W = 1
	x.P.X, x.P.Y, x.V.Linear.X, x.V.Linear.Y = p.Q[0], p.Q[1], p.V[0], p.V[1]
	return x
}

func (Pendulum) Advance(from, d *[MaxVelocities]float64, p *Point) {
	p.Q[0], p.Q[1] = from[0]+d[0], from[1]+d[1]
}

func (Pendulum) Assemble(_ float64, p *Point, _ *[MaxVelocities]float64, e *Equations) error {
	*e = Equations{}
	gravity := [2]float64{0, -BobG}
	for i := range 2 {
		e.B[i], e.BT[i] = 2*p.Q[i], 2*p.Q[i]
		e.Residual[i] = BobMass*(p.A[i]-gravity[i]) + BobDrag*p.V[i] + 2*p.Q[i]*p.Lambda[0]
		k := i * (MaxVelocities + 1)
		e.M[k], e.C[k], e.K[k] = BobMass, BobDrag, 2*p.Lambda[0]
	}
	e.Phi[0] = p.Q[0]*p.Q[0] + p.Q[1]*p.Q[1] - 1
	e.PhiRate[0] = 2 * (p.Q[0]*p.V[0] + p.Q[1]*p.V[1])
	e.PhiCurve[0] = 2 * (p.V[0]*p.V[0] + p.V[1]*p.V[1])
	return nil
}

// Swinging returns the motion of the pendulum at an angle from straight down (rad) with the given
// rate.
func Swinging(angle, rate float64) Motion {
	sin, cos := math.Sincos(angle)
	var x Motion
	x.Q.W = 1
	x.P.X, x.P.Y = sin, -cos
	x.V.Linear.X, x.V.Linear.Y = rate*cos, rate*sin
	return x
}

func Alpha(t *testing.T, rho float64) *Newmark[Pendulum] {
	t.Helper()
	s, err := NewGeneralizedAlpha(Pendulum{}, rho)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Fill gives s random entries with a dominant diagonal of the given sign, and returns the same
// matrix dense.
func Fill(s *Skyline, r *rand.Rand, sign float64) *mat.SymDense {
	n := s.Len()
	d := mat.NewSymDense(6*n, nil)
	for j := range n {
		for i := s.first[j]; i < j; i++ {
			b := s.Block(i, j)
			for k := range b {
				b[k] = r.NormFloat64()
				d.SetSym(6*i+k/6, 6*j+k%6, b[k])
			}
		}
		m := s.Diag(j)
		for a := range 6 {
			for c := range a + 1 {
				m[6*a+c] = r.NormFloat64()
				if a == c {
					m[6*a+c] = sign * (40 + 10*r.Float64())
				} else {
					m[6*c+a] = math.NaN() // must not be read
				}
				d.SetSym(6*j+a, 6*j+c, m[6*a+c])
			}
		}
	}
	return d
}
