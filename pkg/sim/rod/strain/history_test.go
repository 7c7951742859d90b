package strain

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// hold steps a rod with prescribed strains, with order 2 after the first step.
func hold(s *State, n int, h float64, bend func(t float64) float64, each func(t float64)) {
	f := integrate.NewBDF(1, h, 0)
	for i := range n {
		s.Begin(f, 0, make([]spatial.Wrench, len(s.Pose)))
		for e := range s.Strain {
			rest := &s.elements[e].rest
			s.Strain[e] = *rest
			s.Strain[e].Angular.Y += bend(float64(i+1)*h) * s.elements[e].length
		}
		s.UpdateKinematics()
		s.Commit()
		if each != nil {
			each(float64(i+1) * h)
		}
		f = integrate.NewBDF(2, h, h)
	}
}

// A rod of a standard linear solid that bends at a constant rate has the stress E_inf κ + E_1 κ' τ
// (1 − e^(−t/τ)), with order 2. With τ far below the step it is that of Kelvin-Voigt.
func TestBranchesUnderASteadyBend(t *testing.T) {
	const ratio, tau, rate, end = 0.7, 0.05, 2.0, 0.1
	for _, order := range []int{2, 4} {
		var off [2]float64
		for i, n := range []int{40, 80} {
			r := nitinol(t, 3)
			r.Order = order
			b := Branch{Ratio: ratio, Time: tau}
			s := New(r, Options{Branches: [][]Branch{{b}, {b}, {b}}})
			hold(s, n, end/float64(n), func(t float64) float64 { return rate * t }, nil)
			want := r.Stiffness.Bend.Y * rate * (end + ratio*tau*(1-math.Exp(-end/tau)))
			off[i] = math.Abs(-s.BaseReaction().Moment.Y/want - 1)
		}
		t.Logf("order %d: off by %.3g, %.3g", order, off[0], off[1])
		if !(off[0] < 2e-3 && off[0]/off[1] > 3.5) {
			t.Errorf("order %d: off by %g and, with half the step, %g: want order 2", order, off[0], off[1])
		}
	}
}

// Branches of time constants far below to far above the step store no more than the work of the
// bending.
func TestBranchesDissipate(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	for range 50 {
		tau, h := math.Pow(10, 4*random.Float64()-4), math.Pow(10, 4*random.Float64()-4)
		r := nitinol(t, 1)
		s := New(r, Options{Branches: [][]Branch{{{Ratio: 3, Time: tau}}}})
		level, last, work, most := 0.0, 0.0, 0.0, 0.0
		f := integrate.NewBDF(1, h, 0)
		for range 300 {
			level += random.NormFloat64()
			s.Begin(f, 0, make([]spatial.Wrench, len(s.Pose)))
			s.Strain[0] = s.elements[0].rest
			s.Strain[0].Angular.Y = 0.01 * level
			s.UpdateKinematics()
			s.Commit()
			m := -s.BaseReaction().Moment.Y
			work += m * (s.Strain[0].Angular.Y - last)
			last = s.Strain[0].Angular.Y
			_, stored := s.Energy()
			if most = max(most, stored); !(work-stored >= -1e-9*most) {
				t.Fatalf("τ = %g s, step %g s: %g J are stored of a work of %g J", tau, h, stored, work)
			}
		}
	}
}

// loop returns the moments of the Jenkins elements of the first element for a sequence of bends
// about d2.
func loop(s *State, bends []float64) (moments []float64) {
	for _, u := range bends {
		s.Strain[0].Angular = spatial.Vec{Y: u}
		m := s.addJenkinsMoments(0, spatial.Vec{}, nil)
		s.commitJenkins()
		moments = append(moments, m.Y)
	}
	return moments
}

// springs are those of an element of 20 mm; they slip at bends of 0.1, 0.2 and 0.4 rad.
var springs = []JenkinsElement{{Stiffness: 1e-3, Limit: 5e-3}, {Stiffness: 2e-3, Limit: 2e-2}, {Stiffness: 1e-3, Limit: 2e-2}}

// The loop of parallel Jenkins elements follows Masing's rules: after a reversal it is the first
// loading, doubled in both directions. It closes at the reversal point and continues beyond it as
// if there had been no reversal.
func TestJenkinsElementsFollowMasing(t *testing.T) {
	r := nitinol(t, 1)
	made := func() *State { return New(r, Options{JenkinsElements: [][]JenkinsElement{springs}}) }
	first := func(u float64) (m float64) {
		for _, p := range springs {
			m += math.Copysign(min(p.Limit, p.Stiffness/r.Lengths[0]*math.Abs(u)), u)
		}
		return m
	}
	same := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-15) {
			t.Errorf("%s: %.17g N m, want %.17g", what, got, want)
		}
	}
	const top = 0.3
	for _, u := range []float64{0.05, 0.1, 0.15, 0.25, top} {
		same("first loading", loop(made(), []float64{u})[0], first(u))
	}
	for _, back := range []float64{0.25, 0.1, -0.1, -0.2, -top} {
		m := loop(made(), []float64{top, back})
		same("after the turn", m[1], first(top)-2*first((top-back)/2))
	}
	// a small loop inside: back, forth to the reversal point, and on
	m := loop(made(), []float64{top, -0.05, 0.1, 0, 0.2, -0.05, top, 0.35})
	same("where the inner loop closes", m[5], m[1])
	same("at the point where it turned", m[6], first(top))
	same("beyond", m[7], first(0.35))
}

// Jenkins elements dissipate in a closed path of bends in a plane, too.
func TestJenkinsElementsDissipate(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	s := New(nitinol(t, 1), Options{JenkinsElements: [][]JenkinsElement{springs}})
	var at spatial.Vec
	work := 0.0
	for i := range 10000 {
		to := at.Add(spatial.Vec{X: 0.1 * random.NormFloat64(), Y: 0.1 * random.NormFloat64()})
		before := s.jenkinsEnergy()
		s.Strain[0].Angular = to
		m, rise := s.addJenkinsMoments(0, spatial.Vec{}, nil), s.jenkinsPotential()
		s.commitJenkins()
		after := s.jenkinsEnergy()
		step := m.Dot(to.Sub(at))
		if work += step; !(step >= after-before-1e-15) || !(rise >= after-1e-15) {
			t.Fatalf("step %d: a work of %g J raises the energy from %g to %g J, the potential to %g J", i, step, before, after, rise)
		}
		for k, p := range springs {
			d, stiffness, _ := s.jenkinsDeflection(0, k)
			if m := stiffness * d.norm(); !(m <= p.Limit*(1+1e-12)) {
				t.Fatalf("step %d: spring %d bears %g N m, slips at %g", i, k, m, p.Limit)
			}
		}
		at = to
	}
	if stored := s.jenkinsEnergy(); !(work > 100*stored) {
		t.Errorf("a work of %g J leaves %g J: little was lost", work, stored)
	}
}

// CommitEquilibrium relaxes all dashpots and updates Jenkins elements, SetAtRest keeps both, and
// Reset clears them.
func TestCommitEquilibriumRestAndReset(t *testing.T) { OfOrders(t, testCommitEquilibriumRestAndReset) }

func testCommitEquilibriumRestAndReset(t *testing.T, order int) {
	s := Between(t, order, HistoryDependent(), 9)
	s.Commit()
	memory := func() []float64 {
		v := make([]float64, s.historyLen())
		s.saveHistory(v)
		return v
	}
	levels := 6 * s.dashpotTwists() * len(s.maxwell.now)
	before := memory()
	s.SetAtRest()
	rested := memory()
	Within(t, "dashpots of a rod that rests", rested[:levels], before[:levels], 0)
	Within(t, "its level before", rested[levels:2*levels], before[:levels], 0)
	s.MoveNodes(Increments(rand.New(rand.NewPCG(1, 1)), len(s.Strain), 0.3), 1)
	slipped := s.addJenkinsMoments(0, spatial.Vec{}, nil)
	s.CommitEquilibrium()
	if _, stored := s.Energy(); !(math.Abs(stored-elasticOf(s)-s.jenkinsEnergy()) < 1e-15) {
		t.Errorf("branches store %g J in an equilibrium", stored-elasticOf(s)-s.jenkinsEnergy())
	}
	if m := s.addJenkinsMoments(0, spatial.Vec{}, nil); !(m.Sub(slipped).Norm() < 1e-15) {
		t.Errorf("springs bear %v after an equilibrium, %v in it", m, slipped)
	}
	if after := memory(); after[2*levels] != rested[2*levels] || after[2*levels+2] == rested[2*levels+2] {
		t.Error("the spring that sticks has slipped in the equilibrium, or the other has not")
	}
	s.Reset()
	if _, stored := s.Energy(); stored > 1e-20 || s.addJenkinsMoments(0, spatial.Vec{}, nil) != (spatial.Vec{}) {
		t.Errorf("%g J after a reset", stored)
	}
}

// elasticOf returns the energy of the elastic stiffness alone.
func elasticOf(s *State) (sum float64) {
	slopes := s.committedSlopes()
	for e := range s.Strain {
		y := newLinearStrain(&s.Strain[e], &slopes[e])
		sum += s.elements[e].elasticEnergy(&y)
	}
	return sum
}
