package run_test

import (
	"encoding/xml"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/run"
	"sinew/pkg/sim"
)

// A description has a joint for each tendon with its limits, whatever the names, and
// check_urdf reads it.
func TestDescription(t *testing.T) {
	ports := run.TendonPorts()
	ports[0].Labels, ports[0].Max = []string{"a", "b<&"}, []float64{10, math.Inf(1)}
	for what, c := range map[string]struct {
		ports  []sim.Port
		base   string
		links  []string
		joints int
	}{"tendons": {ports, "lab/left/base", nil, 2}, "mechanism": {ports, "world", []string{"wire", "hand"}, 4}, "field": {run.FieldPorts(), "microrobot/body", nil, 0}} {
		text := run.Description("robot", "/lab/left", c.base, c.links, 0.25, c.ports)
		var u struct {
			Links []struct {
				Name string `xml:"name,attr"`
			} `xml:"link"`
			Joints []struct {
				Name  string `xml:"name,attr"`
				Limit struct {
					Upper  float64 `xml:"upper,attr"`
					Effort float64 `xml:"effort,attr"`
				} `xml:"limit"`
			} `xml:"joint"`
		}
		if err := xml.Unmarshal([]byte(text), &u); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, text)
		}
		if len(u.Joints) != c.joints || len(u.Links) != c.joints+1 || u.Links[0].Name != c.base {
			t.Fatalf("%s: %+v", what, u)
		}
		for i, link := range c.links {
			if u.Links[1+i].Name != "lab/left/"+link || u.Joints[i].Name != link+"_pose" {
				t.Errorf("%s: %+v", what, u)
			}
		}
		u.Links, u.Joints = u.Links[len(c.links):], u.Joints[len(c.links):]
		if c.joints > 0 && (u.Joints[0].Limit.Effort != 10 || u.Joints[0].Limit.Upper != 0.25 || u.Joints[1].Name != "b<&" || u.Joints[1].Limit.Effort != run.DefaultEffortN || u.Links[2].Name != "lab/left/b<&") {
			t.Errorf("%s: %+v", what, u)
		}
		checker, err := exec.LookPath("check_urdf")
		if err != nil {
			continue // the rest of the test has an own parser
		}
		file := filepath.Join(t.TempDir(), "robot.urdf")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(checker, file).CombinedOutput(); err != nil || !strings.Contains(string(out), "Successfully Parsed") {
			t.Errorf("%s: check_urdf: %v\n%s", what, err, out)
		}
	}
}
