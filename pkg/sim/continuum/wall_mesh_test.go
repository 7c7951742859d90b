package continuum_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
)

// facet is a triangle of an ASCII STL.
func facet(points string) string {
	s := "facet normal 0 0 0\nouter loop\n"
	for _, p := range strings.Split(points, ",") {
		s += "vertex " + p + "\n"
	}
	return s + "endloop\nendfacet\n"
}

// TestRodRestsOnAMesh lets a rod sink onto a block of triangles that stands below it.
func TestRodRestsOnAMesh(t *testing.T) {
	corner := func(x, y, z string) string { return x + " " + y + " " + z }
	// a block from (50, −20, −30) to (90, 20, −10) mm
	a, b, c, d := corner("50", "-20", "-30"), corner("90", "-20", "-30"), corner("90", "20", "-30"), corner("50", "20", "-30")
	e, f, g, h := corner("50", "-20", "-10"), corner("90", "-20", "-10"), corner("90", "20", "-10"), corner("50", "20", "-10")
	text := "solid block\n"
	for _, q := range [][4]string{{a, d, c, b}, {e, f, g, h}, {a, b, f, e}, {b, c, g, f}, {c, d, h, g}, {d, a, e, h}} {
		text += facet(q[0]+","+q[1]+","+q[2]) + facet(q[0]+","+q[2]+","+q[3])
	}
	stl, err := mesh.ReadSTL([]byte(text + "endsolid block\n"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := robotfile.Parse[robotfile.Continuum]("f", []byte(`
rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 1e8, shear_modulus_pa: 3.6e7, damping: {kelvin_voigt_s: 0.005, drag_per_s: 5}}
environment: {shapes: [{name: block, mesh: {file: block.stl, scale: 0.001}}]}
solver: {step_s: 0.001}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := continuum.NewRobot(file); err == nil || !strings.Contains(err.Error(), `environment.shapes[0] (block): mesh.file "block.stl" is not given`) {
		t.Errorf("without the file the error is %v", err)
	}
	r, err := continuum.NewRobotWith(file, continuum.Files{Meshes: map[robotfile.FileName]*mesh.STL{"block.stl": stl}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	run(t, m, 2)
	touches := continuumtest.Of(t, m).Contact.ListContacts(nil, 100)
	if len(touches) == 0 {
		t.Fatal("nothing touches")
	}
	for _, c := range touches {
		if c.ArcLength < 0.045 || c.Gap < -deepest*0.001 || c.Force <= 0 {
			t.Errorf("touches as %+v", c)
		}
	}
	if z := positionOf(t, m, 20).Z; z < -0.03 || z > -0.005 {
		t.Errorf("the tip is at a height of %g m", z)
	}
}
