package reference

import (
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// Instant is a Field at one time, counted from the time up to which the Field has
// advanced. It keeps what depends on time alone: goroutines need one each.
type Instant struct {
	Uniform     spatial.Vec        // field at Center without sources, T
	Gradient    magnetics.Gradient // of the field without sources, T/m
	Center      spatial.Vec        // of the gradient, m
	HasGradient bool               // Gradient is not 0
	HasSources  bool               // there are dipoles or coils

	field    *Field
	now      float64         // time for which the above holds, s
	sources  magnetics.Field // dipoles and coils
	currents []float64       // A
}

// Instant returns the field as it is now.
func (f *Field) Instant() Instant {
	i := Instant{
		field: f, Center: f.file.GradientCenter, HasSources: f.coils != nil || len(f.Magnets) > 0,
		sources:  magnetics.Field{Coils: f.coils, Dipoles: make([]magnetics.Dipole, len(f.Magnets))},
		currents: make([]float64, len(f.Currents)),
	}
	i.Set(0)
	return i
}

// CopyFrom makes i the same as src, to be used at the same time.
func (i *Instant) CopyFrom(src *Instant) {
	currents, dipoles := i.currents, i.sources.Dipoles
	*i = *src
	i.currents = append(currents[:0], src.currents...)
	i.sources.Dipoles = append(dipoles[:0], src.sources.Dipoles...)
}

// Set makes it the field t seconds on, under the present commands.
func (i *Instant) Set(t float64) {
	f := i.field
	i.now = t
	i.Uniform, i.Gradient = f.Constant, f.Gradient
	if left := f.Ramp.Left; left > 0 {
		share := min(t/left, 1)
		i.Uniform = f.Constant.AddScaled(share, f.Ramp.Field.Sub(f.Constant))
		i.Gradient = f.Gradient.AddScaled(share, f.Ramp.Gradient.AddScaled(-1, f.Gradient))
	}
	if b := f.file.Ambient; b != (spatial.Vec{}) {
		i.Uniform = i.Uniform.Add(b)
	}
	i.HasGradient = i.Gradient != magnetics.Gradient{}
	w := &f.Rotating
	i.Uniform = i.Uniform.Add(w.source.At(w.Phase + w.source.Omega()*t))
	for k := range i.currents {
		i.currents[k] = magnetics.Lag(f.Currents[k], f.Targets[k], t, f.file.CoilLag)
	}
	for k := range f.Magnets {
		m := &f.Magnets[k]
		at := m.Pose
		if t > 0 {
			at = m.motion.Next(m.Pose, f.time, t)
		}
		i.sources.Dipoles[k] = magnetics.Dipole{Position: at.P, Moment: at.R.Apply(m.moment)}
	}
}

// Dipoles are the magnets at the time that was set, world axes. What is written there holds until the next Set.
func (i *Instant) Dipoles() []magnetics.Dipole { return i.sources.Dipoles }

// TurnRate is that of the Field.
func (i *Instant) TurnRate(dt float64) float64 { return i.field.TurnRate(dt) }

// Names are those of the Dipoles.
func (i *Instant) Names() (all []string) {
	for k := range i.field.Magnets {
		all = append(all, i.field.Magnets[k].Name)
	}
	return all
}

// Reach is Set unless it is that time already.
func (i *Instant) Reach(t float64) {
	if t != i.now {
		i.Set(t)
	}
}

// At returns field (T) and gradient at p and time t.
func (i *Instant) At(t float64, p spatial.Vec) (spatial.Vec, magnetics.Gradient) {
	i.Reach(t)
	return i.Here(p)
}

// Here returns field (T) and gradient at p at the time that was set.
func (i *Instant) Here(p spatial.Vec) (spatial.Vec, magnetics.Gradient) {
	b, g := i.Uniform, i.Gradient
	if i.HasGradient {
		b = b.Add(g.Apply(p.Sub(i.Center)))
	}
	if i.HasSources {
		l, lg := i.sources.At(p, i.currents)
		b, g = b.Add(l), g.Add(lg)
	}
	return b, g
}

// SlopeAlong returns the slope of the field at p along a at the time that was set; see
// package magnetics.
func (i *Instant) SlopeAlong(p, a spatial.Vec) (s magnetics.Gradient) {
	if i.HasSources {
		return i.sources.SlopeAlong(p, a, i.currents)
	}
	return s
}
