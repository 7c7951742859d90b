package series

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/pkg/sim/spatial"
)

// csvMotion reads the text of a CSV, of robots that are numbered.
func csvMotion(t *testing.T, text string) (*Motion, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadMotion(file, "robot")
}

// A CSV is read row by row with all that can be shown, and what cannot is named.
func TestMotionOfCSV(t *testing.T) {
	m, err := csvMotion(t, "# a log\nt,x,y_mm,z,vx,vy,vz,wx,wy,wz,bx,by,bz,left,right,left:m,ax\n"+
		"0,1,2000,3,1,2,3,4,5,6,0.1,0.2,0.3,7,8,0.5,9\n0.5,NaN,0,0,1,2,3,4,5,6,0.1,0.2,0.3,9,10,0.6,9\n")
	if err != nil {
		t.Fatal(err)
	}
	if m.Rotations || m.Poses[0].P != (spatial.Vec{X: 1, Y: 2, Z: 3}) || m.Gap(0) || !m.Gap(1) || !reflect.DeepEqual(m.Lines, []int{3, 4}) {
		t.Errorf("%+v", m)
	}
	if !reflect.DeepEqual(m.Twist[0], []float64{1, 2, 3, 4, 5, 6}) || !reflect.DeepEqual(m.Field[1], []float64{0.1, 0.2, 0.3}) || m.Acceleration != nil {
		t.Errorf("%+v", m)
	}
	if !reflect.DeepEqual(m.Tendons, []string{"left", "right"}) || !reflect.DeepEqual(m.Tension[1], []float64{9, 10}) || m.Pull != nil || !reflect.DeepEqual(m.Ignored, []string{"ax"}) {
		t.Errorf("tendons %v, %v, %v; ignored %v", m.Tendons, m.Tension, m.Pull, m.Ignored)
	}
	if at := m.Clock(m.T[1]); at != 1_000_000_000*time.Second+500*time.Millisecond {
		t.Errorf("0.5 s is %v since 1970", at)
	}
	if m, err = csvMotion(t, "t,x,y,z\n1700000000.5,1,2,3\n"); err != nil || m.Clock(m.T[0]) != 1_700_000_000*time.Second+500*time.Millisecond {
		t.Errorf("times since 1970: %v", err)
	}
	if m, err = csvMotion(t, "t,x,y,z,robot\n0,1,2,3,0\n0,1,2,3,4\n"); err != nil || m.Robots != 5 || !reflect.DeepEqual(m.Robot, []int{0, 4}) {
		t.Errorf("a swarm: %+v, %v", m, err)
	}
	if m, err = csvMotion(t, "s,x,y,z,qx,qy,qz,qw\n0,1,2,3,0,0,0,1\n0.1,1,2,3,0,0,0,1\n"); err != nil || m.T != nil || !m.Rotations || len(m.Poses) != 2 || m.Ignored != nil {
		t.Errorf("a shape: %+v, %v", m, err)
	}
	if m, err = csvMotion(t, "t,x,y,z,s\n0,1,2,3,4\n"); err != nil || !reflect.DeepEqual(m.Tendons, []string{"s"}) {
		t.Errorf("a tendon called s: %+v, %v", m, err)
	}
}

// What cannot be shown is an error with file, line, value and what is allowed.
func TestMotionMistakes(t *testing.T) {
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
		if _, err := csvMotion(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// The accelerations that sim writes are no tendons.
func TestAccelerationsAreNoTendons(t *testing.T) {
	m, err := csvTrack(t, "t,x,y,z,vx,vy,vz,wx,wy,wz,ax,ay,az,alpha_x,alpha_y,alpha_z\n0,1,2,3,0,0,0,0,0,0,1,2,3,4,5,6\n")
	if err != nil || len(m.tendons.names) > 0 {
		t.Errorf("tendons %v, error %v", m.tendons.names, err)
	}
}

// Whatever a file is, what is accepted of it can be shown: rows in the order of time, positions that are finite or gaps.
func FuzzMotion(f *testing.F) {
	for _, text := range []string{
		"t,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw,left\n0,1,2,3,0,0,0,1,5\n1,1,2,3,0,0,0,1,5\n",
		"t,x,y,z,robot\n0,1,2,3,0\n0,1,2,3,1\n", "s,x,y,z\n0,1,2,3\n", "t_ms,x_mm,y,z,left:m\n0,NaN,2,3,Inf\n", "\xef\xbb\xbft,x,y,z\n# \n-1,1,2,3\n",
	} {
		f.Add(text)
	}
	file := filepath.Join(f.TempDir(), "x.csv")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := ReadMotion(file, "robot")
		if err != nil {
			return
		}
		for i := range m.Poses {
			if m.T != nil && i > 0 && m.Clock(m.T[i]) < m.Clock(m.T[i-1]) {
				t.Errorf("row %d is before the one above it", i)
			}
			if !m.Gap(i) && (m.Rotations && m.Poses[i].R == (spatial.Mat3{}) || m.Poses[i].P.Norm() > mostMetres) {
				t.Errorf("row %d: %v", i, m.Poses[i])
			}
			if m.Tension != nil && len(m.Tension[i]) != len(m.Tendons) {
				t.Errorf("row %d: %v of %v", i, m.Tension[i], m.Tendons)
			}
		}
	})
}
