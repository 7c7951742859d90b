package identify

import (
	"strings"
	"testing"
)

// A trial that cannot be read says where and what.
func TestTrialFileMistakes(t *testing.T) {
	layout := carriageLayout()
	layout.Others = []string{"spare"}
	const head, turned = "t,push,x,y,z\n", "x,y,z,qx,qy,qz,qw\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "no header"},
		{"unknown column", "t,x,y,z,wind\n", `trial.csv:1: unknown column "wind"; there are t, x, y, z, qx, qy, qz, qw and the commands lift:m, push`},
		{"twice", "t,push,push,x,y,z\n", `trial.csv:1: two columns "push"`},
		{"no position", "t,push,x,y\n", "trial.csv:1: no column z; a trial needs the measured position x, y, z"},
		{"part of a quaternion", "x,y,z,qx,qy\n", "trial.csv:1: 2 of the four columns qx, qy, qz, qw"},
		{"no rows", head, "trial.csv: nothing was measured"},
		{"nothing measured", head + "0,1,,,\n1,1,,,\n", "trial.csv: nothing was measured"},
		{"no number", head + "0,a,0,0,0\n", `trial.csv:2: push = "a"`},
		{"no time", head + ",1,0,0,0\n", "trial.csv:2: no time"},
		{"time that is none", head + "b,1,0,0,0\n", `trial.csv:2: t = "b"`},
		{"backward", head + "1,0,0,0,0\n0.5,0,0,0,0\n", "trial.csv:3: t = 0.5 s goes back; the row before has 1 s"},
		{"half a position", head + "0,1,0,,0\n", "trial.csv:2: 2 of the 3 numbers of the measured pose"},
		{"bad position", head + "0,1,0,c,0\n", `trial.csv:2: y = "c"`},
		{"bad quaternion", turned + "0,0,0,1,1,1,1\n", "trial.csv:2: the quaternion (1, 1, 1, 1) is not of length 1"},
		{"half a pose", turned + "0,0,0,,,,\n", "trial.csv:2: 3 of the 7 numbers of the measured pose"},
		{"short row", head + "0,1\n", "trial.csv"},
	} {
		if tr, err := readText("trial.csv", c.text, layout, Markers{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v; want %q", c.name, tr, err, c.want)
		}
	}
	if _, err := readText("trial.csv", "t,up,up:m,tip_x,tip_y,tip_z\n0,1,0,0,0,0\n", rodLayout(), Markers{}); err == nil || !strings.Contains(err.Error(), `trial.csv:1: columns "up" and "up:m" command the same actuator`) {
		t.Errorf("one tendon commanded twice: %v", err)
	}
	// equal times, other columns and empty rows are no mistake
	tr, err := readText("trial.csv", "t,spare,x,y,z\n1,9,0,0,0\n1,,,,\n2,,1,2,3\n", layout, Markers{})
	if err != nil || len(tr.rows) != 3 || tr.rows[1].measured || tr.rows[2].t != 1 || tr.start != 1 {
		t.Errorf("%+v, %v", tr, err)
	}
}
