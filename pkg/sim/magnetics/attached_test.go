package magnetics_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// Energy, wrench and tangent of a dipole on a node against the golden kernel, of complex
// steps. The skew part of the tangent is that of the wrench.
func TestAttachedDipole(t *testing.T) {
	const tolerance = 1e-12 // of the largest entry
	var golden magnetics.Kernels
	magnetics.Read(t, "magnetic_kernels.json", &golden)
	for i := range golden.Kernels {
		k := &golden.Kernels[i]
		if k.Name != "dipole_on_a_node" {
			continue
		}
		g := k.Field.Gradient
		f := magnetics.Field{Linear: magnetics.Linear{B: magnetics.Vec(k.Field.Uniform), G: magnetics.Gradient{g[0], g[1], g[2], g[3], g[4]}, Center: magnetics.Vec(k.Field.Center)}}
		for _, d := range k.Field.Dipoles {
			f.Dipoles = append(f.Dipoles, d.Dipole())
		}
		p, m, r := magnetics.Vec(k.At), magnetics.Vec(k.Moment), spatial.ExpRot(magnetics.Vec(k.RotationVector))
		b, grad := f.At(p, nil)
		near(t, "energy", -r.Apply(m).Dot(b), k.Energy, tolerance*math.Abs(k.Energy))
		w, tangent := magnetics.Attached(&r, m, b, grad, f.SlopeAlong(p, r.Apply(m), nil))
		magnetics.NearVec(t, "force", w.Force, spatial.VecAt(k.Wrench[:]), tolerance*w.Force.Norm())
		magnetics.NearVec(t, "torque", w.Moment, spatial.VecAt(k.Wrench[3:]), tolerance*w.Force.Norm())

		half, turn := spatial.Skew(w.Force.Scale(0.5)), spatial.Skew(w.Moment.Scale(0.5))
		got := spatial.Blocks6(tangent.LinLin.Full(), tangent.RotLin.T().Sub(half), tangent.RotLin.Sub(half), tangent.RotRot.Full().Sub(turn))
		most := 0.0
		for _, x := range k.K {
			most = math.Max(most, math.Abs(x))
		}
		for j, x := range k.K {
			near(t, "tangent", got[j], x, tolerance*most)
		}
		return
	}
	t.Fatal("no kernel dipole_on_a_node in the golden file")
}
