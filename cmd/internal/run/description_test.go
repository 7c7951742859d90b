package run_test

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/run"
	"sinew/pkg/sim"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// parseURDF reads a description; check_urdf must read it too, where it is installed.
func parseURDF(t *testing.T, what, text string) (u struct {
	Links []struct {
		Name    string `xml:"name,attr"`
		Visuals []struct {
			Mesh struct {
				File  string `xml:"filename,attr"`
				Scale string `xml:"scale,attr"`
			} `xml:"geometry>mesh"`
		} `xml:"visual"`
	} `xml:"link"`
	Joints []struct {
		Name   string `xml:"name,attr"`
		Type   string `xml:"type,attr"`
		Origin struct {
			RPY string `xml:"rpy,attr"`
		} `xml:"origin"`
		Parent struct {
			Link string `xml:"link,attr"`
		} `xml:"parent"`
		Limit struct {
			Lower  float64 `xml:"lower,attr"`
			Upper  float64 `xml:"upper,attr"`
			Effort float64 `xml:"effort,attr"`
		} `xml:"limit"`
	} `xml:"joint"`
}) {
	t.Helper()
	if err := xml.Unmarshal([]byte(text), &u); err != nil {
		t.Fatalf("%s: %v\n%s", what, err, text)
	}
	if len(u.Links) != len(u.Joints)+1 {
		t.Fatalf("%s is no tree: %d links, %d joints", what, len(u.Links), len(u.Joints))
	}
	checker, err := exec.LookPath("check_urdf")
	if err != nil {
		return u // the rest of the tests has an own parser
	}
	file := filepath.Join(t.TempDir(), "robot.urdf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(checker, file).CombinedOutput(); err != nil || !strings.Contains(string(out), "Successfully Parsed") {
		t.Errorf("%s: check_urdf: %v\n%s\n%s", what, err, out, text)
	}
	return u
}

// A description has a joint for each tendon with its limits, whatever the names.
func TestDescription(t *testing.T) {
	ports := run.TendonPorts()
	ports[0].Labels, ports[0].Max = []string{"a", "b<&"}, []float64{10, math.Inf(1)}
	u := parseURDF(t, "tendons", run.Description("robot", "/lab/left", "lab/left/base", 0.25, ports))
	if len(u.Joints) != 2 || u.Links[0].Name != "lab/left/base" || u.Links[2].Name != "lab/left/b<&" || u.Joints[1].Name != "b<&" ||
		u.Joints[0].Limit.Effort != 10 || u.Joints[0].Limit.Upper != 0.25 || u.Joints[1].Limit.Effort != run.DefaultEffortN {
		t.Errorf("%+v", u)
	}
	if u := parseURDF(t, "field", run.Description("robot", "/lab/left", "microrobot/body", 0.25, run.FieldPorts())); len(u.Joints) != 0 || u.Links[0].Name != "microrobot/body" {
		t.Errorf("%+v", u)
	}
}

// The description of a mechanism is a tree from the world, with all coordinates and tendons that joint states name, and tells of loops.
func TestMechanismDescription(t *testing.T) {
	for _, c := range []struct {
		file         string
		joint, kind  string // one of them
		least, most  float64
		effort       float64
		cuts, frames int
	}{
		{"six_leg_robot", "foot_2", "fixed", 0, 0, 0, 5, 1 + 6*11 + 1},
		{"gripper_with_ball", "lift", "prismatic", -0.02, 0.2, 20, 0, 1 + 2 + 2*13 + 2},
		{"tendon_hand", "ring_1", "revolute", -0.1, 1.6, 0, 0, 1 + 10 + 6},
		{"arm_with_rod", "tendon_1", "prismatic", -0.55581, 0.55581, 10, 0, 1 + 3 + 21 + 4},
		{"y_tree", "crotch", "fixed", 0, 0, 0, 0, 1 + 1 + 3*11},
		{"thrown_ring", "hoop/0", "floating", 0, 0, 0, 1, 1 + 25},
		{"double_pendulum", "elbow", "continuous", -2000 * math.Pi, 2000 * math.Pi, 0, 0, 3},
	} {
		data, err := os.ReadFile("../../../pkg/sim/robotfile/testdata/" + c.file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		f, err := robotfile.Parse[robotfile.Mechanism](c.file, data)
		if err != nil {
			t.Fatal(err)
		}
		r, err := multibody.NewRobot(f, multibody.Files{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.NewModel()
		if err != nil {
			t.Fatal(err)
		}
		tree := m.FrameTree()
		frame := func(name string) string {
			if name == sim.World {
				return name
			}
			return "lab/left/" + name
		}
		text := run.MechanismDescription("robot", "/lab/left", frame, &tree, m.Ports())
		u := parseURDF(t, c.file, text)
		if len(u.Links) != c.frames || u.Links[0].Name != sim.World || strings.Count(text, "closes a loop") != c.cuts {
			t.Errorf("%s: %d frames, want %d, from %s\n%s", c.file, len(u.Links), c.frames, u.Links[0].Name, text)
		}
		names := map[string]bool{}
		for i, j := range u.Joints {
			if names[j.Name] = true; j.Name == c.joint {
				if l := j.Limit; j.Type != c.kind || math.Abs(l.Lower-c.least) > 1e-3 || math.Abs(l.Upper-c.most) > 1e-3 || l.Effort != c.effort {
					t.Errorf("%s: %+v, want %+v", c.file, j, c)
				}
			}
			if len(u.Links[i+1].Visuals) == 0 && j.Type == "floating" {
				t.Errorf("%s: %s has no shape", c.file, u.Links[i+1].Name)
			}
		}
		if !names[c.joint] {
			t.Errorf("%s: no joint %s", c.file, c.joint)
		}
		for _, p := range m.Ports() {
			if p.Name != "measured_js" {
				continue
			}
			for _, name := range p.Labels {
				if !names[name] {
					t.Errorf("%s: joint states name %s, which the description does not", c.file, name)
				}
			}
		}
	}
}

// Rotations are turns about fixed axes, about z last, where x and z turn about one axis too.
func TestDescriptionOfRotations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 50 {
		w := spatial.Vec{X: 3 * r.NormFloat64(), Y: 3 * r.NormFloat64(), Z: 3 * r.NormFloat64()}
		want := spatial.ExpRot(w)
		if i < 10 {
			want = spatial.ExpRot(spatial.Vec{Z: w.Z}).Mul(spatial.ExpRot(spatial.Vec{Y: math.Pi * (0.5 - float64(i%2))}))
		}
		u := parseURDF(t, "rotation", run.MechanismDescription("robot", "/n", strings.Clone, &sim.FrameTree{Frames: []sim.TreeFrame{{
			Name: "b", Parent: sim.World, Joint: "b", Type: sim.FixedFrame, Origin: spatial.Pose{R: want},
		}}}, nil))
		var x, y, z float64
		if _, err := fmt.Sscan(u.Joints[0].Origin.RPY, &x, &y, &z); err != nil {
			t.Fatal(err)
		}
		is := spatial.ExpRot(spatial.Vec{Z: z}).Mul(spatial.ExpRot(spatial.Vec{Y: y})).Mul(spatial.ExpRot(spatial.Vec{X: x}))
		if d := is.T().Mul(want).Sub(spatial.Identity3()); math.Abs(d.XX)+math.Abs(d.XY)+math.Abs(d.XZ)+math.Abs(d.YZ)+math.Abs(d.YY)+math.Abs(d.ZZ) > 1e-8 {
			t.Errorf("%v is written as %s", want, u.Joints[0].Origin.RPY)
		}
	}
}

// A mesh is a file of this computer, with its scale; a joint's name may hold what no XML comment may.
func TestDescriptionOfMesh(t *testing.T) {
	u := parseURDF(t, "mesh", run.MechanismDescription("robot", "/n", strings.Clone, &sim.FrameTree{
		Frames: []sim.TreeFrame{{
			Name: "b", Parent: sim.World, Joint: "b", Type: sim.FixedFrame, Origin: spatial.IdentityPose(),
			Shapes: []sim.FrameShape{{Pose: spatial.IdentityPose(), File: "a part&.stl", Scale: 0.001}},
		}},
		Cuts: []sim.Cut{{Joint: "a--b", Type: "fixed", Parent: "b", Child: sim.World}},
	}, nil))
	if m := u.Links[1].Visuals[0].Mesh; !strings.HasPrefix(m.File, "file:///") || !strings.HasSuffix(m.File, "/a%20part&.stl") || m.Scale != "0.001 0.001 0.001" {
		t.Errorf("%+v", m)
	}
}
