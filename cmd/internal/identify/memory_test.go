package identify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/pkg/sim/continuum"
)

// memoryFile is a soft rod that creeps and has friction inside.
const memoryFile = `
rod:
  length_m: 0.25
  radius_m: 0.0055
  density_kg_per_m3: 997.7
  youngs_modulus_pa: 16.6e6
  elements: 6
  viscoelasticity: [{modulus_ratio: %g, relaxation_time_s: %g}]
  bending_friction: [{stiffness_nm2: 3e-3, limit_nm: %g}, {stiffness_nm2: 1e-3, limit_nm: %g}]
tendons:
  - {name: up, offset_m: [0.015, 0], limits: {max_rate_n_per_s: .inf}}
  - {name: side, offset_m: [0, 0.015], limits: {max_rate_n_per_s: .inf}}
solver: {step_s: 0.004}
`

// memoryTruth are the numbers of memoryFile.
var memoryTruth = []struct {
	name         string
	value, start float64
}{
	{"rod.viscoelasticity[0].modulus_ratio", 0.4, 0.2},
	{"rod.viscoelasticity[0].relaxation_time_s", 0.3, 0.6},
	{"rod.bending_friction[0].limit_nm", 2e-3, 3e-3},
	{"rod.bending_friction[1].limit_nm", 6e-3, 4e-3},
}

func memoryText(start bool) string {
	var v []any
	for _, p := range memoryTruth {
		if start {
			v = append(v, p.start)
		} else {
			v = append(v, p.value)
		}
	}
	return fmt.Sprintf(memoryFile, v...)
}

// recordMemory writes what a camera sees of a robot that is pulled to and fro, in motion or from equilibrium
// to equilibrium. Of these it sees two in three: the third counts all the same.
func recordMemory(t *testing.T, static bool) string {
	t.Helper()
	m, err := continuum.New(parseRod(t, memoryText(false)))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(8, 0))
	header := "up,side,tip_x,tip_y,tip_z"
	if !static {
		header = "t," + header
	}
	s := newSheet(header, 8)
	for n := range map[bool]int{true: 90, false: 20}[static] {
		v := []float64{6 * random.Float64(), 6 * random.Float64()} // both springs slip in some rows
		for i, p := range m.Ports() {
			if p.Name == "servo_jf" {
				m.Command(i, v)
			}
		}
		switch {
		case !static:
			for k := range 50 {
				if k%10 == 0 {
					s.row(append([]float64{0.004 * float64(50*n+k)}, v...), tipOf(m), cameraNoise/5)
				}
				if err := m.Step(0.004); err != nil {
					t.Fatal(err)
				}
			}
			continue
		case m.Equilibrate() != nil:
			t.Fatal("no equilibrium")
		case n%3 == 2:
			fmt.Fprintf(s, "%.17g,%.17g,,,\n", v[0], v[1])
			continue
		}
		s.row(v, tipOf(m), cameraNoise/5)
	}
	return apptest.Write(t, fmt.Sprintf("memory%t.csv", static), s.String())
}

// Friction inside the rod is found from a way of equilibria, with rows in which nothing was
// measured, and creep from a motion.
func TestMemoryIsFound(t *testing.T) {
	many(t)
	start := apptest.Write(t, "start.yaml", memoryText(true))
	args := []string{"--config", start, "--starts", "1"}
	for _, p := range memoryTruth[2:] {
		args = append(args, "--free", p.name)
	}
	still := recordMemory(t, true)
	r := identified(t, rodRobot(), append(args, still)...)
	for _, p := range memoryTruth[2:] {
		r.expect(t, p.name, p.value, 0.1)
	}
	// without the rows that were not measured, the history of the rod is another one
	data := strings.Split(readText(t, still), "\n")
	kept := data[:0]
	for _, line := range data {
		if !strings.HasSuffix(line, ",,,") {
			kept = append(kept, line)
		}
	}
	short := identified(t, rodRobot(), append(args, apptest.Write(t, "short.csv", strings.Join(kept, "\n")))...)
	if a, b := *r.Fitted.RMSE, *short.Fitted.RMSE; !(a < 0.5*b) || math.IsNaN(b) {
		t.Errorf("rmse %g m, without the rows that were not measured %g m", a, b)
	}
	for _, p := range memoryTruth[:2] {
		args = append(args, "--free", p.name)
	}
	both := identified(t, rodRobot(), append(args, still, recordMemory(t, false))...)
	for _, p := range memoryTruth {
		both.expect(t, p.name, p.value, 0.1)
	}
	for _, p := range both.Parameters {
		t.Logf("%s = %.5g +- %.2g", p.Name, p.Value, *p.StandardError)
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
