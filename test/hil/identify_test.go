package hil_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/test/testbench"
)

var update = flag.Bool("update", false, "write the example data and outputs anew")

// recipe is the folder of the recipe for identification, seen from the top of the
// repository.
const recipe = "launch/examples/identify"

// trials are the tensions of the three experiments, N: vertical and horizontal.
var trials = []struct {
	file string
	seed uint64
	rows [][2]float64
}{
	{"gravity.csv", 1, [][2]float64{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},
	{"horizontal.csv", 2, [][2]float64{{0, 0.5}, {0, 1}, {0, 1.5}, {0, 2}, {0, 2.5}, {0, 3}, {0, 3.5}, {0, 4}, {0, 4.5}, {0, 5}, {0, 5.5}, {0, 6}}},
	{"validation.csv", 3, [][2]float64{{1, 0}, {2, 0}, {4.5, 0}, {3, 1}, {3, 2}, {1, 2}, {2, 3}, {5, 2}, {0, 4}, {4, 4}}},
}

// standIn is the robot that plays the hardware, in equilibrium.
func standIn(t *testing.T) *robotfile.Draft[robotfile.Continuum] {
	t.Helper()
	d := new(robotfile.Draft[robotfile.Continuum])
	for _, name := range []string{"robot.yaml", "hardware.yaml"} {
		text, err := os.ReadFile(filepath.Join("../..", recipe, name))
		if err != nil {
			t.Fatal(err)
		}
		d.Merge(name, text)
	}
	d.Set("initial_state", string(robotfile.Equilibrium), "test")
	return d
}

// measure is what a camera saw of the stand-in's tip under tensions: noise of 0.5 mm
// on each axis, written to 0.01 mm.
func measure(t *testing.T, seed uint64, rows [][2]float64) []byte {
	t.Helper()
	const noise = 0.5e-3
	d := standIn(t)
	random := rand.New(rand.NewPCG(seed, 0))
	var csv bytes.Buffer
	csv.WriteString("vertical,horizontal,tip_x,tip_y,tip_z\n")
	f, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	pull := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == "servo_jf" })
	for _, r := range rows { // one after the other: friction remembers
		m.Command(pull, r[:])
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		var pose [7]float64
		for i, p := range m.Ports() {
			if p.Name == "measured_cp" {
				m.Value(i, pose[:])
			}
		}
		fmt.Fprintf(&csv, "%g,%g", r[0], r[1])
		for _, x := range pose[:3] {
			fmt.Fprintf(&csv, ",%.5f", x+noise*random.NormFloat64())
		}
		csv.WriteByte('\n')
	}
	return csv.Bytes()
}

// TestIdentifyRecipeData makes the data of the recipe and compares them with the
// files, or writes these with -update.
func TestIdentifyRecipeData(t *testing.T) {
	for _, c := range trials {
		file, want := filepath.Join("../..", recipe, c.file), measure(t, c.seed, c.rows)
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s (%v) is not what the stand-in gives; go test ./test/hil -run IdentifyRecipe -update writes it anew", file, err)
		}
	}
}

// TestIdentifyRecipe runs the commands of the recipe's README in order and compares
// what they print with what stands there, or writes that with -update.
func TestIdentifyRecipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, recipe), os.DirFS(filepath.Join("../..", recipe))); err != nil {
		t.Fatal(err)
	}
	program := testbench.BuildTendonsim(t)
	readme := filepath.Join("../..", recipe, "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "```\n")
	commands := 0
	for i := 1; i < len(parts); i += 2 { // within the fences
		command, shown, ok := strings.Cut(parts[i], "\n")
		if command, ok = strings.CutPrefix(command, "$ tendonsim "); !ok {
			continue
		}
		commands++
		run := exec.Command(program, strings.Fields(command)...)
		run.Dir = dir
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		if parts[i] = "$ tendonsim " + command + "\n" + string(out); shown != string(out) && !*update {
			t.Errorf("%s prints\n%s\nbut its README says\n%s", command, out, shown)
		}
	}
	if commands < 4 {
		t.Errorf("only %d commands in %s", commands, readme)
	}
	if *update {
		if err := os.WriteFile(readme, []byte(strings.Join(parts, "```\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
