package identify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/identify"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// rodRobot and bodyRobot are the programs, as far as identify needs them.
func rodRobot() program.Robot {
	return program.Robot{
		Name: "tendonsim", Shown: "measured_cp", Builtin: robots.Of("tendonsim"),
		File: program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
			m, err := continuum.New(f)
			if err != nil {
				return nil, err
			}
			return &program.Instance{Model: m, LengthM: f.Rod.Length, Markers: f.Markers, Hardware: f.Hardware, InEquilibrium: f.InitialState == robotfile.Equilibrium, Timing: timing(f.Solver.Step, &f.Rates)}, nil
		}),
		Samples: func(ports []sim.Port) []program.Samples {
			return []program.Samples{{Port: "measured_cp", Columns: []string{"tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"}}}
		},
	}
}

func bodyRobot() program.Robot {
	return program.Robot{
		Name: "microrobot", Shown: "measured_cp", Builtin: robots.Of("microrobot"),
		File: program.Files(func(f *robotfile.Microrobot) (*program.Instance, error) {
			r, err := microrobot.NewRobot(f, nil)
			if err != nil {
				return nil, err
			}
			return &program.Instance{Model: r.NewModel(), LengthM: r.Length(), Hardware: f.Hardware, Timing: timing(f.Solver.Step, &f.Rates)}, nil
		}),
		Samples: func(ports []sim.Port) []program.Samples {
			return []program.Samples{{Port: "measured_cp", Columns: []string{"x", "y", "z", "qx", "qy", "qz", "qw"}}}
		},
	}
}

func timing(step float64, r *robotfile.Rates) program.Timing {
	return program.Timing{StepS: step, ControlHz: r.Control, PublishHz: r.Publish, MarkerHz: r.Marker, CommandTimeoutS: 0.2}
}

// many skips a test that simulates many trials where time is short, and lets it run beside others.
func many(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("simulates many trials")
	}
	t.Parallel() // on one processor each
}

// invoke runs a program and fails the test if it fails.
func invoke(t *testing.T, robot program.Robot, args ...string) string {
	t.Helper()
	out, err := attempt(robot, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

func attempt(robot program.Robot, args ...string) (string, error) {
	var out bytes.Buffer
	err := app.Run(robot, args, &out, &out)
	return out.String(), err
}

// identified runs identify and returns what it reports.
func identified(t *testing.T, robot program.Robot, args ...string) *report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	t.Logf("\n%s", invoke(t, robot, append([]string{"identify", "--report", file}, args...)...))
	return readReport(t, file)
}

// report is what identify reports.
type report struct{ identify.Report }

func readReport(t *testing.T, file string) *report {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := new(report)
	if err := json.Unmarshal(data, &r.Report); err != nil {
		t.Fatal(err)
	}
	return r
}

// expect checks that a parameter was found within three standard errors, and
// within a share of its value.
func (r *report) expect(t *testing.T, name string, want, share float64) {
	t.Helper()
	for _, p := range r.Parameters {
		if p.Name != name {
			continue
		}
		switch off := math.Abs(p.Value - want); {
		case p.StandardError == nil:
			t.Errorf("%s = %g has no standard error", name, p.Value)
		case off > 3**p.StandardError || off > share*want:
			t.Errorf("%s = %g ± %g instead of %g: off by %.2g standard errors and %.3g %%", name, p.Value, *p.StandardError, want, off / *p.StandardError, 100*off/want)
		}
		return
	}
	t.Errorf("no parameter %s", name)
}

// sheet is a CSV in the making.
type sheet struct {
	strings.Builder
	random *rand.Rand
}

func newSheet(header string, seed uint64) *sheet {
	s := &sheet{random: rand.New(rand.NewPCG(seed, 1))}
	s.WriteString(header + "\n")
	return s
}

// row writes numbers, then a position with noise of a standard deviation.
func (s *sheet) row(numbers []float64, p spatial.Vec, noise float64) {
	for _, v := range numbers {
		fmt.Fprintf(s, "%.17g,", v)
	}
	fmt.Fprintf(s, "%.17g,%.17g,%.17g\n", p.X+noise*s.random.NormFloat64(), p.Y+noise*s.random.NormFloat64(), p.Z+noise*s.random.NormFloat64())
}
