package trajectory_test

import (
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// fieldPorts are those of a robot in a field.
func fieldPorts() []sim.Port {
	one, all := []float64{1, 1, 1, 1e4, 1e4, 1e4, 1e4, 1e4}, []float64{-1, -1, -1, -1e4, -1e4, -1e4, -1e4, -1e4}
	return []sim.Port{
		{Name: "field_gradient", Kind: sim.FieldGradient, Direction: sim.In, Unit: "T, T/m", Group: "field",
			Min: all, Max: one, Strict: true, Hint: "the unit is tesla"},
		{Name: "rotating_field", Kind: sim.RotatingField, Direction: sim.In, Group: "field"},
	}
}

// Fields in millitesla are a mistake in the table, at its line.
func TestStrictColumns(t *testing.T) {
	table, err := trajectory.ReadCommands("c.csv", strings.NewReader("t,bx,by,bz\n0,0.01,0,0\n1,0,-0.02,0\n"), fieldPorts())
	if err != nil {
		t.Fatal(err)
	}
	if v := table.Rows[1][0]; v[1] != -0.02 || !sim.IsKeep(v[3]) {
		t.Errorf("row 2 commands %v", v)
	}
	_, err = trajectory.ReadCommands("c.csv", strings.NewReader("t,bx,by,bz\n0,0.01,0,0\n1,0,-20,0\n"), fieldPorts())
	if err == nil {
		t.Fatal("-20 T were accepted")
	}
	for _, w := range []string{"c.csv:3", "by = -20 T", "[-1, 1]", "the unit is tesla"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not mention %q", err, w)
		}
	}
}

// still is a model that takes commands to the ports of fields and does nothing.
type still struct{ sim.Model }

func (still) Ports() []sim.Port       { return fieldPorts() }
func (still) Setpoint(int, []float64) {}

// The cursor tells the line of the row in force, which comments move.
func TestPlaceOfRows(t *testing.T) {
	table, err := trajectory.ReadCommands("c.csv", strings.NewReader("# note\nt,bx\n0.1,0.01\n# note\n0.2,0\n0.2,0.02\n"), fieldPorts())
	if err != nil {
		t.Fatal(err)
	}
	in := sim.NewInputs(still{})
	for at, want := range map[float64]string{0: "", 0.1: "c.csv:3", 0.15: "c.csv:3", 0.2: "c.csv:6", 9: "c.csv:6"} {
		c := table.Play()
		c.Apply(at, in)
		if got := c.Place(); got != want {
			t.Errorf("at %g s: %q, want %q", at, got, want)
		}
	}
	var made trajectory.Commands
	made.Add(0, trajectory.Row{})
	c := made.Play()
	if c.Apply(1, in); c.Place() != "" {
		t.Errorf("a table of no file has the place %q", c.Place())
	}
}

// FuzzRead reads anything: an error or a table in the order of time, no panic.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"t,bx,by,bz\n0,0.01,0,0\n1,0,-0.02,0\n", "# note\nt\n0\n0\n", "\xef\xbb\xbft,gxx\n1,2\n0,1\n", "t,bx,bx\n", "\xff,\"\n"} {
		f.Add(text)
	}
	ports := fieldPorts()
	f.Fuzz(func(t *testing.T, text string) {
		table, err := trajectory.ReadCommands("c.csv", strings.NewReader(text), ports)
		if err != nil {
			return
		}
		if !slices.IsSorted(table.T) || len(table.T) != len(table.Rows) {
			t.Errorf("times %v of %d rows", table.T, len(table.Rows))
		}
	})
}

// A header that does not begin with t, or names what the robot does not take, is a
// mistake that says what there is.
func TestHeaderMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"bx,t\n0,0\n":       `c.csv:1: the first column is "bx"; it must be t, the time in s`,
		"t,bx,tension\n":    `c.csv:1: unknown column "tension"; this robot takes bx, by, bz, gxx`,
		"t,bx,by,bx\n":      "c.csv:1: ",
		"":                  "c.csv: ",
		"t,bx\n0,0\n-1,0\n": "c.csv:3: ",
	} {
		if table, err := trajectory.ReadCommands("c.csv", strings.NewReader(text), fieldPorts()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, table, err, want)
		}
	}
}

// Columns of a link of a mechanism are the components of a wrench in world axes; what a table has no column for stays.
func TestColumnsOfWrenches(t *testing.T) {
	ports := []sim.Port{
		{Name: "ball/external_wrench", Kind: sim.Wrench, Direction: sim.In, Unit: "N, N m", Group: "ball/external_wrench", Frames: []string{sim.World, "ball"}},
		{Name: "external_wrench", Kind: sim.Wrench, Direction: sim.In, Unit: "N, N m", Group: "external_wrench", Frames: []string{sim.World, "tip"}},
	}
	table, err := trajectory.ReadCommands("c.csv", strings.NewReader("t,ball.fz,ball.mx\n0,2,0.01\n"), ports)
	if err != nil {
		t.Fatal(err)
	}
	v := table.Rows[0][0]
	if v[2] != 2 || v[3] != 0.01 || v[6] != 0 || !sim.IsKeep(v[0]) {
		t.Errorf("the row commands %v", v)
	}
	if s := sim.NewLimits(&ports[0]).Check(v); s != sim.Accepted {
		t.Errorf("it is refused: %v", s)
	}
	if names := trajectory.NewTargets(ports).Names(); len(names) != 6 {
		t.Errorf("columns are %v, want those of the ball", names)
	}
}
