package run

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// What stands for infinity, which URDF does not have.
const (
	defaultEffortN = 1000           // N or N m
	fastest        = 1000           // rad/s or m/s
	farthestM      = 1000           // m
	farthestRad    = 2000 * math.Pi // rad
)

// madeBy returns the comment that marks a description as made by a node of this name, now or in an
// earlier run.
func madeBy(node string) string { return "<!-- made by the node " + node + " -->" }

// urdf is a description under construction.
type urdf struct{ text bytes.Buffer }

func newURDF(robot, node, root string) *urdf {
	d := new(urdf)
	fmt.Fprintf(&d.text, "<?xml version=\"1.0\"?>\n%s\n<robot name=\"%s\">\n  <link name=\"%s\"/>\n", madeBy(node), quoted(robot), quoted(root))
	return d
}

func (d *urdf) end() string {
	d.text.WriteString("</robot>\n")
	return d.text.String()
}

// quoted returns s as it stands in XML.
func quoted(s string) string {
	var q bytes.Buffer
	_ = xml.EscapeText(&q, []byte(s)) // writes to a buffer do not fail
	return q.String()
}

// frame adds a link and the joint that connects it. Names of frames are those of ROS.
func (d *urdf) frame(f *sim.TreeFrame) {
	if f.Inertial == nil && len(f.Shapes) == 0 {
		fmt.Fprintf(&d.text, "  <link name=\"%s\"/>\n", quoted(f.Name))
	} else {
		fmt.Fprintf(&d.text, "  <link name=\"%s\">\n", quoted(f.Name))
		d.inertial(f.Inertial)
		for i := range f.Shapes {
			d.visual(&f.Shapes[i])
		}
		d.text.WriteString("  </link>\n")
	}
	kind := string(f.Type)
	if f.Type == sim.RevoluteFrame && math.IsInf(f.Min, 0) && math.IsInf(f.Max, 0) {
		kind = "continuous"
	}
	fmt.Fprintf(&d.text, "  <joint name=\"%s\" type=\"%s\">\n", quoted(f.Joint), kind)
	d.origin("    ", f.Origin)
	fmt.Fprintf(&d.text, "    <parent link=\"%s\"/>\n    <child link=\"%s\"/>\n", quoted(f.Parent), quoted(f.Name))
	if f.Type == sim.RevoluteFrame || f.Type == sim.PrismaticFrame {
		far := float64(farthestM)
		if f.Type == sim.RevoluteFrame {
			far = farthestRad
		}
		effort := f.MaxEffort
		if math.IsInf(effort, 0) {
			effort = defaultEffortN
		}
		fmt.Fprintf(&d.text, "    <axis xyz=\"%s\"/>\n    <limit lower=\"%g\" upper=\"%g\" effort=\"%g\" velocity=\"%g\"/>\n",
			xyz(f.Axis), max(f.Min, -far), min(f.Max, far), effort, min(f.MaxRate, fastest))
		if f.Damping != 0 || f.Friction != 0 {
			fmt.Fprintf(&d.text, "    <dynamics damping=\"%g\" friction=\"%g\"/>\n", f.Damping, f.Friction)
		}
	}
	d.text.WriteString("  </joint>\n")
}

func (d *urdf) inertial(b *sim.Inertial) {
	if b == nil {
		return
	}
	d.text.WriteString("    <inertial>\n")
	d.origin("      ", spatial.Pose{R: spatial.Identity3(), P: b.Center})
	j := &b.Inertia
	fmt.Fprintf(&d.text, "      <mass value=\"%g\"/>\n      <inertia ixx=\"%g\" iyy=\"%g\" izz=\"%g\" iyz=\"%g\" ixz=\"%g\" ixy=\"%g\"/>\n    </inertial>\n", b.Mass, j[0], j[1], j[2], j[3], j[4], j[5])
}

// visual adds a shape. Files are those of this computer.
func (d *urdf) visual(s *sim.FrameShape) {
	d.text.WriteString("    <visual>\n")
	d.origin("      ", s.Pose)
	var shape string
	switch {
	case s.File != "":
		file := s.File
		if whole, err := filepath.Abs(file); err == nil {
			file = whole
		}
		u := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
		shape = fmt.Sprintf("mesh filename=\"%s\" scale=\"%[2]g %[2]g %[2]g\"", quoted(u.String()), s.Scale)
	case s.Length > 0:
		shape = fmt.Sprintf("cylinder radius=\"%g\" length=\"%g\"", s.Radius, s.Length)
	case s.Radius > 0:
		shape = fmt.Sprintf("sphere radius=\"%g\"", s.Radius)
	default:
		shape = fmt.Sprintf("box size=\"%s\"", xyz(s.Box))
	}
	c := s.Color
	fmt.Fprintf(&d.text, "      <geometry><%s/></geometry>\n      <material name=\"%[2]g %[3]g %[4]g %[5]g\"><color rgba=\"%[2]g %[3]g %[4]g %[5]g\"/></material>\n    </visual>\n", shape, c.R, c.G, c.B, c.A)
}

func xyz(v spatial.Vec) string {
	return fmt.Sprintf("%.12g %.12g %.12g", v.X+0, v.Y+0, v.Z+0) // -0 + 0 is 0
}

// origin adds a pose that is not the identity, rotations as turns about the fixed axes x, y, z in this order.
func (d *urdf) origin(indent string, g spatial.Pose) {
	if g == spatial.IdentityPose() {
		return
	}
	r := &g.R
	turns := spatial.Vec{X: math.Atan2(r.ZY, r.ZZ), Y: math.Atan2(-r.ZX, math.Hypot(r.XX, r.YX)), Z: math.Atan2(r.YX, r.XX)}
	if math.Hypot(r.XX, r.YX) < 1e-9 { // where x and z turn about one axis
		turns.X, turns.Z = math.Atan2(-r.YZ, r.YY), 0
	}
	fmt.Fprintf(&d.text, "%s<origin xyz=\"%s\" rpy=\"%s\"/>\n", indent, xyz(g.P), xyz(turns))
}

// mechanismDescription is a URDF of the tree of a mechanism. frame gives the ROS name of a frame. Floating links are where /tf has them;
// so are all others, and their joints have the names of joint states.
func mechanismDescription(robot, node string, frame func(string) string, tree *sim.FrameTree, ports []sim.Port) string {
	d := newURDF(robot, node, sim.World)
	for _, c := range tree.Cuts {
		fmt.Fprintf(&d.text, "  <!-- joint %s (%s) between %s and %s closes a loop; the tree leaves it out -->\n", strings.ReplaceAll(c.Joint, "--", "- -"), c.Type, frame(c.Parent), frame(c.Child))
	}
	for _, f := range tree.Frames {
		f.Name, f.Parent = frame(f.Name), frame(f.Parent)
		for i := range ports { // with limits as they are now
			p := &ports[i]
			if k := slices.Index(p.Labels, f.Joint); k >= 0 && p.Kind == sim.Tension && p.Direction == sim.In && p.Max != nil {
				f.MaxEffort = p.Max[k]
			}
		}
		d.frame(&f)
	}
	return d.end()
}
