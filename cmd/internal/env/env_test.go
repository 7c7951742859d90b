//go:build unix

package env

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
)

// weak is a robot whose step fails while its first tension is above 3 N.
type weak struct{ *continuum.Model }

var errWeak = errors.New("the first tendon has torn: " + strings.Repeat("é", errorLen))

func (m weak) Step(dt float64) error {
	first := make([]float64, m.Ports()[0].Width())
	if m.Setpoint(0, first); m.Ports()[0].Kind == sim.Tension && first[0] > 3 {
		return errWeak
	}
	return m.Model.Step(dt)
}

// tested is tendonsim with robots that are weak.
func tested() *program.Robot {
	return &program.Robot{
		Name: "tendonsim", Shown: "measured_cp", Builtin: robots.Of("tendonsim"),
		File: program.RodOrMechanism(program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
			r, err := continuum.NewRobot(f)
			if err != nil {
				return nil, err
			}
			another := func() (sim.Model, error) {
				m, err := r.NewModel()
				return weak{m}, err
			}
			m, err := another()
			return &program.Instance{Model: m, NewModel: another, Timing: program.TimingOf(f)}, err
		}), program.Files(func(f *robotfile.Mechanism) (*program.Instance, error) {
			r, err := multibody.NewRobot(f, multibody.Files{})
			if err != nil {
				return nil, err
			}
			another := func() (sim.Model, error) { return r.NewModel() }
			m, err := another()
			return &program.Instance{Model: m, NewModel: another, Timing: program.TimingOf(f), LengthM: r.Size()}, err
		})),
	}
}

// caller is what a foreign program has of the verb.
type caller struct {
	t     *testing.T
	to    io.WriteCloser
	from  *bufio.Reader
	path  string
	bytes []byte
	header
	*arrays
	ended chan error
}

// call starts the verb and reads what the memory begins with.
func call(t *testing.T, c Cmd) *caller {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	c.Shm = t.TempDir() + "/memory"
	a := &caller{t: t, to: to, from: bufio.NewReader(from), ended: make(chan error, 1)}
	go func() {
		err := c.run(&cli.Env{Robot: tested(), Stdout: out, Stderr: io.Discard}, in)
		out.Close()
		a.ended <- err
	}()
	line, err := a.from.ReadString('\n')
	if err != nil {
		t.Fatal(errors.Join(err, <-a.ended))
	}
	a.path = strings.TrimSpace(strings.TrimPrefix(line, "ready "))
	f, err := os.OpenFile(a.path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if a.bytes, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		t.Fatal(err)
	}
	if string(a.bytes[:8]) != "SINEWENV" || binary.LittleEndian.Uint32(a.bytes[8:]) != 1 {
		t.Fatalf("the memory begins with %q", a.bytes[:16])
	}
	if err := json.Unmarshal(a.bytes[16:16+binary.LittleEndian.Uint32(a.bytes[12:])], &a.header); err != nil {
		t.Fatal(err)
	}
	a.arrays = a.header.in(a.bytes)
	t.Cleanup(func() {
		to.Close()
		if err := <-a.ended; err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(a.path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", a.path, err)
		}
		_ = unix.Munmap(a.bytes)
	})
	return a
}

// ask sends a request and returns the answer.
func (a *caller) ask(request string) string {
	a.t.Helper()
	if _, err := io.WriteString(a.to, request+"\n"); err != nil {
		a.t.Fatal(err)
	}
	line, err := a.from.ReadString('\n')
	if err != nil {
		a.t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func (a *caller) must(request string) {
	a.t.Helper()
	if got := a.ask(request); got != "ok" {
		a.t.Fatalf("%s: %s", request, got)
	}
}

// seeded resets all robots, with these seeds if there are any.
func (a *caller) seeded(seeds ...uint64) {
	a.t.Helper()
	for i := range a.Envs {
		a.arrays.reset[i] = 1
		if a.reseed[i] = 0; i < len(seeds) {
			a.reseed[i], a.seed[i] = 1, seeds[i]
		}
	}
	a.must("reset")
	clear(a.arrays.reset)
	clear(a.reseed)
}

// moved lets all robots move for a while.
func (a *caller) moved() {
	a.t.Helper()
	for range 20 {
		a.must("step")
	}
}

// row is what is observed of robot i.
func (a *caller) row(i int) []float64 {
	w := widthOf(a.Observations)
	return slices.Clone(a.observation[i*w : (i+1)*w])
}

// A robot of an environment moves with the bits of the same model stepped by itself.
func TestStepsAreThoseOfTheModel(t *testing.T) {
	hz := 200.0
	a := call(t, Cmd{Envs: 3, Hz: &hz})
	made, err := cli.Make(func() program.File {
		f := tested().File()
		f.Merge("built-in", tested().Builtin[0].File())
		return f
	}())
	if err != nil {
		t.Fatal(err)
	}
	m, in := made.Model, sim.NewInputs(made.Model)
	if a.Actions[0].Name != "servo_jf" || a.Actions[0].Width != 4 || *a.Actions[0].Max[0] <= 0 || a.PeriodS != 0.005 || a.StepS*float64(a.Steps) != a.PeriodS {
		t.Errorf("header %+v", a.header)
	}
	a.seeded()
	for k := range 50 {
		v := []float64{2, 0, float64(k % 3), 0}
		copy(a.action[4:8], v)
		a.must("step")
		if verdict := in.Set(0, v); verdict != sim.Accepted {
			t.Fatal(verdict)
		}
		for range a.Steps {
			in.Advance(a.StepS)
			if err := m.Step(a.StepS); err != nil {
				t.Fatal(err)
			}
		}
	}
	var want []float64
	for i, p := range m.Ports() {
		if slices.ContainsFunc(a.Observations, func(o port) bool { return o.Name == p.Name }) {
			v := make([]float64, p.Width())
			m.Value(i, v)
			want = append(want, v...)
		}
	}
	if got := a.row(1); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if slices.Equal(a.row(0), a.row(1)) || math.Abs(a.time[1]-0.25) > 1e-12 {
		t.Errorf("robot 0 without action is where robot 1 is, or the time is %g s", a.time[1])
	}
}

// What varies follows from the seed of a robot and the number of its episode, whichever robot it
// is; without seed and after vary of nothing, robots are those of the file.
func TestResetsDraw(t *testing.T) {
	a := call(t, Cmd{Envs: 3, Vary: []string{"youngs_modulus_pa=lognormal(16e6,0.2)", "density_kg_per_m3=uniform(900,1100)"}})
	drawn := func(i int) []float64 { return slices.Clone(a.parameters[i*mostVaried:][:2]) }
	a.seeded(7, 8, 7)
	a.moved()
	first, rows := drawn(0), a.row(0)
	if !slices.Equal(first, drawn(2)) || !slices.Equal(rows, a.row(2)) || slices.Equal(first, drawn(1)) || first[1] < 900 || first[1] > 1100 {
		t.Errorf("seeds 7, 8, 7 draw %v, %v, %v", first, drawn(1), drawn(2))
	}
	a.seeded()
	if slices.Equal(drawn(0), first) || !slices.Equal(drawn(0), drawn(2)) {
		t.Errorf("the second episode draws %v and %v", drawn(0), drawn(2))
	}
	a.seeded(1, 7)
	a.moved()
	if !slices.Equal(drawn(1), first) || !slices.Equal(a.row(1), rows) {
		t.Errorf("seed 7 draws %v, before %v", drawn(1), first)
	}
	a.must("vary")
	a.seeded()
	a.moved()
	if x := drawn(1); x[0] != 0 || x[1] != 0 || slices.Equal(a.row(1), rows) || !slices.Equal(a.row(0), a.row(2)) {
		t.Errorf("without variation: %v", x)
	}
	for request, want := range map[string]string{
		"vary\tyoungs=normal(1,2)":                                               "no such number",
		"vary\tyoungs_modulus_pa=linspace(1,2,3)":                                "cannot draw from a grid",
		"vary\tyoungs_modulus_pa=normal(1e6,1)\tyoungs_modulus_pa=normal(1e6,1)": "both decide",
		"vary\t": "want NAME=KIND", "resets": `request "resets"`, "step\t1": "request", "": "request", "x1 step": "request", " step": "request",
	} {
		if got := a.ask(request); !strings.HasPrefix(got, "error ") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", request, got, want)
		}
	}
	a.must("set\tyoungs_modulus_pa\ttip.mass_kg")
	for i := range a.Envs {
		copy(a.parameters[i*mostVaried:], []float64{first[0], 0.001 * float64(i/2)})
	}
	a.seeded(1, 2, 3)
	a.moved()
	if x := drawn(2); x[0] != first[0] || x[1] != 0.001 || !slices.Equal(a.row(0), a.row(1)) || slices.Equal(a.row(0), a.row(2)) {
		t.Errorf("numbers that are set: %v", x)
	}
	if got := a.ask("set\tnothing_n"); !strings.Contains(got, "no such number") {
		t.Errorf("%q", got)
	}
	a.must("vary\tyoungs_modulus_pa=normal(1e6,1e7)") // half of them negative
	a.seeded(1, 2, 3)
	wrong := 0
	for i := range a.Envs {
		text := string(bytes.TrimRight(a.arrays.error[i*errorLen:(i+1)*errorLen], "\x00"))
		if (a.parameters[i*mostVaried] <= 0) != (a.failed[i] == 1) || a.failed[i] == 1 != strings.HasPrefix(text, "reset: ") {
			t.Errorf("robot %d of %g Pa: failed %d, %q", i, a.parameters[i*mostVaried], a.failed[i], text)
		}
		wrong += int(a.failed[i])
	}
	if wrong == 0 {
		t.Error("no reset has failed")
	}
}

// What is no action is refused with the name of robot and value before anything moves; what is
// beyond limits is clamped and told.
func TestActionsAreChecked(t *testing.T) {
	a := call(t, Cmd{Envs: 3})
	before := a.row(0)
	a.action[4+1] = math.NaN()
	got := a.ask("step")
	if !strings.Contains(got, "env 1: action servo_jf: value 1 (") || !strings.Contains(got, "is NaN N; want a finite number from 0 to ") {
		t.Errorf("%q", got)
	}
	if !slices.Equal(before, a.row(0)) || a.time[0] != 0 {
		t.Error("the others have moved")
	}
	a.action[4+1], a.action[8] = 0, -1
	a.must("step")
	if !slices.Equal(a.clamped, []byte{0, 0, 1}) || a.time[0] == 0 {
		t.Errorf("clamped %v, t = %g s", a.clamped, a.time[0])
	}
}

// A robot whose step fails stands still and says why until it is reset; the others go on.
func TestOneRobotFails(t *testing.T) {
	hz := 20.0
	a := call(t, Cmd{Envs: 2, Hz: &hz})
	a.action[0], a.action[4] = 10, 1
	for range 40 {
		a.must("step")
	}
	text := string(bytes.TrimRight(a.arrays.error[:errorLen], "\x00"))
	if !slices.Equal(a.failed, []byte{1, 0}) || !strings.HasPrefix(errWeak.Error(), text) || len(text) < errorLen-2 || math.Abs(a.time[1]-2) > 1e-9 {
		t.Fatalf("failed %v: %q, t = %v", a.failed, text, a.time)
	}
	at := a.row(0)
	a.must("step")
	if !slices.Equal(at, a.row(0)) {
		t.Error("a robot that failed moves")
	}
	a.arrays.reset[0] = 1
	a.must("step") // which resets the one and steps the other
	if !slices.Equal(a.failed, []byte{0, 0}) || a.arrays.error[0] != 0 || a.time[0] != 0 || math.Abs(a.time[1]-2.1) > 1e-9 {
		t.Errorf("after the reset: failed %v, t = %v", a.failed, a.time)
	}
}

func TestWhatIsRefused(t *testing.T) {
	zero, low := 0.0, 1e-9
	for _, c := range []struct {
		cmd  Cmd
		want string
	}{
		{Cmd{}, "--envs 0: want 1 to"}, {Cmd{Envs: mostEnvs + 1}, "--envs"}, {Cmd{Envs: 1, Workers: -1}, "--workers -1"},
		{Cmd{Envs: 1, Hz: &zero}, "--hz 0"}, {Cmd{Envs: 1, Hz: &low}, "--hz 1e-09"},
		{Cmd{Envs: 1, Action: []string{"measured_cp"}}, "--action measured_cp: the robot has no such input or output; it has servo_jf"},
		{Cmd{Envs: 1, Action: []string{"servo_jf", "servo_jf"}}, "drive the same actuators"},
		{Cmd{Envs: 1, Observe: []string{"tip"}}, "--observe tip: the robot has no such input or output"},
		{Cmd{Envs: 1, Observe: []string{"backbone", "backbone"}}, "given twice"},
		{Cmd{Envs: 1, Vary: []string{"youngs_modulus_pa=values(1)"}}, "cannot draw from a grid"},
		{Cmd{Envs: 1, Shm: "/dev/null/x"}, "--shm"}, {Cmd{Envs: 1, Shm: os.DevNull}, "exists"},
	} {
		err := c.cmd.run(&cli.Env{Robot: tested(), Stdout: io.Discard, Stderr: io.Discard}, strings.NewReader(""))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cmd, err, c.want)
		}
	}
	h := &header{Envs: mostEnvs, Observations: []port{{Width: 7000}}}
	if err := h.place(0); err == nil || !strings.Contains(err.Error(), "bytes of shared memory") {
		t.Errorf("%v", err)
	}
}
