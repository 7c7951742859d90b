package trajectory_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/trajectory"
)

// TestPositionsBeyondThoseOfAMeasurement: Inf, and a number that no position has, in all coordinates stand for a pose that was not
// measured.
func TestPositionsBeyondThoseOfAMeasurement(t *testing.T) {
	for name, mark := range map[string]string{"Inf": "inf,-inf,inf", "NDI": "-3.697314e28,-3.697314e28,-3.697314e28"} {
		text := "t,x,y,z\n0,1,2,3\n1," + mark + "\n2," + mark + "\n3,4,5,6\n4,7,8,9\n"
		for kind, o := range map[string]trajectory.Options{"any": {}, "trial": {Robot: &tendons}} {
			t.Run(name+", "+kind, func(t *testing.T) {
				m, err := trajectory.ReadCSV("x.csv", strings.NewReader(text), o)
				if err != nil {
					t.Fatal(err)
				}
				seen := 0
				for _, p := range m.Tip.Pose {
					if !math.IsNaN(p.P.X) {
						seen++
					}
				}
				remarks := strings.Join(m.Remarks, "\n")
				if seen != 3 || o.Robot == nil && len(m.Tip.Pose) != 3 || !strings.Contains(remarks, "2 rows with positions beyond 1e+06 m") || strings.Contains(remarks, "in which no pose") {
					t.Errorf("%v, %q", m.Tip.Pose, remarks)
				}
			})
		}
	}
	for text, want := range map[string]string{
		"t,x,y,z\n0,1e9,2e9,3e9\n1,1e9,2e9,3e9\n": "x.csv: 2 of 2 positions are beyond 1e+06 m; positions must be in m",
	} {
		if _, err := readAny(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := trajectory.ReadCSV("x.csv", strings.NewReader("t,x,y,z\n0,1,inf,3\n"), trajectory.Options{Robot: &tendons}); err == nil || !strings.Contains(err.Error(), `x.csv:2: y = "inf" is not a finite number`) {
		t.Errorf("one of three: %v", err)
	}
}
