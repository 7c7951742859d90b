package rigid_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// state is a golden pose and body twist [ω; v].
type state struct {
	T [4][4]float64
	V [6]float64
}

func (s state) motion() integrate.Motion {
	r := spatial.Mat3{
		XX: s.T[0][0], XY: s.T[0][1], XZ: s.T[0][2],
		YX: s.T[1][0], YY: s.T[1][1], YZ: s.T[1][2],
		ZX: s.T[2][0], ZY: s.T[2][1], ZZ: s.T[2][2],
	}
	return integrate.Motion{
		Placement: integrate.Placement{Q: r.Quat(), P: spatial.Vec{X: s.T[0][3], Y: s.T[1][3], Z: s.T[2][3]}},
		V:         twist(s.V),
	}
}

// twist is a twist [ω; v] of the golden files.
func twist(v [6]float64) spatial.Twist {
	return spatial.Twist{Linear: spatial.Vec{X: v[3], Y: v[4], Z: v[5]}, Angular: spatial.Vec{X: v[0], Y: v[1], Z: v[2]}}
}

// crouchGrossmanCase is a case of testdata/cg4.json.
type crouchGrossmanCase struct {
	Inertia       [3]float64
	Mass, Gravity float64
	V0            [6]float64
	H             float64
	Steps         int
	Rational      struct {
		state
		Samples map[int]state
	}
	Decimal struct {
		state
		Samples map[int]state
	} `json:"om_decimal"`
	Reference state
}

type crouchGrossmanGolden struct {
	Cube        crouchGrossmanCase
	TorqueFree  crouchGrossmanCase `json:"torque_free"`
	Convergence struct {
		Rows      [][3]float64
		Reference state
	}
}

// off is the largest difference of two motions: rad, m, m/s, rad/s.
func off(a, b integrate.Motion) float64 {
	return math.Max(math.Max(rigid.Angle(a.Q, b.Q), a.P.Sub(b.P).Norm()),
		math.Max(a.V.Linear.Sub(b.V.Linear).Norm(), a.V.Angular.Sub(b.V.Angular).Norm()))
}

// The same coefficients and steps give the same numbers as the MATLAB program's formulas,
// to the round-off of 10,000 steps that end 460 m away at 94 m/s. The decimal coefficients put the cube
// within 1e-8 m of the true motion, the rational ones 6.2e-4 m off.
func TestCrouchGrossmanCases(t *testing.T) {
	const sameTolerance = 2e-10
	var g crouchGrossmanGolden
	rigid.Golden(t, "cg4.json", &g)
	for name, c := range map[string]crouchGrossmanCase{"cube": g.Cube, "torque-free": g.TorqueFree} {
		s := rigid.Free(t, rigid.Diagonal(c.Mass, c.Inertia), c.Gravity)
		for _, v := range []struct {
			name    string
			tableau *integrate.CrouchGrossman
			last    state
			samples map[int]state
		}{
			{"cg4", &integrate.CG4, c.Decimal.state, c.Decimal.Samples},
			{"cg4-rational", &integrate.CG4Rational, c.Rational.state, c.Rational.Samples},
		} {
			x := rigid.Still()
			x.V = twist(c.V0)
			v.samples[c.Steps] = v.last
			step := integrate.NewCG4(v.tableau, s)
			for i := 1; i <= c.Steps; i++ {
				x = rigid.March(t, step, c.H, 1, x)
				if want, ok := v.samples[i]; ok {
					rigid.Near(t, name+" "+v.name, off(x, want.motion()), 0, sameTolerance)
				}
			}
			d := x.P.Sub(c.Reference.motion().P).Norm()
			t.Logf("%s %s: %.3g m from the true motion, %.2g from the golden end", name, v.name, d, off(x, v.last.motion()))
			switch name + v.name {
			case "cubecg4":
				rigid.Near(t, "cube: distance from the true motion", d, 0, 1e-8)
			case "cubecg4-rational":
				rigid.Near(t, "cube: distance of cg4-rational", d, 6.19271e-4, 1e-9)
			}
		}
	}
}

// Order 4 down to 1e-11 on SE(3) under gravity, where the table of the golden file has
// the same errors.
func TestCrouchGrossmanOrder(t *testing.T) {
	var g crouchGrossmanGolden
	rigid.Golden(t, "cg4.json", &g)
	s := rigid.Free(t, rigid.Diagonal(1, [3]float64{1, 2, 3}), 9.81)
	ref := g.Convergence.Reference.motion()
	last := 0.0
	for _, row := range g.Convergence.Rows {
		n := int(row[0])
		x := rigid.Still()
		x.V = twist([6]float64{1, 2, 0.5, 0.3, -0.2, 0.1})
		x = rigid.March(t, integrate.NewCG4(&integrate.CG4, s), 1/row[0], n, x)
		r, want := x.Q.Rot(), ref.Q.Rot()
		d := r.Sub(want)
		frob := math.Sqrt(d.Col1().Norm2() + d.Col2().Norm2() + d.Col3().Norm2() + x.P.Sub(ref.P).Norm2())
		if math.Abs(frob-row[1]) > 1e-3*row[1]+5e-14 {
			t.Errorf("%d steps: error %.6g, golden %.6g", n, frob, row[1])
		}
		if order := math.Log2(last / frob); last > 0 && math.Abs(order-4) > 0.2 {
			t.Errorf("%d steps: order %.2f", n, order)
		}
		last = frob
	}
	if last > 1e-12 {
		t.Errorf("order 4 was followed down to %.2g only", last)
	}
}

// torqueFreeGolden has the rows of testdata/torque_free.json.
type torqueFreeGolden struct {
	Params struct{ J, Omega0 [3]float64 }
	Rows   []struct {
		T     float64
		Q     [4]float64 `json:"q_wxyz"`
		Omega [3]float64 `json:"omega_body"`
	}
}

// worst steps the torque-free body through all rows and returns the largest angle.
func (g *torqueFreeGolden) worst(t *testing.T, method func(rigid.System[*rigid.Constant]) integrate.Stepper, h float64) float64 {
	t.Helper()
	m := method(rigid.Free(t, rigid.Diagonal(1, g.Params.J), 0))
	x, worst := rigid.Spinning(g.Params.Omega0), 0.0
	for i, row := range g.Rows[1:] {
		x = rigid.March(t, m, h, int(math.Round((row.T-g.Rows[i].T)/h)), x)
		worst = math.Max(worst, rigid.Angle(x.Q, rigid.Wxyz(row.Q)))
	}
	return worst
}

// A torque-free body over 20 s against 32-digit integration: at h = 0.01 the methods of
// order 4 err by 1e-11 rad at the worst row, and all by 2^order less at half the step.
func TestTorqueFree(t *testing.T) {
	var g torqueFreeGolden
	rigid.Golden(t, "torque_free.json", &g)
	for _, m := range rigid.Methods {
		coarse, fine := g.worst(t, m.Make, 0.01), g.worst(t, m.Make, 0.005)
		order := math.Log2(coarse / fine)
		t.Logf("%s: %.3g rad, order %.2f", m.Name, coarse, order)
		if math.Abs(order-m.Order) > 0.2 {
			t.Errorf("%s: order %.2f, want %g", m.Name, order, m.Order)
		}
		if m.Order == 4 && coarse > 2e-11 {
			t.Errorf("%s: %.3g rad", m.Name, coarse)
		}
	}
}

// Against the closed form in Jacobi's elliptic functions.
func TestJacobi(t *testing.T) {
	var g struct {
		Case struct {
			J, W0   [3]float64
			Samples []struct {
				T float64
				W [3]float64 `json:"w_elliptic"`
			}
		} `json:"torque_free_J123"`
	}
	rigid.Golden(t, "rigid_body.json", &g)
	s := rigid.Free(t, rigid.Diagonal(1, g.Case.J), 0)
	const h = 1e-3 // the error of RKMK4 there is below its round-off
	x, last := rigid.Spinning(g.Case.W0), 0.0
	for _, row := range g.Case.Samples {
		x = rigid.March(t, integrate.NewRKMK4(s), h, int(math.Round((row.T-last)/h)), x)
		last = row.T
		rigid.NearVec(t, "angular velocity", x.V.Angular, rigid.Vec(row.W), 1e-11)
	}
}

// Exudyn's explicit Lie-group integrator: the same method and steps.
func TestExudynHeavyTop(t *testing.T) {
	var g struct {
		Case struct {
			W float64 `json:"exudyn_reference_omega_y_global"`
		} `json:"exudyn_heavytop_rkmk4"`
	}
	rigid.Golden(t, "rigid_body.json", &g)
	s := rigid.Top(t, spatial.Vec{Y: -1})
	x := rigid.March(t, integrate.NewRKMK4(s), 0.01/400, 400, rigid.TopMotion(spatial.Vec{Y: -1}))
	rigid.Near(t, "global ω_y", x.Q.Apply(x.V.Angular).Y, g.Case.W, 1e-10)
}

// Exudyn's unit numbers: composition of rotation vectors (equal up to 2π: as rotations)
// and single steps of orders 4 and 1.
func TestExudynSingleSteps(t *testing.T) {
	const tolerance = 1e-13
	var g struct {
		Compose []struct {
			V0, Omega, Expected [3]float64
			E                   [3]float64 `json:"expected_exudyn"`
		}
		RKMK4 struct {
			J, V0, W0 [3]float64
			H         float64
			V         [3]float64 `json:"expected_v"`
			W         [3]float64 `json:"expected_w"`
		} `json:"rkmk4_step"`
		RK1 struct {
			H float64
			V [3]float64 `json:"expected_v"`
			W [3]float64 `json:"expected_w"`
		} `json:"rk1_step"`
	}
	rigid.Golden(t, "rigid_body.json", &g)
	for _, c := range g.Compose {
		got := spatial.ExpQuat(rigid.Vec(c.V0)).Mul(spatial.ExpQuat(rigid.Vec(c.Omega)))
		rigid.Near(t, "composition", rigid.Angle(got, spatial.ExpQuat(rigid.Vec(c.E))), 0, tolerance)
	}
	s := rigid.Free(t, rigid.Diagonal(1, g.RKMK4.J), 0)
	for _, c := range []struct {
		name string
		m    integrate.Stepper
		h    float64
		v, w [3]float64
	}{
		{"RKMK4", integrate.NewRKMK4(s), g.RKMK4.H, g.RKMK4.V, g.RKMK4.W},
		{"LieEuler", integrate.NewLieEuler(s), g.RK1.H, g.RK1.V, g.RK1.W},
	} {
		x := rigid.Spinning(g.RKMK4.W0)
		start := spatial.ExpQuat(rigid.Vec(g.RKMK4.V0))
		x.Q = start
		x = rigid.March(t, c.m, c.h, 1, x)
		if c.name == "LieEuler" { // Exudyn turns the body by the new velocity, we by the old
			x.Q = start.Mul(spatial.ExpQuat(x.V.Angular.Scale(c.h)))
		}
		rigid.Near(t, c.name+" attitude", rigid.Angle(x.Q, spatial.ExpQuat(rigid.Vec(c.v))), 0, tolerance)
		rigid.NearVec(t, c.name+" ω", x.V.Angular, rigid.Vec(c.w), tolerance)
	}
}
