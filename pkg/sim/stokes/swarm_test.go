package stokes_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Without a matrix and with one, and positive definite at any positions.
func TestSwarmMobilityIsPositiveDefinite(t *testing.T) {
	for _, box := range []float64{0.3, 1, 3, 100} {
		s, x, loads := stokes.SwarmOf(t, 12, box)
		got := make([]spatial.Twist, s.Len())
		s.Motions(got, x, loads)
		m := stokes.NewCorrelation(s).Matrix(x)
		var want mat.VecDense
		want.MulVec(m, mat.NewVecDense(len(loads)*6, stokes.FlatW(loads)))
		stokes.Near(t, "motions", stokes.FlatT(got), want.RawVector().Data, 1e-13)
		var e mat.EigenSym
		if !e.Factorize(m, false) || e.Values(nil)[0] <= 0 {
			t.Errorf("box %g: eigenvalues from %g", box, e.Values(nil)[0])
		}
	}
}

func TestSwarmReciprocityAndFrames(t *testing.T) {
	s, x, loads := stokes.SwarmOf(t, 10, 1.5)
	rnd := stokes.NewRand()
	other := make([]spatial.Wrench, s.Len())
	for i := range other {
		other[i] = spatial.Wrench{Force: stokes.RandVec(rnd), Moment: stokes.RandVec(rnd)}
	}
	a, b := make([]spatial.Twist, s.Len()), make([]spatial.Twist, s.Len())
	s.Motions(a, x, loads)
	s.Motions(b, x, other)
	ab, ba := 0.0, 0.0
	for i := range a {
		ab += other[i].Force.Dot(a[i].Linear) + other[i].Moment.Dot(a[i].Angular)
		ba += loads[i].Force.Dot(b[i].Linear) + loads[i].Moment.Dot(b[i].Angular)
	}
	stokes.Close1(t, "reciprocity", ab, ba, 1e-12)

	// all turned and moved
	rot, by := stokes.RandRot(rnd), stokes.RandVec(rnd)
	for i := range x {
		x[i] = rot.Apply(x[i]).Add(by)
		loads[i] = spatial.Wrench{Force: rot.Apply(loads[i].Force), Moment: rot.Apply(loads[i].Moment)}
		a[i] = spatial.Twist{Linear: rot.Apply(a[i].Linear), Angular: rot.Apply(a[i].Angular)}
	}
	s.Motions(b, x, loads)
	stokes.Near(t, "frame indifference", stokes.FlatT(b), stokes.FlatT(a), 1e-12)
}

// A lone sphere moves as Stokes says; two far apart hardly know of each other.
func TestLoneSphere(t *testing.T) {
	s, err := stokes.NewSwarm([]float64{2, 3}, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]spatial.Twist, 2)
	s.Motions(got, []spatial.Vec{{}, {X: 1e12}}, []spatial.Wrench{{Force: spatial.Vec{X: 1}, Moment: spatial.Vec{Y: 1}}, {}})
	stokes.Close1(t, "velocity", got[0].Linear.X, 1/(6*math.Pi*0.3*2), 1e-15)
	stokes.Close1(t, "spin", got[0].Angular.Y, 1/(8*math.Pi*0.3*8), 1e-15)
}

func TestSwarmErrors(t *testing.T) {
	_, err := stokes.NewSwarm([]float64{1, -1, math.NaN()}, 0)
	for _, want := range []string{"viscosity is 0", "radius of sphere 1 is -1 m", "radius of sphere 2 is NaN m"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	s, _ := stokes.NewSwarm([]float64{1, 1}, 1)
	err = stokes.NewCorrelation(s).Update(make([]spatial.Vec, 2))
	if err == nil || !strings.Contains(err.Error(), "sphere 1 and another") {
		t.Errorf("at one place: got %v", err)
	}
}

// The power of the thermal loads f is that of the numbers behind them: with L Lᵀ =
// M and f = L⁻ᵀ ξ √(2kT/h), f·M f = ξ·ξ 2kT/h.
func TestThermalLoadsMatchTheMobility(t *testing.T) {
	s, x, _ := stokes.SwarmOf(t, 9, 1.2)
	c := stokes.NewCorrelation(s)
	if err := c.Update(x); err != nil {
		t.Fatal(err)
	}
	noise := stokes.NewNoise(3, 4)
	again := noise
	xi := make([]float64, 6*s.Len())
	again.Fill(xi)
	want := 0.0
	for _, v := range xi {
		want += v * v
	}
	loads := make([]spatial.Wrench, s.Len())
	const kT, h = 0.7, 0.01
	c.ThermalLoads(loads, &noise, kT, h)
	motions := make([]spatial.Twist, s.Len())
	s.Motions(motions, x, loads)
	got := 0.0
	for i, m := range motions {
		got += m.Linear.Dot(loads[i].Force) + m.Angular.Dot(loads[i].Moment)
	}
	stokes.Close1(t, "power", got, want*2*kT/h, 1e-11)
	if noise != again {
		t.Error("the loads used other numbers than they need")
	}
}

// The motions under thermal loads have the covariance 2kT/h M, every entry within
// the scatter of the sample.
func TestThermalLoadsAreCorrelated(t *testing.T) {
	s, x, _ := stokes.SwarmOf(t, 3, 1)
	c := stokes.NewCorrelation(s)
	m := c.Matrix(x)
	if err := c.Update(x); err != nil {
		t.Fatal(err)
	}
	const kT, h, samples = 0.7, 0.01, 20000
	noise := stokes.NewNoise(1, 0)
	n := 6 * s.Len()
	sum := mat.NewSymDense(n, nil)
	loads, motions := make([]spatial.Wrench, s.Len()), make([]spatial.Twist, s.Len())
	for range samples {
		c.ThermalLoads(loads, &noise, kT, h)
		s.Motions(motions, x, loads)
		sum.SymRankOne(sum, 1, mat.NewVecDense(n, stokes.FlatT(motions)))
	}
	worst := 0.0
	for i := range n {
		for j := range i + 1 {
			want := 2 * kT / h * m.At(i, j)
			se := 2 * kT / h * math.Sqrt((m.At(i, i)*m.At(j, j)+m.At(i, j)*m.At(i, j))/samples)
			worst = max(worst, math.Abs(sum.At(i, j)/samples-want)/se)
		}
	}
	if worst > 3.6 { // expected of 171 normal numbers: 2.8
		t.Errorf("an entry of the covariance is %.2f standard errors off", worst)
	}
}

func TestSwarmDoesNotAllocate(t *testing.T) {
	s, x, loads := stokes.SwarmOf(t, 10, 2)
	motions := make([]spatial.Twist, s.Len())
	c := stokes.NewCorrelation(s)
	noise := stokes.NewNoise(1, 2)
	stokes.NoAllocs(t, "motions", func() { s.Motions(motions, x, loads) })
	stokes.NoAllocs(t, "thermal loads", func() {
		if err := c.Update(x); err != nil {
			t.Fatal(err)
		}
		c.ThermalLoads(loads, &noise, 1, 1)
	})
}

func benchSizes(b *testing.B, f func(b *testing.B, s *stokes.Swarm, x []spatial.Vec, loads []spatial.Wrench)) {
	for _, n := range []int{10, 30, 100, 150} {
		b.Run(fmt.Sprintf("spheres=%d", n), func(b *testing.B) {
			s, x, loads := stokes.SwarmOf(b, n, 30)
			f(b, s, x, loads)
		})
	}
}

func BenchmarkMotions(b *testing.B) {
	benchSizes(b, func(b *testing.B, s *stokes.Swarm, x []spatial.Vec, loads []spatial.Wrench) {
		motions := make([]spatial.Twist, s.Len())
		for b.Loop() {
			s.Motions(motions, x, loads)
		}
	})
}

func BenchmarkCorrelation(b *testing.B) {
	benchSizes(b, func(b *testing.B, s *stokes.Swarm, x []spatial.Vec, loads []spatial.Wrench) {
		c := stokes.NewCorrelation(s)
		noise := stokes.NewNoise(1, 2)
		for b.Loop() {
			if err := c.Update(x); err != nil {
				b.Fatal(err)
			}
			c.ThermalLoads(loads, &noise, 1, 1)
		}
	})
}
