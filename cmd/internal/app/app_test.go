package app_test

import (
	"os"
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
)

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, table, want string
		args              []string
	}{
		{"column", "t,d\n0,1\n", `commands.csv:1: unknown column "d"; this robot takes a, a:m, b, b:m, c, c:m`, nil},
		{"no time", "a,t\n0,1\n", `the first column is "a"; it must be t`, nil},
		{"twice", "t,a,a:m\n0,1,2\n", `columns "a" and "a:m" command the same actuator`, nil},
		{"NaN", "t,a\n0,1\n1,NaN\n", `commands.csv:3: a = "NaN" is not a finite number`, nil},
		{"back", "t,a\n1,1\n0,2\n", `commands.csv:3: t = 0 s goes back; the row before has 1 s`, nil},
		{"ragged", "t,a\n0\n", `wrong number of fields`, nil},
		{"empty", "", `no header`, nil},
		{"duration", "t\n", `"-1s" is not a duration`, []string{"sim", "--duration=-1s"}},
		{"flag", "t\n", `unknown flag --frobnicate`, []string{"sim", "--frobnicate"}},
		{"remap", "t\n", `0bad`, []string{"sim", "--duration=1s", "0bad:=x"}},
		{"file", "t\n", `no such file`, []string{"check", "missing.yaml"}},
		{"record", "t\n", `a recording is a .mcap or .bag file`, []string{"run", "--record", "x.csv"}},
		{"record dir", "t\n", `--record-dir: stat missing: no such file`, []string{"run", "--ros=off", "--view=off", "--duration=1ms", "--record-dir", "missing"}},
		{"record dir is a file", "t\n", `--record-dir ` + os.DevNull + `: is no folder`, []string{"run", "--ros=off", "--view=off", "--duration=1ms", "--record-dir", os.DevNull}},
		{"record format", "t\n", `--record-format must be one of "mcap","bag"`, []string{"run", "--record-format", "csv"}},
		{"replay", "t\n", `no such file`, []string{"replay", "missing.bag"}},
		{"replay CSV", "t\n", `neither an .mcap file nor a .bag file`, []string{"replay", os.DevNull}},
		{"empty out", "t\n", `--out has an empty value`, []string{"sim", "--duration=1s", "--out", ""}},
		{"empty record", "t\n", `--record has an empty value`, []string{"run", "--ros=off", "--duration=1ms", "--record="}},
		{"empty file", "t\n", `<file> has an empty value`, []string{"check", ""}},
		{"key", "t\n", `nonsense`, []string{"check", "_nonsense:=1", os.DevNull}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.args == nil {
				c.args = []string{"sim", "--duration", "1", "--commands", apptest.Write(t, "commands.csv", c.table)}
			}
			_, _, err := apptest.Command(t, &apptest.Integrator{}, c.args...)
			if exitcode.Code(err) != exitcode.Mistake {
				t.Fatalf("error %v, want one with exit code 2", err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q lacks %q", err, c.want)
			}
		})
	}
}

// TestROS2Mistakes: a mistake in the environment of ROS 2 ends the program also
// where ROS 2 is one of two networks.
func TestROS2Mistakes(t *testing.T) {
	t.Setenv("ROS_DOMAIN_ID", "300")
	for _, network := range []string{"auto", "ros2", "both"} {
		_, _, err := apptest.Command(t, &apptest.Integrator{}, "--ros", network)
		if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), "0 to 232") {
			t.Errorf("--ros %s: error %v", network, err)
		}
	}
}

func TestVersionAndParams(t *testing.T) {
	out, _, err := apptest.Command(t, &apptest.Integrator{}, "version")
	if err != nil || !strings.HasPrefix(out, "fakesim "+cli.Version+" (commit ") {
		t.Errorf("version printed %q, %v", out, err)
	}
	if out, _, err := apptest.Command(t, &apptest.Integrator{}, "params"); err != nil || !strings.HasPrefix(out, "# The built-in robot silicone, ") {
		t.Errorf("params printed %q, %v", out, err)
	}
	if out, _, err := apptest.Command(t, &apptest.Integrator{}, "--help"); err != nil || !strings.Contains(out, "params") {
		t.Errorf("--help printed %q, %v", out, err)
	}
}

// --help of a command names what has details, and the manual page has these.
func TestDetailsAreOnTheManualPage(t *testing.T) {
	help, _, err := apptest.Command(t, &apptest.Integrator{}, "identify", "--help")
	if err != nil {
		t.Fatal(err)
	}
	page, _, err := apptest.Command(t, &apptest.Integrator{}, "man")
	if err != nil {
		t.Fatal(err)
	}
	const detail = "It replaces --free and DATA."
	if !strings.Contains(help, " has details of <data>") || !strings.Contains(help, "--plan,") || strings.Contains(help, detail) {
		t.Errorf("identify --help prints\n%s", help)
	}
	if !strings.Contains(strings.NewReplacer(`\&`, "", `\-`, "-").Replace(page), detail) {
		t.Error("the manual page lacks the details of identify --plan")
	}
}
