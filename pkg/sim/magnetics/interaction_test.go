package magnetics_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// Every dipole is acted on as by the fields of the others, and the whole exerts
// neither force nor torque on itself: of any number of dipoles, in any number of parts.
func TestInteraction(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 5, 7, 63, 64, 65, 150} {
		x, m := magnetics.RandomDipoles(r, n)
		for _, parts := range []int{1, 3, 4} {
			testInteraction(t, x, m, parts)
		}
	}
}

func testInteraction(t *testing.T, x, m []spatial.Vec, parts int) {
	t.Helper()
	n := len(x)
	forces, fields := make([]spatial.Vec, n), make([]spatial.Vec, n)
	for part := range parts {
		magnetics.AddInteraction(forces, fields, x, m, part, parts)
	}
	var force, torque spatial.Vec
	var size, arm float64
	for i := range x {
		var b spatial.Vec
		var g magnetics.Gradient
		var bs, fs float64 // sizes of what is added up
		for j := range x {
			if j != i {
				d := magnetics.Dipole{Position: x[j], Moment: m[j]}
				bj, gj := d.At(x[i])
				b, g = b.Add(bj), g.Add(gj)
				bs, fs = bs+bj.Norm(), fs+magnetics.Load(m[i], bj, gj).Force.Norm()
			}
		}
		want := magnetics.Load(m[i], b, g)
		magnetics.NearVec(t, "force", forces[i], want.Force, 1e-14*fs)
		magnetics.NearVec(t, "field", fields[i], b, 1e-14*bs)
		force = force.Add(forces[i])
		torque = torque.Add(m[i].Cross(fields[i])).Add(x[i].Cross(forces[i]))
		size += forces[i].Norm()
		arm += x[i].Norm() * forces[i].Norm()
	}
	magnetics.NearVec(t, "force of the whole", force, spatial.Vec{}, 1e-15*size)
	magnetics.NearVec(t, "torque of the whole", torque, spatial.Vec{}, 1e-15*arm)
}

// Two dipoles in line attract with 6 µ0 m²/(4π r⁴).
func TestPairInLine(t *testing.T) {
	x := []spatial.Vec{{}, {Z: 0.1}}
	m := []spatial.Vec{{Z: 2}, {Z: 2}}
	force, field := make([]spatial.Vec, 2), make([]spatial.Vec, 2)
	magnetics.AddInteraction(force, field, x, m, 0, 1)
	magnetics.NearVec(t, "force", force[1], spatial.Vec{Z: -6e-7 * 4 / 1e-4}, 1e-16)
}

func BenchmarkInteraction(b *testing.B) {
	for _, n := range []int{10, 100, 150} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, m := make([]spatial.Vec, n), make([]spatial.Vec, n)
			force, field := make([]spatial.Vec, n), make([]spatial.Vec, n)
			for i := range x {
				x[i], m[i] = spatial.Vec{X: float64(i), Y: float64(i * i % 17)}, spatial.Vec{X: 1, Z: float64(i)}
			}
			for b.Loop() {
				magnetics.AddInteraction(force, field, x, m, 0, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*(n-1)/2), "ns/pair")
		})
	}
}
