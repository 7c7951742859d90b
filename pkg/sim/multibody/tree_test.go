package multibody_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/multibody"
	"sinew/pkg/sim/spatial"
)

// framePoses returns where the port has the frames, by name, the world included.
func framePoses(t *testing.T, m sim.Model) map[string]spatial.Pose {
	t.Helper()
	p := m.Ports()[portOf(t, m, "frames", sim.Out)]
	v := value(t, m, "frames")
	poses := map[string]spatial.Pose{sim.World: spatial.IdentityPose()}
	for k, name := range p.Labels {
		if _, twice := poses[name]; twice {
			t.Fatalf("two frames %s", name)
		}
		q := v[7*k:]
		poses[name] = spatial.Pose{P: spatial.Vec{X: q[0], Y: q[1], Z: q[2]}, R: spatial.Quat{X: q[3], Y: q[4], Z: q[5], W: q[6]}.Rot()}
	}
	return poses
}

// checkTree compares where the frames are with where the tree and the joint states put them.
func checkTree(t *testing.T, what string, m *multibody.Model) {
	t.Helper()
	poses, tree := framePoses(t, m), m.FrameTree()
	var names []string
	var js []float64
	for _, p := range m.Ports() {
		if p.Name == "measured_js" {
			names, js = p.Labels, value(t, m, p.Name)
		}
	}
	seen := map[string]bool{sim.World: true}
	for i := range tree.Frames {
		f := &tree.Frames[i]
		if !seen[f.Parent] {
			t.Fatalf("%s: %s comes before its parent %s", what, f.Name, f.Parent)
		}
		seen[f.Name] = true
		g := f.Origin
		if k := slices.Index(names, f.Joint); k >= 0 && f.Type == sim.RevoluteFrame {
			g = g.Mul(spatial.Pose{R: spatial.ExpRot(f.Axis.Scale(js[k]))})
		} else if k >= 0 && f.Type == sim.PrismaticFrame {
			g = g.Mul(spatial.Pose{R: spatial.Identity3(), P: f.Axis.Scale(js[k])})
		} else if f.Type != sim.FixedFrame && f.Type != sim.FloatingFrame {
			t.Errorf("%s: no joint state %s", what, f.Joint)
		}
		is := poses[f.Parent].Inv().Mul(poses[f.Name])
		if d, turn := is.P.Sub(g.P).Norm(), is.R.T().Mul(g.R).Sub(spatial.Identity3()); d > 1e-8 || math.Abs(turn.XX)+math.Abs(turn.XY)+math.Abs(turn.XZ)+math.Abs(turn.YZ)+math.Abs(turn.YY)+math.Abs(turn.ZZ) > 1e-7 {
			t.Errorf("%s: %s is %.3g m and %.3g away from where joint %s has it", what, f.Name, d, turn, f.Joint)
		}
	}
	for _, l := range m.Links() {
		at := l.Poses[len(l.Poses)-1]
		if g, ok := poses[l.Name]; !ok || g.P.Sub(at.P).Norm() > 1e-12 {
			t.Errorf("%s: %s is at %v, its frame at %v", what, l.Name, at.P, g.P)
		}
		for k := range l.Poses[:len(l.Poses)-1] {
			if _, ok := poses[fmt.Sprintf("%s/%d", l.Name, k)]; !ok {
				t.Errorf("%s: no frame of node %d of %s", what, k, l.Name)
			}
		}
	}
}

// TestFrameTree: joint states, fixed and floating joints put every frame where it is, in motion too.
func TestFrameTree(t *testing.T) {
	for _, name := range files {
		f := read(t, name)
		m := mustModel(t, f)
		checkTree(t, name, m)
		march(t, m, nil, f.Solver.Step, 40)
		checkTree(t, name+" in motion", m)
	}
}

// TestFrameTreeOfJoints: so it is for all types of joints, whichever side leads to the world, and where they close loops.
func TestFrameTreeOfJoints(t *testing.T) {
	for _, c := range []struct {
		joint  string
		frames int // beside the body's
	}{
		{"type: fixed", 0}, {"type: spherical, position: [0.1, -0.2, 0.3]", 0},
		{"type: revolute, axis: [1, 2, 0.5], position: 0.4, limits: {min: -1, max: 2}", 0},
		{"type: prismatic, axis: [0, 1, 1], position: 0.03", 0},
		{"type: cylindrical, axis: [1, 0, 1], position: [0.02, -0.5]", 1},
		{"type: universal, axis: [1, 0, 0], second_axis: [0, 1, 0.2], position: [0.3, -0.4]", 1},
		{"type: planar, axis: [0.1, 0, 1], position: [0.01, 0.02, 0.7]", 2},
	} {
		for _, sides := range []string{
			"parent: {world: true, position_m: [0.1, 0, 0], orientation_xyzw: [0.5, 0.5, 0.5, 0.5]}, child: {body: b%s}",
			"child: {world: true, position_m: [0.1, 0, 0], orientation_xyzw: [0.5, 0.5, 0.5, 0.5]}, parent: {body: b%s}",
		} {
			for extra, at := range []string{"", ", position_m: [0, 0.02, 0.01], orientation_xyzw: [0.6, 0, 0, 0.8]"} {
				side := fmt.Sprintf(sides, at)
				m := mustModel(t, parse(t, "f", "bodies: [{name: b, mass_kg: 0.1, inertia_kg_m2: [1e-4, 2e-4, 3e-4], center_of_mass_m: [0.01, 0.02, 0.03]}]\n"+
					"joints: [{name: j, "+c.joint+", "+side+"}]\n"))
				what := c.joint + ", " + side
				checkTree(t, what, m)
				march(t, m, nil, 1e-3, 20)
				checkTree(t, what, m)
				want := 1 + c.frames
				if fixed := strings.HasPrefix(c.joint, "type: fixed") || strings.HasPrefix(c.joint, "type: spherical"); !fixed && (extra == 1) {
					want++
				}
				if n := len(m.FrameTree().Frames); n != want {
					t.Errorf("%s: %d frames, want %d", what, n, want)
				}
			}
		}
	}
}

// TestFrameTreeOfLoop: a loop of four bars is cut at one joint, whose coordinate has a frame all the same.
func TestFrameTreeOfLoop(t *testing.T) {
	bar := func(name string) string {
		return "  - {name: " + name + ", mass_kg: 0.1, inertia_kg_m2: [1e-4, 1e-4, 1e-4], center_of_mass_m: [0.05, 0, 0]}\n"
	}
	hinge := func(name, parent, child, position string) string {
		return "  - {name: " + name + ", type: revolute, axis: [0, 1, 0], parent: {" + parent + "}, child: {" + child + "}" + position + "}\n"
	}
	m := mustModel(t, parse(t, "f", "bodies:\n"+bar("crank")+bar("coupler")+bar("rocker")+"joints:\n"+
		hinge("a", "world: true", "body: crank", ", position: -1.5707963267948966")+hinge("b", "body: crank, position_m: [0.1, 0, 0]", "body: coupler", ", position: 1.5707963267948966")+
		hinge("c", "body: coupler, position_m: [0.1, 0, 0]", "body: rocker", ", position: 1.5707963267948966")+
		hinge("d", "body: rocker, position_m: [0.1, 0, 0]", "world: true, position_m: [0.1, 0, 0]", "")))
	march(t, m, nil, 1e-3, 50)
	checkTree(t, "four bars", m)
	tree := m.FrameTree()
	if len(tree.Cuts) != 1 || len(tree.Frames) != 4 || tree.Cuts[0].Type != "revolute" {
		t.Errorf("cuts %+v, %d frames", tree.Cuts, len(tree.Frames))
	}
}
