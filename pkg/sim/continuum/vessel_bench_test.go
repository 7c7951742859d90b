package continuum_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
)

// contractFolder is beside the repository where it was developed, for what was measured there. Other
// tests take the vessel of ownFolder.
const contractFolder, ownFolder = "../../../../shared/contract", "../../../launch/worlds"

// nitinolCatheter is 0.4 m long and pushed into a vessel.
const nitinolCatheter = `
rod: {elements: 40, length_m: 0.4, radius_m: 0.00025, density_kg_per_m3: 6450, youngs_modulus_pa: 60.0e9, shear_modulus_pa: 23.0e9, damping: {kelvin_voigt_s: 0.0005, drag_per_s: 20}}
base: {position_m: [-0.39, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1], velocity_m_per_s: [0.02, 0, 0], until_s: 3}
environment:
  friction_coefficient: 0.1
  shapes:
    - {name: introducer, tube: {points_m: [[-0.35, 0, 0], [0.004, 0, 0]], radius_m: 0.0026}, friction_coefficient: 0.02}
    - {name: vessel, mesh: {file: vessel.stl, inside: true, scale: 1}}
solver: {method: implicit, step_s: 0.001}`

// inVessel is the model of a robot file in the folder of its vessel.
func inVessel(t testing.TB, folder string, text []byte) *continuum.Model {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("f", text)
	if err != nil {
		t.Fatal(err)
	}
	stl, err := os.ReadFile(filepath.Join(folder, "vessel.stl"))
	if err != nil {
		t.Fatal(err)
	}
	triangles, err := mesh.ReadSTL(stl)
	if err != nil {
		t.Fatal(err)
	}
	r, err := continuum.NewRobotWith(f, continuum.Files{Meshes: map[robotfile.FileName]*mesh.STL{"vessel.stl": triangles}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// BenchmarkVessel pushes rods into the vessel of the contract at 1 kHz, for four seconds,
// again and again: real time is 1000 µs/step. Percentiles are of the least time of each of the 4000
// steps: the more rounds, the less they tell of what else the machine does.
func BenchmarkVessel(b *testing.B) {
	guidewire, err := os.ReadFile(filepath.Join(contractFolder, "guidewire_in_vessel.yaml"))
	if err != nil {
		b.Skip(err)
	}
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"guidewire", guidewire},
		{"nitinol catheter", []byte(nitinolCatheter)},
		{"nitinol catheter of 100 elements", []byte(strings.Replace(nitinolCatheter, "elements: 40", "elements: 100", 1))},
	} {
		b.Run(c.name, func(b *testing.B) {
			const period = 4000 // steps
			m := inVessel(b, contractFolder, c.text)
			e := continuumtest.Of(b, m)
			start := make([]float64, m.StateLen())
			m.Save(start)
			times := make([]float64, 0, period)
			contacts, most, iterations := 0, 0, 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if i%period == 0 {
					if err := m.Restore(start); err != nil {
						b.Fatal(err)
					}
				}
				begin := time.Now()
				if err := m.Step(1e-3); err != nil {
					b.Fatal(err)
				}
				if took := time.Since(begin).Seconds() * 1e6; i < period {
					times = append(times, took)
				} else {
					times[i%period] = min(times[i%period], took)
				}
				n := e.Contact.Summary().Count
				contacts += n
				most = max(most, n)
				iterations += e.Stepper.Report().Iterations
			}
			slices.Sort(times)
			steps := float64(b.N)
			b.ReportMetric(times[len(times)/2], "p50-µs")
			b.ReportMetric(times[len(times)*95/100], "p95-µs")
			b.ReportMetric(times[len(times)*99/100], "p99-µs")
			b.ReportMetric(float64(contacts)/steps, "contacts/step")
			b.ReportMetric(float64(most), "contacts-max")
			b.ReportMetric(float64(iterations)/steps, "iterations/step")
			b.ReportMetric(float64(e.Stepper.Counters().Divided), "divided")
			b.ReportMetric(float64(e.Contact.FrictionUpdates()), "repeats")
		})
	}
}
