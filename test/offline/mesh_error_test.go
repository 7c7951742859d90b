package offline_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// meshReport is what --error-json writes.
type meshReport struct {
	Error      float64  `json:"tip_error_m"`
	Link       string   `json:"link"`
	Percent    float64  `json:"tip_error_percent"`
	Rms        float64  `json:"tip_error_rms_m"`
	Order      *float64 `json:"observed_order"`
	Converging bool
	Elements   []int
}

func readMeshReport(t *testing.T, name string) (m meshReport) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil || !m.Converging || m.Order == nil || len(m.Elements) != 3 {
		t.Fatalf("%s: %v", data, err)
	}
	return m
}

// meshCases are robots, the number of their elements and one with which nothing is left to see.
var meshCases = []struct {
	name, file string
	few, many  int
	order      string
	observed   float64
	tensions   string
}{
	{"silicone", "../../launch/robots/silicone.yaml", 20, 160, "2", 2, "_tendons[0]/tension_n:=2"},
	{"nitinol", "../../launch/robots/nitinol.yaml", 20, 160, "2", 2, "_tendons[0]/tension_n:=2"},
	{"nitinol, order 4", "../../launch/robots/nitinol.yaml", 20, 160, "4", 4, "_tendons[0]/tension_n:=2"},
	{"helical", "../../launch/robots/helical.yaml", 20, 160, "2", 2, "_tendons[1]/tension_n:=2"},
	{"segments", "../../launch/robots/segments.yaml", 24, 192, "2", 2, "_tendons[0]/tension_n:=1"},
	{"sections", testbench.RobotFiles + "tapered_arm.yaml", 40, 320, "2", 2, "_tendons[1]/tension_n:=0.1"},
}

// The error that static tells is the true one within a factor of two, with robots of every
// kind; the truth is that of eight times as many elements of order 4.
func TestStaticTellsTheErrorOfTheMesh(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	for _, c := range meshCases {
		report := filepath.Join(t.TempDir(), "error.json")
		shape := func(n int, order string, more ...string) (tip []float64, errs string) {
			args := append([]string{"static", "--config", c.file, c.tensions, fmt.Sprintf("_rod/elements:=%d", n), "_rod/element_order:=" + order}, more...)
			out, errs, code := testbench.Run(t, program, args...)
			if code != 0 {
				t.Fatalf("%s: exit code %d: %s", c.name, code, errs)
			}
			_, rows := testbench.ParseCSV(t, out)
			return rows[len(rows)-1][1:4], errs
		}
		tip, errs := shape(c.few, c.order, "--error-json", report)
		limit, _ := shape(c.many, "4")
		truth := math.Hypot(math.Hypot(tip[0]-limit[0], tip[1]-limit[1]), tip[2]-limit[2])
		m := readMeshReport(t, report)
		t.Logf("%s: %.3g m, true %.3g m, order %.2f", c.name, m.Error, truth, *m.Order)
		if !(m.Error < 2*truth && m.Error > truth/2) || !(math.Abs(*m.Order-c.observed) < 0.6) || m.Elements[0] != c.few || m.Elements[2] != 4*c.few {
			t.Errorf("%s: %+v, order %.2f; true error %.3g m", c.name, m, *m.Order, truth)
		}
		line := regexp.MustCompile(`error of the mesh of (\d+) elements: (\S+) m \((\S+) % of the length\) at the tip, of order (\S+)\n`)
		if !line.MatchString(errs) {
			t.Errorf("%s: standard error %q", c.name, errs)
		}
	}
}

// So is that of a motion, of the root of its mean square.
func TestSimTellsTheErrorOfTheMesh(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	const file = "../../launch/robots/nitinol.yaml"
	report := filepath.Join(t.TempDir(), "error.json")
	motion := func(more ...string) (tips [][]float64, errs string) {
		args := append([]string{"sim", "--config", file, "--duration", "0.2s", "_tendons[0]/tension_n:=3"}, more...)
		out, errs, code := testbench.Run(t, program, args...)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		_, rows := testbench.ParseCSV(t, out)
		return rows, errs
	}
	plain, errs := motion()
	if strings.Contains(errs, "mesh") {
		t.Errorf("without --error: %s", errs)
	}
	rows, errs := motion("--error", "--error-json", report)
	limit, _ := motion("_rod/elements:=80", "_rod/element_order:=4")
	sum := 0.0
	for i, r := range rows {
		for k := range 3 {
			sum += math.Pow(r[1+k]-limit[i][1+k], 2)
			if r[1+k] != plain[i][1+k] {
				t.Fatalf("row %d differs with --error", i)
			}
		}
	}
	truth := math.Sqrt(sum / float64(len(rows)))
	m := readMeshReport(t, report)
	t.Logf("rms %.3g m, true %.3g m, order %.2f", m.Rms, truth, *m.Order)
	if !(m.Rms < 2*truth && m.Rms > truth/2) || !(m.Error >= m.Rms) || !strings.Contains(errs, "error of the mesh of 20 elements: ") {
		t.Errorf("%+v, true error %.3g m; standard error %q", m, truth, errs)
	}
}

// That of a mechanism is the largest of its links, in equilibrium and in motion.
func TestErrorOfTheMeshOfAMechanism(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	const file = testbench.RobotFiles + "y_tree.yaml"
	report := filepath.Join(t.TempDir(), "error.json")
	finer := []string{"_rods/trunk/elements:=40", "_rods/left/elements:=40", "_rods/right/elements:=40"}
	apart := func(verb string, rows func(header []string, table [][]string) [][]string, args ...string) (worst float64, errs string) {
		var sides [2][][]string
		for i, more := range [...][]string{{"--error-json", report}, finer} {
			out, text, code := testbench.Run(t, program, slices.Concat([]string{verb, file}, args, more)...)
			if code != 0 {
				t.Fatalf("%s: exit code %d: %s", verb, code, text)
			}
			table := readTable(t, out)
			if sides[i] = rows(table[0], table[1:]); i == 0 {
				errs = text
			}
		}
		for i, row := range sides[0] {
			sum := 0.0
			for k := range row {
				a, _ := strconv.ParseFloat(row[k], 64)
				b, _ := strconv.ParseFloat(sides[1][i][k], 64)
				sum += (a - b) * (a - b)
			}
			worst = max(worst, math.Sqrt(sum))
		}
		return worst, errs
	}
	ends := func(_ []string, table [][]string) (all [][]string) {
		for i, row := range table {
			if row[1] == "body" || row[1] == "rod" && table[i+1][0] != row[0] {
				all = append(all, row[3:6])
			}
		}
		return all
	}
	truth, errs := apart("static", ends)
	m := readMeshReport(t, report)
	t.Logf("equilibrium: %.3g m at %s, true %.3g m, order %.2f", m.Error, m.Link, truth, *m.Order)
	if !(m.Error < 2*truth && m.Error > truth/2) || m.Link == "" || !slices.Equal(m.Elements, []int{30, 60, 120}) {
		t.Errorf("%+v, true error %.3g m", m, truth)
	}
	if want := " at " + m.Link + ", of order 4.0"; !strings.Contains(errs, want) {
		t.Errorf("standard error %q, want %q", errs, want)
	}
	links := func(header []string, table [][]string) (all [][]string) {
		for _, row := range table {
			for i, name := range header {
				if strings.HasSuffix(name, "tip_x") || strings.HasSuffix(name, ".x") {
					all = append(all, row[i:i+3])
				}
			}
		}
		return all
	}
	truth, errs = apart("sim", links, "--duration", "0.1s")
	m = readMeshReport(t, report)
	t.Logf("motion: %.3g m at %s, true %.3g m, order %.2f", m.Error, m.Link, truth, *m.Order)
	if !(m.Error < 2*truth && m.Error > truth/2) || !strings.Contains(errs, "error of the steps of ") {
		t.Errorf("%+v, true error %.3g m; %s", m, truth, errs)
	}
}

// What has no mesh that can be refined says so before it begins.
func TestNoErrorWithoutMesh(t *testing.T) {
	for _, c := range []struct {
		program string
		args    []string
	}{
		{testbench.BuildTendonsim(t), []string{"sim", "--error", "--duration", "1e-6", "_solver/method:=explicit", "_solver/step_s:=1e-8"}},
		{testbench.BuildMicrorobot(t), []string{"sim", "--error", "--duration", "1ms"}},
	} {
		out, errs, code := testbench.Run(t, c.program, c.args...)
		if code != 2 || out != "" || !strings.Contains(errs, "--error: errors of mesh and steps are estimated for robots of tendonsim with method implicit and for mechanisms only") {
			t.Errorf("%v: exit code %d, %q, %q", c.args, code, out, errs)
		}
	}
}
