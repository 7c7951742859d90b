package vessels_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"runtime"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/tools/vessels"
)

var write = flag.Bool("write", false, "write the vessel of launch/worlds")

const guidewireFile = "../../../launch/worlds/vessel.stl"

// TestGuidewireVessel wants the file of launch/worlds to be what this package makes.
func TestGuidewireVessel(t *testing.T) {
	triangles, ok := vessels.GuidewireWall()
	if !ok {
		t.Fatal("the wall is not two-sided")
	}
	made := vessels.STL("vessel of guidewire.yaml, in metres", triangles)
	t.Logf("%d triangles, %d bytes", len(triangles), len(made))
	if *write {
		if err := os.WriteFile(guidewireFile, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(guidewireFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(there) != len(made) || runtime.GOARCH == "amd64" && !bytes.Equal(there, made) { // others round in other ways
		t.Error("launch/worlds/vessel.stl is not what this package makes: go test ./test/tools/vessels -args -write")
	}
	if n := len(triangles); n < 2000 || len(made) > 300_000 {
		t.Errorf("%d triangles in %d bytes, want at least 2000 in at most 300 kB", n, len(made))
	}
	checkWall(t, vessels.Guidewire(), made, 0.05e-3)
}

// checkWall wants the field of a file to be as far from a wall as its lumen says, within a
// distance (m), along all courses and about them.
func checkWall(t *testing.T, l *vessels.Lumen, file []byte, within float64) {
	t.Helper()
	stl, err := mesh.ReadSTL(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := shape.NewMesh(stl, mesh.Options{Inside: true, Scale: 1, Reach: 0.3e-3})
	if err != nil {
		t.Fatal(err)
	}
	checked, worst := 0, 0.0
	for _, c := range l.Courses {
		for i, p := range c.Points {
			if p.X < 0.006 || p.X > vessels.GuidewireEnd-0.006 {
				continue
			}
			for k := range 12 {
				sin, cos := math.Sincos(float64(k) * math.Pi / 6)
				q := p.Add(spatial.Vec{Y: cos, Z: sin}.Scale(0.99 * c.Radius[i]))
				want := -l.Excess(q)
				at, ok := s.At(q, nil)
				if math.Abs(want) > 0.2e-3 || !ok {
					continue
				}
				checked++
				worst = max(worst, math.Abs(at.D-want))
			}
		}
	}
	t.Logf("%d places, off by at most %.3g m", checked, worst)
	if checked < 500 || worst > within {
		t.Errorf("%d places near the wall are off by up to %.3g m, allowed: %.3g", checked, worst, within)
	}
}
