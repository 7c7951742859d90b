package trajectory_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/trajectory"
)

// TestColumnsThatSayWhetherThePoseWasMeasured: rows whose columns say that the pose was not measured are left out and counted; of a
// trial they keep their commands. A quality of other numbers than 0 and 1, or of one, says nothing.
func TestColumnsThatSayWhetherThePoseWasMeasured(t *testing.T) {
	const tell = "2 rows in which "
	for name, c := range map[string]struct {
		text, remark string
		left         int
		body         string
	}{
		"valid":                       {"t,x,y,z,valid\n0,1,2,3,1\n1,9,9,9,0\n2,9,9,9,0\n3,4,5,6,1\n", tell + "valid is 0", 2, ""},
		"words":                       {"t,x,y,z,is_tracked\n0,1,2,3,True\n1,9,9,9,False\n2,9,9,9,False\n3,4,5,6,True\n", tell + "is_tracked is False", 2, ""},
		"before the pose":             {"t;Visible;x;y;z\n0;yes;1;2;3\n1;no;;;\n2;no;0;0;0\n3;yes;4;5;6\n", tell + "Visible is no", 2, ""},
		"what is lost":                {"t,x,y,z,occluded\n0,1,2,3,0\n1,9,9,9,1\n2,9,9,9,1\n3,4,5,6,0\n", tell + "occluded is 1", 2, ""},
		"of the tip":                  {"t,tip_x,tip_y,tip_z,tip_valid\n0,1,2,3,1\n1,9,9,9,0\n2,9,9,9,0\n3,4,5,6,1\n", tell + "tip_valid is 0", 2, ""},
		"of a body":                   {"t,Rod X,Rod Y,Rod Z,Rod Visible\n0,1,2,3,1\n1,9,9,9,0\n2,9,9,9,0\n3,4,5,6,1\n", tell + "Rod Visible is 0", 2, ""},
		"of a body that is asked for": {"t,rod_x,rod_y,rod_z,cart_x,cart_y,cart_z,rod_tracked\n0,1,2,3,0,0,0,True\n1,9,9,9,0,0,0,False\n2,9,9,9,0,0,0,False\n3,4,5,6,0,0,0,True\n", tell + "rod_tracked is False", 2, "rod"},
		"of another body":             {"t,rod_x,rod_y,rod_z,cart_x,cart_y,cart_z,cart_visible\n0,1,2,3,0,0,0,1\n3,4,5,6,0,0,0,0\n", "what columns say of other points is not used: cart_visible", 0, "rod"},
		"a quality of 0 or 1":         {"t,x,y,z,quality\n0,1,2,3,1\n1,9,9,9,0\n2,9,9,9,0\n3,4,5,6,1\n", tell + "quality is 0", 2, ""},
		"a quality":                   {"t,x,y,z,quality\n0,1,2,3,0.02\n3,4,5,6,0.9\n", "the column quality, 0.02 to 0.9, is not used", 0, ""},
		"a quality of 0":              {"t,x,y,z,quality\n0,1,2,3,0\n3,4,5,6,0\n", "", 0, ""},
	} {
		for kind, o := range map[string]trajectory.Options{"any": {Body: c.body}, "trial": {Body: c.body, Robot: &tendons}} {
			t.Run(name+", "+kind, func(t *testing.T) {
				m, err := trajectory.ReadCSV("x.csv", strings.NewReader(c.text), o)
				if err != nil {
					t.Fatal(err)
				}
				gaps := 0
				for i, p := range m.Tip.Pose {
					if math.IsNaN(p.P.X) {
						gaps++
					} else if p.P.X != 1 && p.P.X != 4 {
						t.Errorf("row %d: %v", i, p.P)
					}
				}
				if rows := len(m.Tip.Pose); o.Robot == nil && (gaps != 0 || rows != 2) || o.Robot != nil && (gaps != c.left || rows != 2+c.left) {
					t.Errorf("%d rows with %d gaps", rows, gaps)
				}
				if remarks := strings.Join(m.Remarks, "\n"); !strings.Contains(remarks, c.remark) || c.remark == "" && remarks != "" || strings.Contains(remarks, "no pose was measured") {
					t.Errorf("remarks %q, want %q", remarks, c.remark)
				}
			})
		}
	}
	for text, want := range map[string]string{
		"t,x,y,z,valid\n0,1,2,3,maybe\n": `x.csv:2: valid = "maybe" is not a finite number`,
		"t,x,y,z,ok\n0,1,2,3,yes\n":      `x.csv:2: ok = "yes" is not a finite number`,
	} {
		if _, err := readAny(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
