package continuum_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/equilibrium"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// numbersOfRobots are numbers of robot files: how large they are, and how one is made more by h.
var numbersOfRobots = []struct {
	name string
	size func(f *robotfile.Continuum) float64
	add  func(f *robotfile.Continuum, h float64)
}{
	{"youngs_modulus_pa", func(f *robotfile.Continuum) float64 { return f.Rod.YoungsModulus }, func(f *robotfile.Continuum, h float64) { f.Rod.YoungsModulus += h }},
	{"shear_modulus_pa", func(f *robotfile.Continuum) float64 { return f.Rod.ShearModulus }, func(f *robotfile.Continuum, h float64) { f.Rod.ShearModulus += h }},
	{"density_kg_per_m3", func(f *robotfile.Continuum) float64 { return f.Rod.Density }, func(f *robotfile.Continuum, h float64) { f.Rod.Density += h }},
	{"radius_m", func(f *robotfile.Continuum) float64 { return f.Rod.Radius }, func(f *robotfile.Continuum, h float64) { f.Rod.Radius += h }},
	{"precurvature_per_m[0]", func(*robotfile.Continuum) float64 { return 1 }, func(f *robotfile.Continuum, h float64) { f.Rod.Precurvature.X += h }},
	{"gravity_m_per_s2[0]", func(*robotfile.Continuum) float64 { return 10 }, func(f *robotfile.Continuum, h float64) { f.Gravity.X += h }},
	{"base.position_m[1]", func(*robotfile.Continuum) float64 { return 0.1 }, func(f *robotfile.Continuum, h float64) { f.Base.Position.Y += h }},
	{"base.direction", func(*robotfile.Continuum) float64 { return 1 }, func(f *robotfile.Continuum, h float64) {
		turn := spatial.ExpRot(spatial.Vec{Y: h})
		f.Base.Direction, f.Base.Normal = turn.Apply(f.Base.Direction), turn.Apply(f.Base.Normal)
	}},
	{"tip.mass_kg", func(*robotfile.Continuum) float64 { return 0.01 }, func(f *robotfile.Continuum, h float64) { f.Tip.Mass += 0.005 + h }},
	{"stiffness_n_per_m", func(*robotfile.Continuum) float64 { return 1000 }, func(f *robotfile.Continuum, h float64) {
		for k := range f.Tendons {
			f.Tendons[k].Stiffness += h
		}
	}},
	{"offset_m[0]", func(*robotfile.Continuum) float64 { return 0.01 }, func(f *robotfile.Continuum, h float64) {
		for k := range f.Tendons {
			f.Tendons[k].Offset[0] += h
		}
	}},
	{"twist_rad_per_m", func(*robotfile.Continuum) float64 { return 5 }, func(f *robotfile.Continuum, h float64) {
		for k := range f.Tendons {
			f.Tendons[k].Twist += h
		}
	}},
	{"max_tension_n", func(*robotfile.Continuum) float64 { return 1 }, func(f *robotfile.Continuum, h float64) {
		for k := range f.Tendons {
			f.Tendons[k].Limits.MaxTension += h
		}
	}},
	{"min_tension_n", func(*robotfile.Continuum) float64 { return 1 }, func(f *robotfile.Continuum, h float64) {
		for k := range f.Tendons {
			f.Tendons[k].MinTension += h
		}
	}},
}

// TestJacobianByNumbers compares the derivatives of equilibria of random robots without friction by numbers of their files with
// differences of order 4 of whole equilibria.
func TestJacobianByNumbers(t *testing.T) {
	t.Parallel()
	robots, wanted, numbers, worst := 0, testsize.Of(5, 20, 50), 0, 0.0
	for seed := uint64(0); robots < wanted && seed < 4*uint64(wanted); seed++ {
		r := rand.New(rand.NewPCG(seed, 41))
		f, in := randomRobot(r)
		for k := range f.Tendons {
			f.Tendons[k].Friction = 0
		}
		number := numbersOfRobots[seed%uint64(len(numbersOfRobots))]
		with := func(h float64) *continuumtest.Robot {
			g := *f
			g.Tendons = slices.Clone(f.Tendons)
			number.add(&g, h)
			e := implicitOf(t, &g)
			e.Command(in)
			return e
		}
		e, apart := with(0), 1e-5*number.size(f)
		if e.Equilibrate(in) != nil {
			continue
		}
		j, err := e.Jacobian(sim.Varied{Name: number.name, Unit: "1", Lower: with(-apart / 2).Model, Upper: with(apart / 2).Model, Difference: apart})
		if err != nil {
			continue
		}
		k := slices.Index(j.Inputs, number.name)
		from := e.NodePose(len(e.System.State.Pose) - 1)
		slack, _ := e.Tendons.Inactive()
		got, beyond, most := make([]float64, len(j.Outputs)), false, 0.0
		for i := range 3 {
			most = max(most, math.Abs(j.Values[i][k])/f.Rod.Length, math.Abs(j.Values[3+i][k]))
		}
		if most == 0 {
			continue // the number changes nothing
		}
		h := min(1e-3/most, 1e-2*number.size(f))
		for _, side := range [...][2]float64{{1, 8. / 12}, {-1, -8. / 12}, {2, -1. / 12}, {-2, 1. / 12}} {
			o := with(side[0] * h)
			copy(o.System.State.Strain, e.System.State.Strain)
			copy(o.Tendons.Multipliers(), e.Tendons.Multipliers())
			o.System.State.UpdateKinematics()
			err := o.Equilibrate(in)
			if err == nil {
				err = polish(o)
			}
			if now, _ := o.Tendons.Inactive(); err != nil || now != slack { // a kink is between
				beyond = true
				break
			}
			for i, x := range answer(o, from) {
				got[i] += side[1] * x / h
			}
		}
		if beyond {
			continue
		}
		robots++
		size := sizes(e, got)
		for i, x := range got {
			if i >= 6 && in.Setpoints[i-6].Mode == force.TensionControl {
				continue
			}
			numbers++
			if d := math.Abs(j.Values[i][k]-x) / size[min(i/3, 2)]; d > worst {
				worst = d
				t.Logf("robot %d: %s by %s is %.9g, by differences %.9g: %.2g", seed, j.Outputs[i], number.name, j.Values[i][k], x, d)
			}
		}
	}
	t.Logf("%d robots, %d numbers, worst %.2g", robots, numbers, worst)
	if robots < wanted || numbers < 7*wanted || worst > 1e-6 {
		t.Errorf("%d robots, %d numbers, worst %.2g", robots, numbers, worst)
	}
}

// TestJacobianByNumbersThatMoveDisks moves disks, and with them nodes. Equal gaps that elements do not divide alike have another
// one with an element more on either side, and there is no derivative; of a straight rod that hangs the tip hardly moves.
func TestJacobianByNumbersThatMoveDisks(t *testing.T) {
	for elements, alike := range map[int]bool{10: true, 20: true, 13: false, 25: false} {
		of := func(h float64) *continuum.Model {
			f := wire(elements, 0.001, spatial.Vec{Z: -9.81}, 0)
			f.Tendons[0].Disks.First += h
			return newModel(t, f)
		}
		m := of(0)
		j, err := m.Jacobian(sim.Varied{Name: "first", Lower: of(-1e-7), Upper: of(1e-7), Difference: 2e-7})
		if !alike {
			if !errors.Is(err, equilibrium.ErrNotComparable) {
				t.Errorf("%d elements: %v, want %v", elements, err, equilibrium.ErrNotComparable)
			}
			if continuumtest.Of(t, of(1e-7)).System.IsSimilarTo(continuumtest.Of(t, of(-1e-7)).System) {
				t.Errorf("%d elements: one robot leads the other", elements)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d elements: %v", elements, err)
		} else if z := j.Values[2][len(j.Inputs)-1]; math.Abs(z) > 1e-3 {
			t.Errorf("%d elements: the tip moves by %g m for each of the first disk", elements, z)
		}
	}
}

// TestJacobianByNumbersRefuses gives robots that are not beside one another.
func TestJacobianByNumbersRefuses(t *testing.T) {
	of := func(elements int) *continuum.Model {
		return newModel(t, wire(elements, 0.001, spatial.Vec{Z: -9.81}, 0))
	}
	m, less, more := of(12), of(12), of(12)
	state := make([]float64, more.StateLen())
	more.Save(state)
	for name, other := range map[string]sim.Model{"more nodes": of(13), "the robot itself": m, "nothing": nil} {
		_, err := m.Jacobian(sim.Varied{Name: "density", Lower: other, Upper: more, Difference: 1})
		if !errors.Is(err, equilibrium.ErrNotComparable) || !strings.Contains(err.Error(), "by density") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.Jacobian(sim.Varied{Name: "density", Lower: less, Upper: more, Difference: 1}); err != nil {
		t.Error(err)
	}
	f := wire(12, 0.001, spatial.Vec{Z: -9.81}, 0)
	f.Tendons[0].Friction = 0.1
	rubs := newModel(t, f)
	if _, err := rubs.Jacobian(sim.Varied{Name: "density", Lower: newModel(t, f), Upper: newModel(t, f), Difference: 1}); err != nil {
		t.Error(err)
	}
	if err := rubs.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if _, err := rubs.Jacobian(sim.Varied{Name: "density", Lower: newModel(t, f), Upper: newModel(t, f), Difference: 1}); !errors.Is(err, equilibrium.ErrHistory) {
		t.Error(err)
	}
	after := make([]float64, more.StateLen())
	if more.Save(after); !slices.Equal(state, after) {
		t.Error("a robot beside has moved")
	}
}

// TestJacobianOfTheBaseIsRigid: nothing from outside acts on these robots, so that they go along with their base as they are. The
// equations are differenced for that, and the columns are as exact as static --jacobian says.
func TestJacobianOfTheBaseIsRigid(t *testing.T) {
	t.Parallel()
	robots, drawn, worst := 0, testsize.Of(6, 24, 60), 0.0
	for seed := range uint64(drawn) {
		f, in := randomRobot(rand.New(rand.NewPCG(seed, 61)))
		f.Gravity, f.Loads, in.Tip = spatial.Vec{}, nil, force.TipWrench{}
		for k := range f.Tendons {
			f.Tendons[k].Friction = 0
		}
		e := implicitOf(t, f)
		if e.Equilibrate(in) != nil {
			continue
		}
		j, err := e.Jacobian()
		if err != nil {
			continue
		}
		robots++
		arm := e.NodePose(len(e.System.State.Pose) - 1).P.Sub(e.System.State.Base.P)
		for c, name := range [...]string{"base.x", "base.y", "base.z", "base.rx", "base.ry", "base.rz"} {
			var v, want [6]float64
			v[c] = 1
			turn := spatial.VecAt(v[3:])
			spatial.VecAt(v[:]).Add(turn.Cross(arm)).Put(want[:])
			turn.Put(want[3:])
			k, l := slices.Index(j.Inputs, name), f.Rod.Length
			unit := [...]float64{1, l}[c/3] // of translations by one unit of the input
			for i, x := range want {
				worst = max(worst, math.Abs(j.Values[i][k]-x)*[...]float64{1, l}[i/3]/unit)
			}
		}
	}
	t.Logf("%d robots, worst %.2g", robots, worst)
	if robots < drawn*2/3 || worst > 1e-7 {
		t.Errorf("%d robots, worst %.2g", robots, worst)
	}
}
