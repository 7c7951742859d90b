package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
	"sinew/test/testsize"
)

func TestStepAboveTheLimitIsRefused(t *testing.T) {
	for _, method := range []robotfile.RodMethod{robotfile.Reference, robotfile.Explicit} {
		f := readRun(t, "soft_n20").file()
		f.Solver = robotfile.RodSolver{Method: method, Step: 1e-3}
		_, err := continuum.New(f)
		var e *continuum.StepTooLargeError
		if !errors.As(err, &e) || e.Step != 1e-3 || !(e.Limit > 5e-5 && e.Limit < 1e-4) {
			t.Fatalf("%s: error %v", method, err)
		}
		for _, part := range []string{"0.001 s", fmt.Sprintf("%.6g s", e.Limit), string(method)} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		}
		// the step that the message offers is taken
		if _, err := fmt.Sscanf(err.Error()[strings.LastIndex(err.Error(), "use step_s"):], "use step_s %g s or less", &f.Solver.Step); err != nil || !(f.Solver.Step <= e.Limit) {
			t.Fatalf("%s offers a step of %g s: %v", method, f.Solver.Step, err)
		}
		m := newModel(t, f)
		if err := m.Step(f.Solver.Step); err != nil {
			t.Error(err)
		}
		before := save(m)
		if err := m.Step(1e-3); !errors.As(err, &e) || !slices.Equal(save(m), before) {
			t.Errorf("%s: a step too large gave %v", method, err)
		}
	}
}

// Elastic tendons and internal damping lower the limit.
func TestStiffTendonsLowerTheLimit(t *testing.T) {
	limit := func(stiffness, viscous float64) float64 {
		f := pulled(10)
		f.Rod.Damping.KelvinVoigt = viscous
		for i := range f.Tendons {
			f.Tendons[i].Stiffness = stiffness
		}
		f.Solver.Step = 1
		_, err := continuum.New(f)
		var e *continuum.StepTooLargeError
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		return e.Limit
	}
	if a, b := limit(1, 0), limit(1e6, 0); !(b < 0.7*a) {
		t.Errorf("limits %g s and, with stiff tendons, %g s", a, b)
	}
	if a, b := limit(1, 0), limit(1, 1e-2); !(b < 0.01*a) {
		t.Errorf("limits %g s and, with internal damping, %g s", a, b)
	}
}

// A stiff tendon is stable at the limit that accounts for it.
func TestStiffTendonIsStableAtItsLimit(t *testing.T) {
	testsize.SkipInShort(t)
	f := pulled(10)
	for i := range f.Tendons {
		f.Tendons[i].Stiffness = 2e5
		pull := 0.002
		f.Tendons[i].Pull = &pull
	}
	f.Solver.Step = 1
	_, err := continuum.New(f)
	var e *continuum.StepTooLargeError
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	f.Solver.Step = 0.95 * e.Limit
	m := newModel(t, f)
	g := make([]float64, len(m.Gauges()))
	for range 50 {
		step(t, m, f.Solver.Step, 1000)
		if m.Measure(g); !(g[0]+g[1] < 10) {
			t.Fatalf("energy %g J", g[0]+g[1])
		}
	}
}

func TestBlowUpLeavesTheLastGoodState(t *testing.T) {
	for _, method := range []robotfile.RodMethod{robotfile.Reference, robotfile.Explicit} {
		f := readRun(t, "soft_n20").file()
		f.Solver.Method = method
		m := newModel(t, f)
		step(t, m, 2e-5, 10)
		command(t, m, "servo_jf", 1e308, 0, 0, 0)
		var err error
		var before []float64
		for range 100 {
			before = save(m)
			if err = m.Step(2e-5); err != nil {
				break
			}
		}
		var e *continuum.UnstableError
		if !errors.As(err, &e) {
			t.Fatalf("%s: error %v", method, err)
		}
		if e.Time != before[0] || e.Node < 1 || e.Node > 20 || !slices.Equal(save(m), before) {
			t.Errorf("%s: %v; state kept: %t", method, e, slices.Equal(save(m), before))
		}
		for _, x := range value(t, m, "backbone") {
			if math.IsNaN(x) {
				t.Fatalf("%s: NaN among the values", method)
			}
		}
	}
}

func TestReferenceRefusesWhatTheOriginalCannotDo(t *testing.T) {
	pull := 0.01
	for name, change := range map[string]func(*robotfile.Continuum){
		"section": func(f *robotfile.Continuum) {
			f.Rod.Section = &robotfile.Section{Area: 1e-4, I1: 1e-9, I2: 1e-9, J: 2e-9}
		},
		"inner_radius_m": func(f *robotfile.Continuum) { f.Rod.InnerRadius = 1e-3 },
		"rod.sections":   func(f *robotfile.Continuum) { f.Rod.Sections = halves(&f.Rod) },
		"kelvin_voigt":   func(f *robotfile.Continuum) { f.Rod.Damping.KelvinVoigt = 1e-6 },
		"quadratic_drag": func(f *robotfile.Continuum) { f.Rod.Damping.QuadraticDrag = 1 },
		"tip":            func(f *robotfile.Continuum) { f.Tip.Mass = 1e-3 },
		"transverse":     func(f *robotfile.Continuum) { f.DiskForce = robotfile.TransverseDiskForce },
		"equilibrium":    func(f *robotfile.Continuum) { f.InitialState = robotfile.Equilibrium },
		"friction":       func(f *robotfile.Continuum) { f.Tendons[1].Friction = 0.1 },
		"stiffness":      func(f *robotfile.Continuum) { f.Tendons[1].Stiffness, f.Tendons[1].Pull = 100, &pull },
		"hole":           func(f *robotfile.Continuum) { f.Tendons[1].Twist = 3 },
		"tip node":       func(f *robotfile.Continuum) { f.Tendons[1].Disks.Last = 0.25 },
		"1 disk":         func(f *robotfile.Continuum) { f.Tendons[1].Disks = robotfile.Disks{Positions: []float64{0.1}} },
	} {
		f := readRun(t, "soft_n20").file()
		change(f)
		_, err := continuum.New(f)
		if !errors.Is(err, continuum.ErrNotInReference) || !strings.Contains(err.Error(), strings.Fields(name)[0]) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	f := readRun(t, "soft_n20").file()
	f.Rod.Damping.KelvinVoigt, f.Tip.Mass = 1, 1
	if _, err := continuum.New(f); strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("not every mistake at once: %v", err)
	}
	// a disk that has no node of its own is a mistake in every method
	f = readRun(t, "soft_n20").file()
	f.Tendons[0].Disks.Count = 40
	if _, err := continuum.New(f); !errors.Is(err, tendon.ErrBadRoute) {
		t.Errorf("40 disks on 20 elements: error %v", err)
	}
}

func TestExplicitRefusesFriction(t *testing.T) {
	f := silicone(10)
	f.Tendons[0].Friction = 0.1
	if _, err := continuum.New(f); !errors.Is(err, continuum.ErrNotInExplicit) {
		t.Errorf("error %v", err)
	}
}

func TestExplicitRefusesSections(t *testing.T) {
	f := silicone(10)
	f.Rod.Sections = halves(&f.Rod)
	if _, err := continuum.New(f); !errors.Is(err, continuum.ErrNotInExplicit) || !strings.Contains(err.Error(), "rod.sections: ") {
		t.Errorf("error %v", err)
	}
	f = silicone(10)
	f.Tip = robotfile.Tip{Mass: 0.01, Center: spatial.Vec{Z: 0.01}}
	if _, err := continuum.New(f); !errors.Is(err, continuum.ErrNotInExplicit) || !strings.Contains(err.Error(), "tip.center_of_mass_m: ") {
		t.Errorf("error %v", err)
	}
}

// Disks of the explicit method weigh along gravity and have inertia; those of the
// reference weigh along world −z whatever gravity is, and have none.
func TestDiskWeight(t *testing.T) {
	acceleration := func(method robotfile.RodMethod) spatial.Vec {
		f := silicone(10)
		f.Solver.Method = method
		f.Gravity = spatial.Vec{Y: 5}
		f.Tendons = f.Tendons[:1]
		f.Tendons[0].Disks.Last, f.Tendons[0].Disks.Count = 0.225, 9
		const dt, node = 1e-6, 5
		m := newModel(t, f)
		before := positionOf(t, m, node)
		step(t, m, dt, 1)
		return positionOf(t, m, node).Sub(before).Scale(2 / (dt * dt)) // X is 0.125 m: its change is rounded off
	}
	node := 997.7 * math.Pi * 0.0055 * 0.0055 * 0.025
	if a, want := acceleration(robotfile.Explicit), (spatial.Vec{Y: 5}); a.Sub(want).Norm() > 1e-9 {
		t.Errorf("explicit: a disk falls with %v, want %v", a, want)
	}
	if a, want := acceleration(robotfile.Reference), (spatial.Vec{Y: 5, Z: -9.80665 * 0.002 / node}); a.Sub(want).Norm() > 1e-9 {
		t.Errorf("reference: a disk falls with %v, want %v", a, want)
	}
}

func TestImplicitRefusesWhatItHasNot(t *testing.T) {
	f := wire(20, 0, spatial.Vec{}, 0)
	f.Rod.Damping.PyElasticaNu = 0.1
	if _, err := continuum.New(f); !errors.Is(err, continuum.ErrNotInImplicit) {
		t.Errorf("pyelastica_nu: %v, want ErrNotInImplicit", err)
	}
}
