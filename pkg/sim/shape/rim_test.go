package shape_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// elsewhere is the pose of the shapes of these tests.
var elsewhere = spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.3, Y: -0.2}), P: spatial.Vec{Y: 0.02}}

// openVessel is the vessel of launch/worlds, which has three open ends.
func openVessel(t *testing.T) shape.Shape {
	t.Helper()
	b, err := os.ReadFile("../../../launch/worlds/vessel.stl")
	if err != nil {
		t.Fatal(err)
	}
	stl, err := mesh.ReadSTL(b)
	if err != nil {
		t.Fatal(err)
	}
	s, err := shape.NewMesh(stl, mesh.Options{Inside: true, Scale: 1, Reach: 0.00025})
	if err != nil {
		t.Fatal(err)
	}
	return s.Moved(elsewhere)
}

// openCone is a tube whose radius changes towards its ends.
func openCone(t *testing.T) shape.Shape {
	t.Helper()
	s, err := shape.NewTube([]spatial.Vec{{}, {X: 0.01, Z: 0.002}, {X: 0.02}}, []float64{0.003, 0.002, 0.0025}, false)
	if err != nil {
		t.Fatal(err)
	}
	return s.Moved(elsewhere)
}

// beforeRim returns a random point in front of a rim, at most a twentieth of its lip beside the surface.
func beforeRim(t *testing.T, r *rand.Rand, rim *shape.Rim) spatial.Vec {
	t.Helper()
	lip, center := rim.MinRadius(), rim.Pose().Apply(rim.Center())
	for range 10000 {
		p := center.Add(spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(lip))
		at, _ := rim.At(p, &shape.Hint{})
		for range 3 {
			p = p.AddScaled(-(at.D - r.Float64()*0.05*lip), at.N)
			at, _ = rim.At(p, &shape.Hint{})
		}
		if out := rim.HeightAbove(p); out > 0.2*lip && out < 0.95*lip && !rim.IsBehind(p, at.N) {
			return p
		}
	}
	t.Fatal("no point in front of the rim")
	return spatial.Vec{}
}

// TestRimsAreTheLipsOfTheirWalls compares rims with the walls that they belong to where these have a lip.
func TestRimsAreTheLipsOfTheirWalls(t *testing.T) {
	testsize.SkipInShort(t)
	for name, c := range map[string]struct {
		wall      shape.Shape
		rims      int
		tolerance float64 // over the radius of the lip: of a mesh, what the corners of 18 triangles in a loop leave
	}{"tube": {openCone(t), 2, 1e-12}, "mesh": {openVessel(t), 3, 7e-3}} {
		rims := c.wall.Rims()
		if len(rims) != c.rims {
			t.Fatalf("%s has %d rims, want %d", name, len(rims), c.rims)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for i := range rims {
			rim := &rims[i]
			for range 300 {
				p := beforeRim(t, random, rim)
				at, _ := rim.At(p, &shape.Hint{})
				wall, ok := c.wall.At(p, &shape.Hint{})
				if off := math.Abs(at.D-wall.D) / rim.MinRadius(); !ok || off > c.tolerance {
					t.Fatalf("%s: rim %d at %v is %.3g lips off its wall", name, i, p, off)
				}
			}
		}
	}
}

// TestRimsAreSmooth compares normals and Hessians of rims with differences of distances and normals.
func TestRimsAreSmooth(t *testing.T) {
	const step = 1e-8
	for name, wall := range map[string]shape.Shape{"tube": openCone(t), "mesh": openVessel(t)} {
		random := rand.New(rand.NewPCG(3, 4))
		rims := wall.Rims()
		for i := range rims {
			rim := &rims[i]
			for range 100 {
				p := beforeRim(t, random, rim)
				at, _ := rim.At(p, &shape.Hint{})
				for _, d := range [3]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
					a, _ := rim.At(p.AddScaled(-step, d), &shape.Hint{})
					b, _ := rim.At(p.AddScaled(step, d), &shape.Hint{})
					if got := (b.D - a.D) / (2 * step); math.Abs(got-at.N.Dot(d)) > 1e-6 {
						t.Fatalf("%s: at %v the distance changes by %g along %v, the normal says %g", name, p, got, d, at.N.Dot(d))
					}
					change, want := b.N.Sub(a.N).Scale(1/(2*step)), at.W.Apply(d)
					if change.Sub(want).Norm() > 1e-3/rim.MinRadius() {
						t.Fatalf("%s: at %v the normal changes by %v along %v, the Hessian says %v", name, p, change, d, want)
					}
				}
			}
		}
	}
}

// TestOnlyOpenEndsHaveRims wants no rims of shapes without edges, and of points on the axis a distance.
func TestOnlyOpenEndsHaveRims(t *testing.T) {
	closed, err := shape.NewTube([]spatial.Vec{{}, {X: 0.01}}, []float64{0.003}, true)
	if err != nil {
		t.Fatal(err)
	}
	plane, err := shape.NewPlane(spatial.Vec{}, spatial.Vec{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(closed.Rims()) + len(plane.Rims()); n != 0 {
		t.Errorf("%d rims, want none", n)
	}
	open, err := shape.NewTube([]spatial.Vec{{}, {X: 0.01}}, []float64{0.002}, false)
	if err != nil {
		t.Fatal(err)
	}
	rim := open.Rims()[1]
	at, ok := rim.At(spatial.Vec{X: 0.01}, &shape.Hint{})
	if !ok || math.Abs(at.D-0.002) > 1e-15 || math.Abs(at.N.Norm()-1) > 1e-12 || math.Abs(rim.Opening()-0.002) > 1e-15 {
		t.Errorf("in the middle of the opening of %g m: %v, %v", rim.Opening(), at, ok)
	}
}
