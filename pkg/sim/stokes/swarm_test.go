package stokes

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// swarmOf returns n spheres of different radii at random in a box, with random
// loads: the smaller the box, the more they overlap.
func swarmOf(t testing.TB, n int, box float64) (s *Swarm, x []spatial.Vec, loads []spatial.Wrench) {
	t.Helper()
	rnd := newRand()
	radii := make([]float64, n)
	for i := range radii {
		radii[i] = 0.5 + rnd.Float64()
		x = append(x, randVec(rnd).Scale(box))
		loads = append(loads, spatial.Wrench{Force: randVec(rnd), Moment: randVec(rnd)})
	}
	s, err := NewSwarm(radii, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return s, x, loads
}

func flatT(motions []spatial.Twist) (f []float64) {
	for _, m := range motions {
		f = append(f, flatV(m.Linear, m.Angular)...)
	}
	return f
}

func flatW(loads []spatial.Wrench) (f []float64) {
	for _, m := range loads {
		f = append(f, flatV(m.Force, m.Moment)...)
	}
	return f
}

// matrix returns the mobility matrix, both triangles.
func (c *Correlation) matrix(x []spatial.Vec) *mat.SymDense {
	c.assemble(x)
	m := mat.NewSymDense(c.m.N, nil)
	for i := range c.m.N {
		for j := range i + 1 {
			m.SetSym(i, j, c.m.L[i*c.m.N+j])
		}
	}
	return m
}

// Without a matrix and with one, and positive definite at any positions.
func TestSwarmMobilityIsPositiveDefinite(t *testing.T) {
	for _, box := range []float64{0.3, 1, 3, 100} {
		s, x, loads := swarmOf(t, 12, box)
		got := make([]spatial.Twist, s.Len())
		s.Motions(got, x, loads)
		m := NewCorrelation(s).matrix(x)
		var want mat.VecDense
		want.MulVec(m, mat.NewVecDense(len(loads)*6, flatW(loads)))
		near(t, "motions", flatT(got), want.RawVector().Data, 1e-13)
		var e mat.EigenSym
		if !e.Factorize(m, false) || e.Values(nil)[0] <= 0 {
			t.Errorf("box %g: eigenvalues from %g", box, e.Values(nil)[0])
		}
	}
}

// More spheres than a chunk of AddInteraction, some of them overlapping.
func TestLargeSwarm(t *testing.T) {
	s, x, loads := swarmOf(t, 140, 4)
	got := make([]spatial.Twist, s.Len())
	s.Motions(got, x, loads)
	var want mat.VecDense
	want.MulVec(NewCorrelation(s).matrix(x), mat.NewVecDense(len(loads)*6, flatW(loads)))
	near(t, "motions", flatT(got), want.RawVector().Data, 1e-13)
	for i := range got {
		got[i] = s.Alone(i, loads[i])
	}
	const parts = 3
	for part := range parts {
		s.AddInteraction(got, x, loads, part, parts)
	}
	near(t, "motions in parts", flatT(got), want.RawVector().Data, 1e-13)
	overlaps := 0
	for i := range x {
		for j := range x[:i] {
			if x[i].Sub(x[j]).Norm() < s.radii[i]+s.radii[j] {
				overlaps++
			}
		}
	}
	if overlaps < 100 || overlaps > 5000 {
		t.Errorf("%d pairs overlap: the test has too few or too many", overlaps)
	}
}

func TestSwarmReciprocityAndFrames(t *testing.T) {
	s, x, loads := swarmOf(t, 10, 1.5)
	rnd := newRand()
	other := make([]spatial.Wrench, s.Len())
	for i := range other {
		other[i] = spatial.Wrench{Force: randVec(rnd), Moment: randVec(rnd)}
	}
	a, b := make([]spatial.Twist, s.Len()), make([]spatial.Twist, s.Len())
	s.Motions(a, x, loads)
	s.Motions(b, x, other)
	ab, ba := 0.0, 0.0
	for i := range a {
		ab += other[i].Force.Dot(a[i].Linear) + other[i].Moment.Dot(a[i].Angular)
		ba += loads[i].Force.Dot(b[i].Linear) + loads[i].Moment.Dot(b[i].Angular)
	}
	close1(t, "reciprocity", ab, ba, 1e-12)

	// all turned and moved
	rot, by := randRot(rnd), randVec(rnd)
	for i := range x {
		x[i] = rot.Apply(x[i]).Add(by)
		loads[i] = spatial.Wrench{Force: rot.Apply(loads[i].Force), Moment: rot.Apply(loads[i].Moment)}
		a[i] = spatial.Twist{Linear: rot.Apply(a[i].Linear), Angular: rot.Apply(a[i].Angular)}
	}
	s.Motions(b, x, loads)
	near(t, "frame indifference", flatT(b), flatT(a), 1e-12)
}

// A lone sphere moves as Stokes says; two far apart hardly know of each other.
func TestLoneSphere(t *testing.T) {
	s, err := NewSwarm([]float64{2, 3}, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]spatial.Twist, 2)
	s.Motions(got, []spatial.Vec{{}, {X: 1e12}}, []spatial.Wrench{{Force: spatial.Vec{X: 1}, Moment: spatial.Vec{Y: 1}}, {}})
	close1(t, "velocity", got[0].Linear.X, 1/(6*math.Pi*0.3*2), 1e-15)
	close1(t, "spin", got[0].Angular.Y, 1/(8*math.Pi*0.3*8), 1e-15)
}

func TestSwarmErrors(t *testing.T) {
	_, err := NewSwarm([]float64{1, -1, math.NaN()}, 0)
	for _, want := range []string{"viscosity is 0", "radius of sphere 1 is -1 m", "radius of sphere 2 is NaN m"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	s, _ := NewSwarm([]float64{1, 1}, 1)
	err = NewCorrelation(s).Update(make([]spatial.Vec, 2))
	if err == nil || !strings.Contains(err.Error(), "sphere 1 and another") {
		t.Errorf("at one place: got %v", err)
	}
}

// The power of the thermal loads f is that of the numbers behind them: with L Lᵀ =
// M and f = L⁻ᵀ ξ √(2kT/h), f·M f = ξ·ξ 2kT/h.
func TestThermalLoadsMatchTheMobility(t *testing.T) {
	s, x, _ := swarmOf(t, 9, 1.2)
	c := NewCorrelation(s)
	if err := c.Update(x); err != nil {
		t.Fatal(err)
	}
	noise := NewNoise(3, 4)
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
	close1(t, "power", got, want*2*kT/h, 1e-11)
	if noise != again {
		t.Error("the loads used other numbers than they need")
	}
}

// The motions under thermal loads have the covariance 2kT/h M, every entry within
// the scatter of the sample.
func TestThermalLoadsAreCorrelated(t *testing.T) {
	s, x, _ := swarmOf(t, 3, 1)
	c := NewCorrelation(s)
	m := c.matrix(x)
	if err := c.Update(x); err != nil {
		t.Fatal(err)
	}
	const kT, h, samples = 0.7, 0.01, 20000
	noise := NewNoise(1, 0)
	n := 6 * s.Len()
	sum := mat.NewSymDense(n, nil)
	loads, motions := make([]spatial.Wrench, s.Len()), make([]spatial.Twist, s.Len())
	for range samples {
		c.ThermalLoads(loads, &noise, kT, h)
		s.Motions(motions, x, loads)
		sum.SymRankOne(sum, 1, mat.NewVecDense(n, flatT(motions)))
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
	s, x, loads := swarmOf(t, 10, 2)
	motions := make([]spatial.Twist, s.Len())
	c := NewCorrelation(s)
	noise := NewNoise(1, 2)
	noAllocs(t, "motions", func() { s.Motions(motions, x, loads) })
	noAllocs(t, "thermal loads", func() {
		if err := c.Update(x); err != nil {
			t.Fatal(err)
		}
		c.ThermalLoads(loads, &noise, 1, 1)
	})
}

func benchSizes(b *testing.B, f func(b *testing.B, s *Swarm, x []spatial.Vec, loads []spatial.Wrench)) {
	for _, n := range []int{10, 30, 100, 150} {
		b.Run(fmt.Sprintf("spheres=%d", n), func(b *testing.B) {
			s, x, loads := swarmOf(b, n, 30)
			f(b, s, x, loads)
		})
	}
}

func BenchmarkMotions(b *testing.B) {
	benchSizes(b, func(b *testing.B, s *Swarm, x []spatial.Vec, loads []spatial.Wrench) {
		motions := make([]spatial.Twist, s.Len())
		for b.Loop() {
			s.Motions(motions, x, loads)
		}
	})
}

func BenchmarkCorrelation(b *testing.B) {
	benchSizes(b, func(b *testing.B, s *Swarm, x []spatial.Vec, loads []spatial.Wrench) {
		c := NewCorrelation(s)
		noise := NewNoise(1, 2)
		for b.Loop() {
			if err := c.Update(x); err != nil {
				b.Fatal(err)
			}
			c.ThermalLoads(loads, &noise, 1, 1)
		}
	})
}
