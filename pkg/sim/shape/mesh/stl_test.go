package mesh_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

func TestReadSTL(t *testing.T) {
	want := mesh.Ball(0.5, 2).Triangles
	for i := range want {
		for k, p := range want[i] {
			want[i][k] = spatial.Vec{X: float64(float32(p.X)), Y: float64(float32(p.Y)), Z: float64(float32(p.Z))}
		}
	}
	for _, c := range []struct {
		name  string
		data  []byte
		where string
	}{
		{"binary", mesh.BinaryFile("made here", want), "triangle 3 (byte 184)"},
		{"binary that begins with solid", mesh.BinaryFile("solid made here", want), "triangle 3 (byte 184)"},
		{"ASCII", mesh.AsciiFile(want), "triangle 3 (line 16)"},
		{"ASCII of Windows", []byte("\ufeff\r\n" + strings.ReplaceAll(string(mesh.AsciiFile(want)), "\n", "\r\n")), "triangle 3 (line 17)"},
		{"ASCII in capitals", []byte(strings.ToUpper(string(mesh.AsciiFile(want)))), "triangle 3 (line 16)"},
	} {
		f, err := mesh.ReadSTL(c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if where := f.Location(2); where != c.where {
			t.Errorf("%s: %s, want %s", c.name, where, c.where)
		}
		for i := range want {
			for k, p := range want[i] {
				if f.Triangles[i][k].Sub(p).Norm() > 1e-8 {
					t.Fatalf("%s: corner %d of triangle %d is %v, want %v", c.name, k, i, f.Triangles[i][k], p)
				}
			}
		}
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	good := mesh.BinaryFile("x", mesh.Box(1).Triangles)
	facet := "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "0 bytes are not an STL file"},
		{"text", "hello", "5 bytes are not an STL file"},
		{"noise", strings.Repeat("\x88PNG", 40), "with the 1196314760 triangles that it announces at byte 80 it should have"},
		{"picture", strings.Repeat("\x89PNG", 40), "no STL but a PNG picture; export its surface as STL"},
		{"no number of triangles", strings.Replace(string(good), "\x0c\x00\x00\x00", "\x00\x00\x00\x00", 1), "its writer has left out their number, 12: export it again"},
		{"OBJ", "# made by hand\nmtllib a.mtl\no Cube\nv 1 1 -1\nv 1 -1 -1\nf 1 2 3 4\n", "no STL but OBJ; export its surface as STL"},
		{"PLY", "ply\nformat ascii 1.0\nelement vertex 8\n", "no STL but PLY"},
		{"OFF", "OFF\n8 6 0\n", "no STL but OFF"},
		{"STEP", "ISO-10303-21;\nHEADER;\n", "no STL but STEP"},
		{"3MF", "PK\x03\x04\x14\x00", "no STL but a ZIP archive"},
		{"VTK", "# vtk DataFile Version 3.0\n", "no STL but VTK"},
		{"glTF", "glTF\x02\x00\x00\x00" + strings.Repeat("x", 100), "no STL but binary glTF"},
		{"gzip", "\x1f\x8b\x08" + strings.Repeat("x", 100), "compressed by gzip"},
		{"comma", "solid\n" + strings.Replace(facet, "1 0 0", "1,5 0 0", 1), "is not a number; write a decimal point for the comma"},
		{"Fortran", "solid\n" + strings.Replace(facet, "1 0 0", "1.5D-01 0 0", 1), "write the exponent with e"},
		{"cut", string(good[:len(good)-1]), "binary STL of 683 bytes; with the 12 triangles that it announces at byte 80 it should have 684"},
		{"longer", string(good) + "x", "binary STL of 685 bytes"},
		{"no triangles", string(mesh.BinaryFile("x", nil)), "there are no triangles"},
		{"no facets", "solid x\nendsolid x\n", "there are no triangles"},
		{"two vertices", "solid\n" + strings.Replace(facet, "vertex 1 0 0\n", "", 1), "line 7: the facet has 2 vertices; it must have three"},
		{"four vertices", "solid\n" + strings.Replace(facet, "endloop", "vertex 1 1 1", 1), "line 7: vertex 4 of a facet"},
		{"two coordinates", "solid\n" + strings.Replace(facet, "1 0 0", "1 0", 1), "line 5: the vertex has 2 coordinates"},
		{"no number", "solid\n" + strings.Replace(facet, "1 0 0", "1 o 0", 1), `line 5: coordinate "o" of the vertex is not a number`},
		{"cut facet", "solid\n" + facet + facet[:42], "ends in the facet of line 9"},
		{"facet in facet", "solid\nfacet\nfacet\n", "line 3: a facet begins before the last one ends"},
		{"vertex alone", "solid\nvertex 1 2 3\n", "line 2: vertex 0 of a facet"},
		{"not STL", "solid\nmodel\n", `line 2: "model" is not a keyword of STL`},
	} {
		_, err := mesh.ReadSTL([]byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := mesh.ReadSTL([]byte("solid\nendsolid\n")); !errors.Is(err, mesh.ErrNoTriangles) {
		t.Errorf("%v is not ErrNoTriangles", err)
	}
}

// FuzzReadSTL: whatever the bytes are, there is an error or the same triangles again.
func FuzzReadSTL(f *testing.F) {
	addFiles(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		stl, err := mesh.ReadSTL(data)
		if err != nil {
			return
		}
		if again, err := mesh.ReadSTL(data); err != nil || !equalBits(again.Triangles, stl.Triangles) {
			t.Fatalf("read again: %v", err)
		}
		stl.Location(len(stl.Triangles) - 1)
	})
}

func addFiles(f *testing.F) {
	f.Add(mesh.BinaryFile("solid", mesh.Box(1).Triangles))
	f.Add(mesh.AsciiFile(mesh.Box(1).Triangles))
	f.Add(mesh.AsciiFile(mesh.Pipe{Radius: 1, Bend: 5, Angle: 1}.Mesh(1).Triangles))
	f.Add([]byte("solid\nfacet\nvertex 1 2 3\nvertex nan inf 1e999\nvertex 0 0 0\nendfacet\n"))
}

// FuzzNew: New accepts or refuses the triangles, and a field is finite.
func FuzzNew(f *testing.F) {
	addFiles(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 20_000 {
			return
		}
		stl, err := mesh.ReadSTL(data)
		if err != nil {
			return
		}
		for _, inside := range []bool{false, true} {
			m, err := mesh.New(stl, mesh.Options{Inside: inside, Scale: 1})
			if err != nil {
				continue
			}
			lo, hi := m.Bounds()
			r := mesh.NewRand()
			for range 20 {
				x := lo.Add(hi.Sub(lo).Mul(spatial.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()}))
				if at, ok := m.Place(x); ok && !(spatial.IsFinite(at.D) && at.N.IsFinite() && at.W.IsFinite()) {
					t.Fatalf("at %v: %v", x, at)
				}
			}
		}
	})
}

// equalBits compares as reflect.DeepEqual does, and NaN with NaN.
func equalBits(a, b []mesh.Triangle) bool {
	bits := func(all []mesh.Triangle) (u []uint64) {
		for _, t := range all {
			for _, p := range t {
				u = append(u, math.Float64bits(p.X), math.Float64bits(p.Y), math.Float64bits(p.Z))
			}
		}
		return u
	}
	return reflect.DeepEqual(bits(a), bits(b))
}
