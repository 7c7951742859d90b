package lint

import (
	"fmt"
	"math"

	"sinew/pkg/sim/robotfile"
)

// magnets finds magnets of the rod that are stronger than any material or whose omitted
// interaction matters, and magnets of the environment in or next to the initial rod.
func (f *findings) magnets(r *robotfile.Continuum) {
	if len(r.Magnets) == 0 {
		return
	}
	for i := range r.Magnets {
		if m := norm(r.Magnets[i].Magnetization); m > maxMagnetization {
			f.add(robotfile.Magnetization, fmt.Sprintf("magnets[%d].magnetization_a_per_m", i), "is %s A/m; expected: at most %s A/m, the maximum of magnetic materials", about(m), about(maxMagnetization))
		}
		for k := range i {
			if !r.MagnetsInteract {
				f.magnetPair(r, i, k)
			}
		}
	}
	if w := r.Field.Rotating; w != nil && w.Amplitude > 0 {
		f.rotatingField(w.Frequency, &r.Solver)
	}
	for i, d := range r.Field.Dipoles {
		along := d.Position.Sub(r.Base.Position).Dot(r.Base.Direction)
		nearest := r.Base.Position.AddScaled(min(max(along, 0), r.Rod.Length), r.Base.Direction)
		f.dipole(i, &d, norm(d.Position.Sub(nearest)), "the straight rod")
	}
}

// rotatingField finds a field that rotates so fast that the parts of a step do not resolve it.
func (f *findings) rotatingField(frequency float64, s *robotfile.RodSolver) {
	rate, most := 2*math.Pi*math.Abs(frequency), robotfile.MaxStepParts*s.MaxRotation()
	if angle := rate * s.Step; angle > most {
		f.add(robotfile.RotationPerStep, "field.rotating.frequency_hz", "turns the field by %s rad in a step of %s s, of at most %d parts; expected: at most %s rad, solver.step_s %s",
			about(angle), about(s.Step), robotfile.MaxStepParts, about(most), about(most/rate))
	}
}

// magnetPair finds two magnets whose field at one another is a tenth of the field that actuates
// them.
func (f *findings) magnetPair(r *robotfile.Continuum, i, k int) {
	const (
		share = 0.1
		usual = 1e-3 // T
		mu    = 2e-7 // µ0/2π, T m/A
	)
	field := max(usual, norm(r.Field.Uniform))
	if w := r.Field.Rotating; w != nil {
		field = max(field, w.Amplitude)
	}
	a, at := moment(r, i)
	b, bt := moment(r, k)
	away := math.Abs(at - bt)
	if mutual := mu * max(a, b) / (away * away * away); mutual > share*field {
		f.add(robotfile.MagnetInteraction, fmt.Sprintf("magnets[%d]", i), "is %s m from magnet %s, where one has a field of %s T at the other, which the model leaves out without magnets_interact; expected: below a tenth of the field that moves them, %s T",
			about(away), r.Magnets[k].Name, about(mutual), about(share*field))
	}
}

// moment returns the magnitude of the moment of a magnet, A m², and its middle, m.
func moment(r *robotfile.Continuum, i int) (size, at float64) {
	m := &r.Magnets[i]
	if !m.IsDistributed() {
		return norm(m.Moment), m.At
	}
	for _, s := range segments(&r.Rod) {
		overlap := min(m.To, s.start+s.Length) - max(m.From, s.start)
		size += norm(m.Magnetization) * s.area * max(overlap, 0)
	}
	return size, (m.From + m.To) / 2
}

// dipole finds a magnet of the environment that is too near for the dipole approximation. A
// spherical magnet of moment m has a radius of at least (3 m/4πM)^(1/3); the approximation holds for
// other shapes beyond twice that distance.
func (f *findings) dipole(i int, d *robotfile.Dipole, away float64, what string) {
	radius := math.Cbrt(3 * norm(d.Moment) / (4 * math.Pi * maxMagnetization))
	if away < 2*radius {
		f.add(robotfile.DipoleRange, fmt.Sprintf("field.dipoles[%d].position_m", i), "is %s m from %s, and a magnet of %s A m^2 has a radius of %s m or more; expected: two radii away, where it acts as a dipole",
			about(away), what, about(norm(d.Moment)), about(radius))
	}
}
