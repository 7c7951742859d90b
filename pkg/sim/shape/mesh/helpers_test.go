package mesh

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

func NewRand() *rand.Rand { return rand.New(rand.NewPCG(5, 6)) }

func RandVec(r *rand.Rand, scale float64) spatial.Vec {
	x := func() float64 { return scale * (2*r.Float64() - 1) }
	return spatial.Vec{X: x(), Y: x(), Z: x()}
}

// quads returns the triangles of a net of points; wrap joins the last column to the first.
func quads(net [][]spatial.Vec, wrap bool) (all []Triangle) {
	for i := range len(net) - 1 {
		n := len(net[i])
		for j := range n {
			if j == n-1 && !wrap {
				break
			}
			a, b, c, d := net[i][j], net[i+1][j], net[i+1][(j+1)%n], net[i][(j+1)%n]
			// diagonals alternate, as in real meshes
			if (i+j)%2 == 0 {
				all = append(all, Triangle{a, b, c}, Triangle{a, c, d})
			} else {
				all = append(all, Triangle{a, b, d}, Triangle{b, c, d})
			}
		}
	}
	return all
}

// Pipe is a bent tube about an arc in the plane of x and z from the origin along x, open at
// both ends, with edges of about the given size.
type Pipe struct{ Radius, Bend, Angle float64 }

func (p Pipe) Mesh(size float64) *STL {
	rows := int(math.Ceil(p.Angle * (p.Bend + p.Radius) / size))
	columns := int(math.Ceil(2 * math.Pi * p.Radius / size))
	net := make([][]spatial.Vec, rows+1)
	for i := range net {
		sin, cos := math.Sincos(p.Angle * float64(i) / float64(rows))
		for j := range columns {
			s, c := math.Sincos(2 * math.Pi * float64(j) / float64(columns))
			out := p.Bend - p.Radius*c
			net[i] = append(net[i], spatial.Vec{X: out * sin, Y: p.Radius * s, Z: p.Bend - out*cos})
		}
	}
	return &STL{Triangles: quads(net, true)}
}

// At returns what the exact tube is to a point of the lumen at the fraction of the angle, at the
// distance rho from the centre line in the direction phi.
func (p Pipe) At(fraction, rho, phi float64) (x, normal spatial.Vec, hessian spatial.Mat3) {
	sin, cos := math.Sincos(p.Angle * fraction)
	s, c := math.Sincos(phi)
	out := p.Bend - rho*c
	x = spatial.Vec{X: out * sin, Y: rho * s, Z: p.Bend - out*cos}
	normal = spatial.Vec{X: c * sin, Y: -s, Z: -c * cos}
	tangent := spatial.Vec{X: cos, Z: sin}
	b := tangent.Cross(normal)
	return x, normal, spatial.Outer(b, b).Scale(-1 / rho).Add(spatial.Outer(tangent, tangent).Scale(c / out))
}

// Ball is a sphere about the origin, from a cube whose faces are divided.
func Ball(radius float64, n int) *STL {
	f := Box(n)
	for i := range f.Triangles {
		for k, p := range f.Triangles[i] {
			f.Triangles[i][k] = spatial.Vec{X: math.Tan(p.X * math.Pi / 4), Y: math.Tan(p.Y * math.Pi / 4), Z: math.Tan(p.Z * math.Pi / 4)}.Unit().Scale(radius)
		}
	}
	return f
}

// Box is the cube from −1 to 1 with faces of n × n squares, normals outward.
func Box(n int) *STL {
	f := &STL{}
	for side := range 6 {
		net := make([][]spatial.Vec, n+1)
		for i := range net {
			for j := range n + 1 {
				u, v := 2*float64(i)/float64(n)-1, 2*float64(j)/float64(n)-1
				p := [6]spatial.Vec{{X: 1, Y: u, Z: v}, {X: v, Y: 1, Z: u}, {X: u, Y: v, Z: 1}, {X: -1, Y: v, Z: u}, {X: u, Y: -1, Z: v}, {X: v, Y: u, Z: -1}}[side]
				net[i] = append(net[i], p)
			}
		}
		f.Triangles = append(f.Triangles, quads(net, false)...)
	}
	return f
}

// BinaryFile writes binary STL.
func BinaryFile(head string, triangles []Triangle) []byte {
	data := make([]byte, headerSize, headerSize+triangleSize*len(triangles))
	copy(data, head)
	binary.LittleEndian.PutUint32(data[80:], uint32(len(triangles)))
	for _, t := range triangles {
		data = append(data, make([]byte, 12)...)
		for _, p := range t {
			for _, x := range [3]float64{p.X, p.Y, p.Z} {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
			}
		}
		data = append(data, 0, 0)
	}
	return data
}

// AsciiFile writes ASCII STL; facet i is on line 2 + 7 i.
func AsciiFile(triangles []Triangle) []byte {
	var b strings.Builder
	fmt.Fprintln(&b, "solid made here")
	for _, t := range triangles {
		fmt.Fprintln(&b, "  facet normal 0 0 0\n    outer loop")
		for _, p := range t {
			fmt.Fprintf(&b, "      vertex %.9g %.9g %.9g\n", p.X, p.Y, p.Z)
		}
		fmt.Fprintln(&b, "    endloop\n  endfacet")
	}
	fmt.Fprintln(&b, "endsolid made here")
	return []byte(b.String())
}

// Vessel reads the vessel of the contract.
func Vessel(t testing.TB) *STL {
	t.Helper()
	data, err := os.ReadFile("../../../../../shared/contract/vessel.stl")
	if err != nil {
		t.Skip(err)
	}
	f, err := ReadSTL(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Place is what a field is to a point.
type Place struct {
	D float64
	N spatial.Vec
	W spatial.Mat3
}

func Build(t testing.TB, f *STL, o Options) *Field {
	t.Helper()
	m, err := New(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
