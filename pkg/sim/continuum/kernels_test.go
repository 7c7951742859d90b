package continuum_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
)

type vectors [][3]float64

func (v vectors) at(i int) spatial.Vec { return vec(v[i]) }

func vec(v [3]float64) spatial.Vec { return spatial.Vec{X: v[0], Y: v[1], Z: v[2]} }

// rodState is a state of PyElastica; the rows of directors are d1, d2, d3.
type rodState struct {
	Position, Velocity, Omega vectors
	Directors                 []vectors
}

func (s *rodState) set(x *staggered.State) {
	for k := range s.Position {
		x.Positions()[k], x.Velocities()[k] = s.Position.at(k), s.Velocity.at(k)
	}
	for e := range s.Directors {
		d := s.Directors[e]
		x.Directors()[e] = staggered.Directors{D1: d.at(0), D2: d.at(1), D3: d.at(2)}
		x.AngularVelocities()[e] = s.Omega.at(e)
	}
}

// kernelsRun is one perturbed state with the loads and accelerations there and
// the states after some steps.
type kernelsRun struct {
	pyelasticaRun
	State0 rodState
	Loads  []struct {
		Nodes   []int   `json:"vertebra_nodes"`
		Forces  vectors `json:"node_forces"`
		Couples vectors `json:"elem_torques"`
	} `json:"external_loads"`
	Accel struct{ A, Alpha vectors }
	After map[string]rodState
}

func readKernels(t testing.TB) *kernelsRun {
	t.Helper()
	data, err := os.ReadFile("testdata/kernels_n10.json")
	if err != nil {
		t.Fatal(err)
	}
	r := new(kernelsRun)
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// worstOf returns the largest error over the largest entry.
func worstOf(got func(int) spatial.Vec, want vectors) float64 {
	var scale, worst float64
	for i := range want {
		w := want.at(i)
		scale = math.Max(scale, math.Max(math.Abs(w.X), math.Max(math.Abs(w.Y), math.Abs(w.Z))))
		worst = math.Max(worst, got(i).Sub(w).Norm())
	}
	if worst == 0 {
		return 0
	}
	return worst / scale
}

func TestTendonLoadsAreThoseOfTendonForces(t *testing.T) {
	const tolerance = 1e-12 // of the largest load of a tendon
	r := readKernels(t)
	m := newModel(t, r.file())
	e := m.Verlet()
	for i := range r.Params.Tendons {
		want := r.Loads[i]
		checkNodes(t, m.Robot().Route(i).Nodes, want.Nodes)
		r.State0.set(e.Rod())
		e.Rod().ClearLoads()
		e.AddTendonLoads(i, r.Params.Tendons[i].Tension)
		if d := worstOf(func(k int) spatial.Vec { return e.Rod().Forces()[k] }, want.Forces); !(d <= tolerance) {
			t.Errorf("tendon %d: forces off by %.3g", i, d)
		}
		if d := worstOf(func(k int) spatial.Vec { return e.Rod().Couples()[k] }, want.Couples); !(d <= tolerance) {
			t.Errorf("tendon %d: couples off by %.3g", i, d)
		}
	}
}

// The kick of a step of 1 s without damper and clamp would show accelerations;
// with the clamp all but those of the clamped node and element.
func TestAccelerationsAreThoseOfPyElastica(t *testing.T) {
	const tolerance = 1e-12 // of the largest
	r := readKernels(t)
	r.Params.Damping = 0
	e := newModel(t, r.file()).Verlet()
	r.State0.set(e.Rod())
	e.SetTensions(r.Params.Tendons[0].Tension, r.Params.Tendons[1].Tension)
	e.Load()
	e.Rod().Kick(1)
	got := func(k int) spatial.Vec { return e.Rod().Velocities()[k+1].Sub(r.State0.Velocity.at(k + 1)) }
	if d := worstOf(got, r.Accel.A[1:]); !(d <= tolerance) {
		t.Errorf("linear accelerations off by %.3g", d)
	}
	got = func(k int) spatial.Vec { return e.Rod().AngularVelocities()[k+1].Sub(r.State0.Omega.at(k + 1)) }
	if d := worstOf(got, r.Accel.Alpha[1:]); !(d <= tolerance) {
		t.Errorf("angular accelerations off by %.3g", d)
	}
}

func TestStatesAreThoseOfPyElastica(t *testing.T) {
	const tolerance = 1e-11 // of the largest entry; seen 2e-13 after 100 steps
	r := readKernels(t)
	e := newModel(t, r.file()).Verlet()
	r.State0.set(e.Rod())
	e.SetTensions(r.Params.Tendons[0].Tension, r.Params.Tendons[1].Tension)
	done := 0
	for _, c := range []struct {
		steps int
		key   string
	}{{1, "1"}, {2, "2"}, {10, "10"}, {100, "100"}} {
		for ; done < c.steps; done++ {
			integrate.PositionVerlet(e, r.NominalStep)
		}
		want, ok := r.After[c.key]
		if !ok {
			t.Fatalf("no state after %s steps", c.key)
		}
		d1, d3 := make(vectors, len(want.Directors)), make(vectors, len(want.Directors))
		for i, d := range want.Directors {
			d1[i], d3[i] = d[0], d[2]
		}
		for _, f := range []struct {
			name string
			got  func(int) spatial.Vec
			want vectors
		}{
			{"position", func(k int) spatial.Vec { return e.Rod().Positions()[k] }, want.Position},
			{"velocity", func(k int) spatial.Vec { return e.Rod().Velocities()[k] }, want.Velocity},
			{"d1", func(k int) spatial.Vec { return e.Rod().Directors()[k].D1 }, d1},
			{"d3", func(k int) spatial.Vec { return e.Rod().Directors()[k].D3 }, d3},
			{"omega", func(k int) spatial.Vec { return e.Rod().AngularVelocities()[k] }, want.Omega},
		} {
			if d := worstOf(f.got, f.want); !(d <= tolerance) {
				t.Errorf("%s after %s steps: off by %.3g", f.name, c.key, d)
			} else {
				t.Logf("%s after %s steps: %.3g", f.name, c.key, d)
			}
		}
	}
}

// TestReferenceCheckpoint is the four-tendon robot of ten elements whose values
// after few steps tell where an error starts.
func TestReferenceCheckpoint(t *testing.T) {
	data, err := os.ReadFile("testdata/e8_n10.json")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Params struct{ L, R, Rho, E, G, Nu, G0 float64 }
		N10    struct {
			N     int
			Dt    float64
			Tips  vectors               `json:"tip_1_to_20"`
			After map[string][3]float64 `json:"tip_after"`
			Omega [3]float64            `json:"omega_elem9_after_5000"`
		}
	}
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	r := readRun(t, "soft_n20")
	r.Params.Elements, r.NominalStep = c.N10.N, c.N10.Dt
	for i := range r.Params.Tendons {
		r.Params.Tendons[i].First, r.Params.Tendons[i].Last = 1, 9
	}
	m := newModel(t, r.file())
	check := func(step int, want [3]float64) {
		if d := tipPose(m).P.Sub(vec(want)).Norm() / r.Params.Length; !(d <= reproduction) {
			t.Errorf("tip after %d steps off by %.3g of the length", step, d)
		}
	}
	after := map[int][3]float64{100: c.N10.After["100"], 1000: c.N10.After["1000"], 5000: c.N10.After["5000"]}
	for step := 1; step <= 5000; step++ {
		if err := m.Step(c.N10.Dt); err != nil {
			t.Fatal(err)
		}
		if step <= len(c.N10.Tips) {
			check(step, c.N10.Tips[step-1])
		} else if want, ok := after[step]; ok {
			check(step, want)
		}
	}
	w, want := m.Verlet().Rod().AngularVelocities()[9], vec(c.N10.Omega)
	if d := w.Sub(want).Norm() / want.Norm(); !(d <= 1e-9) {
		t.Errorf("last angular velocity off by %.3g", d)
	}
}

// The damper of reference keeps the nominal step whatever dt is.
func TestReferenceDamperKeepsNominalStep(t *testing.T) {
	r := readKernels(t)
	speed := func(nominal, dt float64) float64 {
		f := r.file()
		f.Tendons, f.Gravity = nil, spatial.Vec{}
		f.Solver = robotfile.RodSolver{Method: robotfile.Reference, Step: nominal}
		m := newModel(t, f)
		x := m.Verlet().Rod()
		for k := range x.Velocities() {
			x.Velocities()[k] = spatial.Vec{X: 1e-9}
		}
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
		return x.Velocities()[10].X / 1e-9
	}
	for _, dt := range []float64{1e-9, 2e-9} {
		if got, want := speed(2e-5, dt), math.Exp(-0.1*2e-5); math.Abs(got-want) > 1e-9 {
			t.Errorf("dt %g: v falls by a factor %.12g, want %.12g", dt, got, want)
		}
	}
}
