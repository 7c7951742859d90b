package continuum_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// TestMagneticJacobianAgainstDifferences is that of robots with magnets, in fields of all kinds.
func TestMagneticJacobianAgainstDifferences(t *testing.T) {
	t.Parallel()
	jacobianAsDifferences(t, func(r *rand.Rand) (*robotfile.Continuum, *inputs) {
		f, in := randomRobot(r)
		magnetised(t, r, f)
		return f, in
	})
}

// TestMagneticLinearisationAgainstDifferences is that of robots with magnets, in fields of all kinds.
func TestMagneticLinearisationAgainstDifferences(t *testing.T) {
	t.Parallel()
	linearisedAsDifferences(t, func(t *testing.T, r *rand.Rand) (*continuumtest.Robot, *inputs) {
		f, in := randomRobot(r)
		magnetised(t, r, f)
		return frictionlessAt(t, f, in), in
	})
}

// magnetised gives a robot a magnetised stretch or a magnet in the middle, one at the tip, and the field of all kinds of sources: they
// bend it about as much as its length is.
func magnetised(t *testing.T, r *rand.Rand, f *robotfile.Continuum) {
	t.Helper()
	direction := func() spatial.Vec {
		return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Unit()
	}
	bare := implicitOf(t, f)
	l, ei := bare.System.Rod.Length, bare.System.Rod.Stiffness.Bend.X
	b := 0.01 + 0.02*r.Float64() // T
	moment := (0.2 + 0.8*r.Float64()) * ei / (l * b)
	f.Magnets = []robotfile.RodMagnet{{Name: "tip", At: l, Moment: direction().Scale(moment)}}
	if r.IntN(2) == 0 {
		f.Magnets = append(f.Magnets, robotfile.RodMagnet{Name: "middle", At: 0.5 * l, Moment: direction().Scale(0.5 * moment)})
	} else {
		volume := bare.System.Rod.Section.Area * l
		f.Magnets = append(f.Magnets, robotfile.RodMagnet{Name: "stretch", From: 0.2 * l, To: 0.7 * l, Magnetization: direction().Scale(moment / volume)})
	}
	f.MagnetsInteract = r.IntN(2) == 0 && 1e-7*moment*moment/(l*l*l*l) < ei/(l*l)
	f.Field.Uniform = direction().Scale(b)
	for i := range f.Field.Gradient {
		f.Field.Gradient[i] = 0.2 * b / l * r.NormFloat64()
	}
	f.Field.Dipoles = nil
	for _, name := range []string{"arm", "other"} {
		far := (2 + r.Float64()) * l
		f.Field.Dipoles = append(f.Field.Dipoles, robotfile.Dipole{Name: name, Position: f.Base.Position.AddScaled(far, direction()), Moment: direction().Scale(0.3 * b * far * far * far / 2e-7)})
	}
}

// surrounded puts a robot into the field of its file, of which an input is changed by h. The field stands still.
func surrounded(e *continuumtest.Robot, f *robotfile.Continuum, input string, h float64) error {
	if e.Magnets == nil {
		return nil
	}
	file := f.Field
	file.Dipoles = slices.Clone(file.Dipoles)
	var v [6]float64
	switch kind, name, _ := strings.Cut(input, "."); kind {
	case "field":
		v[strings.Index("xyz", name)] = h
		file.Uniform = file.Uniform.Add(spatial.VecAt(v[:]))
	case "magnet":
		name, axis, _ := strings.Cut(name, ".")
		d := &file.Dipoles[slices.IndexFunc(file.Dipoles, func(d robotfile.Dipole) bool { return d.Name == name })]
		v[strings.Index("x y z rxryrz", axis)/2] = h
		d.Position, d.Moment = d.Position.Add(spatial.VecAt(v[:])), spatial.ExpRot(spatial.VecAt(v[3:])).Apply(d.Moment)
	}
	field := reference.NewField(&file, nil, f.CommandTimeout, f.Rates.Period(), f.Rod.Length)
	return e.Magnets.SetField(e.System.State, field.Instant())
}
