package trajectory_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// readRows reads the text of a CSV as it stands, of robots that are numbered.
func readRows(text string) (*trajectory.Trajectory, error) {
	t, err := trajectory.ReadCSV("x.csv", strings.NewReader(text), trajectory.Options{Numbered: "robot", Number: trajectory.AllRobots, Shapes: true})
	if err == nil {
		err = t.CheckRows()
	}
	return t, err
}

// readAny reads the text of a CSV of one robot of any kind.
func readAny(text string) (*trajectory.Trajectory, error) {
	return trajectory.ReadCSV("x.csv", strings.NewReader(text), trajectory.Options{})
}

// A CSV is read row by row with all that can be shown, and what cannot is named.
func TestRowsOfCSV(t *testing.T) {
	m, err := readRows("# a log\nt,x,y_mm,z,vx,vy,vz,wx,wy,wz,bx,by,bz,left,right,left:m,ax\n" +
		"0,1,2000,3,1,2,3,4,5,6,0.1,0.2,0.3,7,8,0.5,9\n0.5,NaN,0,0,1,2,3,4,5,6,0.1,0.2,0.3,9,10,0.6,9\n")
	if err != nil {
		t.Fatal(err)
	}
	if m.Tip.Rotations || m.Tip.Pose[0].P != (spatial.Vec{X: 1, Y: 2, Z: 3}) || m.Gap(0) || !m.Gap(1) || !reflect.DeepEqual(m.Lines, []int{3, 4}) {
		t.Errorf("%+v", m)
	}
	if !reflect.DeepEqual(m.Velocity[0], []float64{1, 2, 3, 4, 5, 6}) || !reflect.DeepEqual(m.Field[1], []float64{0.1, 0.2, 0.3}) || m.Acceleration != nil {
		t.Errorf("%+v", m)
	}
	if !reflect.DeepEqual(m.Actuation.Names, []string{"left", "right"}) || !reflect.DeepEqual(m.Actuation.Tension[1], []float64{9, 10}) || m.Actuation.Pull != nil || !reflect.DeepEqual(m.Ignored, []string{"ax"}) {
		t.Errorf("tendons %v, %v, %v; ignored %v", m.Actuation.Names, m.Actuation.Tension, m.Actuation.Pull, m.Ignored)
	}
	if at := m.SinceEpoch(m.Tip.T[1]); at != 1_000_000_000*time.Second+500*time.Millisecond {
		t.Errorf("0.5 s is %v since 1970", at)
	}
	if m, err = readRows("t,x,y,z\n1700000000.5,1,2,3\n"); err != nil || m.SinceEpoch(m.Tip.T[0]) != 1_700_000_000*time.Second+500*time.Millisecond {
		t.Errorf("times since 1970: %v", err)
	}
	if m, err = readRows("t,x,y,z,robot\n0,1,2,3,0\n0,1,2,3,4\n"); err != nil || m.Robots != 5 || !reflect.DeepEqual(m.Robot, []int{0, 4}) {
		t.Errorf("a swarm: %+v, %v", m, err)
	}
	if m, err = readRows("s,x,y,z,qx,qy,qz,qw\n0,1,2,3,0,0,0,1\n0.1,1,2,3,0,0,0,1\n"); err != nil || m.Tip.T != nil || !m.Tip.Rotations || len(m.Tip.Pose) != 2 || m.Ignored != nil {
		t.Errorf("a shape: %+v, %v", m, err)
	}
	if m, err = readRows("t,x,y,z,s\n0,1,2,3,4\n"); err != nil || !reflect.DeepEqual(m.Actuation.Names, []string{"s"}) {
		t.Errorf("a tendon called s: %+v, %v", m, err)
	}
}

// What cannot be shown is an error with file, line, value and what is allowed.
func TestRowsThatCannotBeShown(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "x.csv: no header",
		"t,x,y,z\n":                               "x.csv:1: there are no rows after the header",
		"t,left,right\n0,1,2\n":                   "x.csv:1: no column x or tip_x, a position in m; there are left, right",
		"x,y,z\n1,2,3\n":                          "x.csv:1: no column t, the time in s; there are x, y, z",
		"t,t,x,y,z\n0,0,1,2,3\n":                  `x.csv:1: column "t" appears twice`,
		"t,x,y,z\n0,1,two,3\n":                    `x.csv:2: y = "two" is not a number`,
		"t,x,y,z\nNaN,1,2,3\n":                    "x.csv:2: t = NaN s is no time; allowed: finite",
		"t,x,y,z\n1e300,1,2,3\n":                  "x.csv:2: t = 1e+300 s is no time; allowed: finite, at most 8e+09 s from 0",
		"t,x,y,z\n0,1,2\n":                        "wrong number of fields",
		"t,x,y,z\n0,1,2e9,3\n":                    "x.csv:2: the position (1, 2e+09, 3) m is beyond 1e+06 m",
		"s,x,y,z\n0,1,Inf,3\n":                    "x.csv:2: the node at (1, +Inf, 3) m is nowhere",
		"t,x,y,z,qx,qy,qz\n0,1,2,3,0,0,0\n":       "x.csv:1: 3 of the four columns",
		"t,x,y,z\n0,1,2,3\n1,1,2,3\n0.5,1,2,3\n":  "x.csv:4: t = 0.5 s after 1 s: time goes back; allowed: rows in the order of time",
		"t,x,y,z,qx,qy,qz,qw\n0,1,2,3,0,0,0,2\n":  "x.csv:2: qx, qy, qz, qw are no unit quaternion; allowed: a length of 0.99 to 1.01",
		"t,x,y,z,robot\n0,1,2,3,0\n0,1,2,3,1.5\n": "x.csv:3: robot = 1.5 is no number of a robot; want 0, 1, 2",
	} {
		if _, err := readRows(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// The accelerations that sim writes are no tendons.
func TestAccelerationsAreNoTendons(t *testing.T) {
	m, err := readAny("t,x,y,z,vx,vy,vz,wx,wy,wz,ax,ay,az,alpha_x,alpha_y,alpha_z\n0,1,2,3,0,0,0,0,0,0,1,2,3,4,5,6\n")
	if err != nil || len(m.Actuation.Names) > 0 {
		t.Errorf("tendons %v, error %v", m.Actuation.Names, err)
	}
}

// Whatever a file is, what is accepted of it can be shown: rows in the order of time, positions that are finite or gaps.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"t,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw,left\n0,1,2,3,0,0,0,1,5\n1,1,2,3,0,0,0,1,5\n",
		"t,x,y,z,robot\n0,1,2,3,0\n0,1,2,3,1\n", "s,x,y,z\n0,1,2,3\n", "t_ms,x_mm,y,z,left:m\n0,NaN,2,3,Inf\n", "\xef\xbb\xbft,x,y,z\n# \n-1,1,2,3\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = readAny(text)
		m, err := readRows(text)
		if err != nil {
			return
		}
		const farthest = 1e6 // m, beyond which no position is read
		for i := range m.Tip.Pose {
			if m.Tip.T != nil && i > 0 && m.SinceEpoch(m.Tip.T[i]) < m.SinceEpoch(m.Tip.T[i-1]) {
				t.Errorf("row %d is before the one above it", i)
			}
			if !m.Gap(i) && (m.Tip.Rotations && m.Tip.Pose[i].R == (spatial.Mat3{}) || m.Tip.Pose[i].P.Norm() > farthest) {
				t.Errorf("row %d: %v", i, m.Tip.Pose[i])
			}
			if m.Actuation.Tension != nil && len(m.Actuation.Tension[i]) != len(m.Actuation.Names) {
				t.Errorf("row %d: %v of %v", i, m.Actuation.Tension[i], m.Actuation.Names)
			}
		}
	})
}

// A CSV has times, positions, perhaps attitudes, and tendons under any other name.
func TestCSVOfAnyRobot(t *testing.T) {
	m, err := readAny("time_ms,x_mm,tip_y,z,qx,qy,qz,qw,vx,left,right,left:m,right:m\n" +
		"0,1,2,3,0,0,0,1,9,10,11,0.1,0.2\n500,4,5,6,0,0,0.70710678118654757,0.70710678118654757,9,12,13,0.3,0.4\n")
	if err != nil {
		t.Fatal(err)
	}
	quarter := spatial.ExpRot(spatial.Vec{Z: math.Pi / 2})
	r := m
	if !reflect.DeepEqual(r.Tip.T, []float64{0, 0.5}) || !r.Tip.Rotations || r.Tip.Pose[1].P != (spatial.Vec{X: 0.004, Y: 5, Z: 6}) {
		t.Errorf("tip %+v", r.Tip)
	}
	if d := r.Tip.Pose[1].R.Sub(quarter); d.Col1().Norm()+d.Col2().Norm() > 1e-12 || r.Tip.Pose[0].R != spatial.Identity3() {
		t.Errorf("attitudes %v", r.Tip.Pose)
	}
	a := r.Actuation
	if !reflect.DeepEqual(a.Names, []string{"left", "right"}) || !reflect.DeepEqual(a.T, r.Tip.T) ||
		!reflect.DeepEqual(a.Tension, [][]float64{{10, 11}, {12, 13}}) || !reflect.DeepEqual(a.Pull, [][]float64{{0.1, 0.2}, {0.3, 0.4}}) {
		t.Errorf("tendons %+v", a)
	}
	if m.Warning != "" || m.Stamped {
		t.Errorf("warning %q, stamped %t", m.Warning, m.Stamped)
	}

	m, err = readAny("t,x,y,z,left\n2000000000,1,2,3,NaN\n2000000001,1,2,3,5\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := m; r.Actuation.Names != nil || r.Actuation.T != nil || r.Tip.Rotations || !strings.Contains(m.Warning, "resolve 0.2 us") {
		t.Errorf("a tendon with a gap: %+v, rotations %t, warning %q", r.Actuation, r.Tip.Rotations, m.Warning)
	}
	m, err = readAny("t,x,y,z,bow:rad,bow:shaft_rad,left\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n")
	if err != nil || !reflect.DeepEqual(m.Angles, []string{"bow:rad", "bow:shaft_rad"}) || !reflect.DeepEqual(m.Actuation.Names, []string{"left"}) {
		t.Errorf("angles %v beside tendons %v; %v", m.Angles, m.Actuation.Names, err)
	}
	for text, want := range map[string]string{
		"x,y,z\n":                "no column t",
		"t,x,z\n":                "no column y or tip_y",
		"t,x,y,z,qx,qy,qz\n":     "3 of the four columns",
		"t,t,x,y,z\n":            `column "t" appears twice`,
		"t,x,y,z\n0,1,2,three\n": "three",
	} {
		if _, err := readAny(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// pair are two of three poses each that begin at different times.
func pair(clockA, clockB bool) (a, b *trajectory.Trajectory) {
	make := func(clock bool, start float64) *trajectory.Trajectory {
		m := &trajectory.Trajectory{Name: "x", Stamped: clock, Tip: trajectory.Poses{Pose: []spatial.Pose{spatial.IdentityPose(), spatial.IdentityPose(), spatial.IdentityPose()}}}
		for i := range m.Tip.Pose {
			at := start + 0.5*float64(i)
			if clock {
				m.Tip.Stamps = append(m.Tip.Stamps, time.Duration(at*1e9))
			} else {
				m.Tip.T = append(m.Tip.T, at)
			}
		}
		m.Actuation = trajectory.Actuation{Names: []string{"left"}, Stamps: m.Tip.Stamps, T: m.Tip.T, Tension: [][]float64{{1}, {2}, {3}}}
		return m
	}
	return make(clockA, 10), make(clockB, 12)
}

// Two trajectories are brought onto one clock: that of 1970 is counted from the earlier
// start, that of a CSV is its own, and both together only begin at 0 if asked to.
func TestOneClock(t *testing.T) {
	from := func(x float64) []float64 { return []float64{x, x + 0.5, x + 1} }
	for _, c := range []struct {
		clockA, clockB, together bool
		a, b                     float64
		fails                    bool
	}{
		{true, true, false, 0, 2, false}, {false, false, false, 10, 12, false}, {true, false, false, 0, 0, true}, {false, true, false, 0, 0, true},
		{true, true, true, 0, 0, false}, {false, false, true, 0, 0, false}, {true, false, true, 0, 0, false},
	} {
		ra, rb := pair(c.clockA, c.clockB)
		err := trajectory.Synchronize(ra, rb, c.together)
		if c.fails {
			if err == nil || !strings.Contains(err.Error(), "--start-together") {
				t.Errorf("%+v: error %v", c, err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(ra.Tip.T, from(c.a)) || !reflect.DeepEqual(rb.Tip.T, from(c.b)) || !reflect.DeepEqual(rb.Actuation.T, from(c.b)) {
			t.Errorf("%+v: %v, %v and %v, %v", c, ra.Tip.T, rb.Tip.T, rb.Actuation.T, err)
		}
	}
	a, b := pair(true, true)
	b.Tip.Pose = nil
	if err := trajectory.Synchronize(a, b, false); err == nil || !strings.Contains(err.Error(), "no poses") {
		t.Errorf("error %v", err)
	}
}

// In rows that are not to be used cells may be empty, in others they may not.
func TestEmptyCellsOfRowsNotToBeUsed(t *testing.T) {
	m, err := readAny("t,x,y,z,ok\n0,1,2,3,1\n1,,,,0\n2,NaN,,5,0\n3,4,5,6,1\n")
	if err != nil || len(m.Tip.T) != 2 || m.Dropped != 2 || m.Tip.Pose[1].P.X != 4 {
		t.Errorf("%+v, %v", m, err)
	}
	for text, want := range map[string]string{
		"t,x,y,z,ok\n0,,2,3,1\n":     `x.csv:2: x = "" is not a number`,
		"t,x,y,z,ok\n0,lost,2,3,0\n": `x.csv:2: x = "lost" is not a number`,
		"t,x,y,z\n0,,2,3\n":          `x.csv:2: x = "" is not a number`,
	} {
		if _, err := readAny(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
