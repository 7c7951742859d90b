package identify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/spatial"
)

// wholeFile is a robot with a motor that lags, a rod that creeps and has friction inside, a marker, a payload,
// and a camera that is late.
const wholeFile = `
rod: {length_m: 0.2, radius_m: 0.004, density_kg_per_m3: 1100, youngs_modulus_pa: 8e6, elements: 5, damping: {kelvin_voigt_s: 0.02}%s}
base: {direction: [1, 0, 0], normal: [0, 0, 1]}
tendons:
  - {name: front, offset_m: [0.012, 0], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 0}, stiffness_n_per_m: 600, limits: {max_rate_n_per_s: .inf}}
  - {name: back, offset_m: [-0.012, 0], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 0}, stiffness_n_per_m: 600, limits: {max_rate_n_per_s: .inf}}
  - {name: side, offset_m: [0, 0.012], disks: {count: 5, first_m: 0.04, last_m: 0.2, mass_kg: 0}, stiffness_n_per_m: 600, limits: {max_rate_n_per_s: .inf}}
drives:
  joints:
    - {name: bow, pulley_radius_m: 0.01, tendons: [{name: front, rest_pull_m: 1e-3}, {name: back, gain: -1, rest_pull_m: 1e-3}], lag_s: %g, gain: %g, limits: {max_rate_rad_per_s: .inf}}
    - {name: sway, pulley_radius_m: 0.01, tendons: [{name: side, rest_pull_m: 1e-3}], lag_s: 0.03, limits: {max_rate_rad_per_s: .inf}}
markers: [{name: mid, at_m: 0.1, offset_m: [%g, 0]}]
tip: {mass_kg: %g}
hardware: {latency_s: %g}
initial_state: equilibrium
solver: {step_s: 0.004}
rates: {control_hz: 250}
`

// whole are the numbers of wholeFile.
type whole struct{ ratio, tau, limit, lag, gain, offset, mass, latency float64 }

func (w whole) text(memory bool) string {
	inside := ""
	if memory {
		inside = fmt.Sprintf(", viscoelasticity: [{modulus_ratio: %g, relaxation_time_s: %g}], bending_friction: [{stiffness_nm2: 1e-3, limit_nm: %g}]", w.ratio, w.tau, w.limit)
	}
	return fmt.Sprintf(wholeFile, inside, w.lag, w.gain, w.offset, w.mass, w.latency)
}

// numbers are those that are free, by the names of the parameters.
func (w whole) numbers() map[string]float64 {
	return map[string]float64{
		"rod.viscoelasticity[0].modulus_ratio": w.ratio, "rod.viscoelasticity[0].relaxation_time_s": w.tau, "rod.bending_friction[0].limit_nm": w.limit,
		"drives.joints.bow.lag_s": w.lag, "drives.joints.bow.gain": w.gain, "markers.mid.offset_m[0]": w.offset, "hardware.latency_s": w.latency,
	}
}

// record moves the robot by steps of its motors, from rest, and writes what a camera sees of tip
// and marker each 20 ms, with noise.
func (w whole) record(t *testing.T, seed uint64) string {
	t.Helper()
	const step, every, count, noise = 0.004, 5, 900, 0.2e-3
	m, err := continuum.New(parseRod(t, w.text(true)))
	if err != nil {
		t.Fatal(err)
	}
	ports := m.Ports()
	port := func(name string) int { return slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == name }) }
	random := rand.New(rand.NewPCG(seed, 31))
	s := strings.Builder{}
	s.WriteString("t,bow:rad,sway:rad,tip_x,tip_y,tip_z,mid_x,mid_y,mid_z\n")
	var past [][2]spatial.Vec // of every step
	u, poses := []float64{0, 0}, make([]float64, 7)
	late := int(math.Round(w.latency / step))
	for n := range count {
		m.Value(port("markers_measured"), poses)
		past = append(past, [2]spatial.Vec{tipOf(m), {X: poses[0], Y: poses[1], Z: poses[2]}})
		if n%every == 0 {
			if n > 0 && n%60 == 0 {
				u[0], u[1] = 1.4*random.Float64()-0.7, 0.8*random.Float64()
			}
			fmt.Fprintf(&s, "%.17g,%.17g,%.17g", step*float64(n), u[0], u[1])
			for _, p := range past[max(0, n-late)] {
				fmt.Fprintf(&s, ",%.17g,%.17g,%.17g", p.X+noise*random.NormFloat64(), p.Y+noise*random.NormFloat64(), p.Z+noise*random.NormFloat64())
			}
			s.WriteString("\n")
			m.Command(port("servo_jp"), u)
		}
		if err := m.Step(step); err != nil {
			t.Fatal(err)
		}
	}
	return apptest.Write(t, fmt.Sprintf("whole%d.csv", seed), s.String())
}

// drawn is a robot drawn at random.
func drawn(seed uint64) whole {
	random := rand.New(rand.NewPCG(seed, 30))
	between := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	return whole{
		ratio: between(0.2, 0.5), tau: between(0.2, 0.5), limit: between(1e-3, 3e-3), lag: between(0.03, 0.08), gain: between(0.85, 1.1),
		offset: between(0.012, 0.018), mass: between(4e-3, 6e-3), latency: 0.004 * float64(3+random.IntN(6)),
	}
}

// TestRobotsDrawnAtRandom draws robots with drives, memory and markers, records each with noise, and finds seven of its numbers:
// true values lie within one, two and three standard errors as often as they should. The right model is
// never accused; without memory, latency or payload it is, of the last two by the effect that is what it
// lacks. Memory that carries much of the stiffness is mostly told as such, but may leave shapes of several kinds.
func TestRobotsDrawnAtRandom(t *testing.T) {
	many(t)
	var scores []float64
	accused := 0
	named := map[string][]string{}
	for seed := range uint64(*truths) {
		w := drawn(seed)
		data := w.record(t, seed)
		start := whole{ratio: 0.3, tau: 0.3, limit: 2e-3, lag: 0.05, gain: 1, offset: 0.015, mass: w.mass, latency: 0.02}
		found := func(model string, free ...string) *report {
			args := []string{"--config", apptest.Write(t, "start.yaml", model), "--starts", "1"}
			for _, name := range free {
				args = append(args, "--free", name)
			}
			return identified(t, rodRobot(), append(args, data)...)
		}
		memory := []string{"rod.viscoelasticity[0].modulus_ratio", "rod.viscoelasticity[0].relaxation_time_s", "rod.bending_friction[0].limit_nm"}
		rest := []string{"drives.joints.bow.lag_s", "drives.joints.bow.gain", "markers.mid.offset_m[0]"}
		latency := "hardware.latency_s=0:0.1"
		right := found(start.text(true), append(slices.Concat(memory, rest), latency)...)
		for _, p := range right.Parameters {
			z := (p.Value - w.numbers()[p.Name]) / *p.StandardError
			t.Logf("robot %d: %s = %.5g, really %.5g: %.2f standard errors", seed, p.Name, p.Value, w.numbers()[p.Name], z)
			scores = append(scores, z)
		}
		if len(right.Effects) > 0 {
			accused++
			t.Errorf("robot %d: the right model is accused: %s", seed, right.Effects[0].Text)
		}
		light, early := w, w // what is not free is right
		early.latency, light.mass = 0, 0
		for what, r := range map[string]*report{
			"memory":  found(start.text(false), append(slices.Clone(rest), latency)...),
			"latency": found(early.text(true), rest[1:]...),
			"payload": found(light.text(true), append(slices.Clone(rest), latency)...),
		} {
			name := "nothing"
			if len(r.Effects) > 0 {
				name = r.Effects[0].Effect
			}
			named[what] = append(named[what], name)
			if want := map[string]string{"latency": "lag", "payload": "load"}[what]; len(r.Effects) == 0 || want != "" && name != want {
				t.Errorf("robot %d: without %s: %s", seed, what, name)
			}
		}
	}
	judge(t, scores)
	t.Logf("%d of %d right models accused; %v", accused, *truths, named)
}

// judge compares standardised errors with those of a normal distribution.
func judge(t *testing.T, scores []float64) {
	t.Helper()
	var within [3]int
	square := 0.0
	for _, z := range scores {
		for k := range within {
			if math.Abs(z) <= float64(k+1) {
				within[k]++
			}
		}
		square += z * z
	}
	n := float64(len(scores))
	rms := math.Sqrt(square / n)
	t.Logf("of %d estimates %.0f, %.0f and %.0f %% within one, two and three standard errors; rms %.2f", len(scores), 100*float64(within[0])/n, 100*float64(within[1])/n, 100*float64(within[2])/n, rms)
	// of a normal distribution 99.7 % lie within three, and the rms of n is 1 ± 1/√(2n)
	if beyond := len(scores) - within[2]; beyond > len(scores)/50 {
		t.Errorf("%d of %d beyond three standard errors", beyond, len(scores))
	}
	if spread := 3 / math.Sqrt(2*n); math.Abs(rms-1) > spread {
		t.Errorf("rms of standardised errors %.2f, want 1 ± %.2f", rms, spread)
	}
}
