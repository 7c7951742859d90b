package force

import (
	"errors"
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/magnetics/rodmagnets"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Magnets are the dipoles on a rod in a field, see package magnetics/rodmagnets. Those in the middles of elements act
// through the elements: the rod asks for their loads itself.
type Magnets struct {
	passive
	*rodmagnets.Magnets

	mesh      *rod.Rod
	length    float64 // of the rod, m
	coils     *magnetics.Coils
	gauges    []sim.Gauge   // of the workspace of the coils
	moments   []spatial.Vec // by node, body axes, A m²
	couplings []*spatial.Mat6
}

var (
	_ equations.Coupler        = (*Magnets)(nil)
	_ equations.Stateful       = (*Magnets)(nil)
	_ equations.Loaded         = (*Magnets)(nil)
	_ equations.Checked        = (*Magnets)(nil)
	_ equations.Gauged         = (*Magnets)(nil)
	_ equations.Differentiable = (*Magnets)(nil)
)

// NewMagnets makes dipoles on a rod an element. moments are those of the nodes, body axes, A m²; coils are those of
// the field, nil: none.
func NewMagnets(m *rodmagnets.Magnets, mesh *rod.Rod, moments []spatial.Vec, coils *magnetics.Coils) *Magnets {
	all := &Magnets{Magnets: m, mesh: mesh, length: mesh.Length, moments: moments, coils: coils}
	if coils != nil {
		all.gauges = []sim.Gauge{reference.WorkspaceGauge}
	}
	return all
}

// SetField puts the magnets into a field. It refuses one that is too strong at a magnet of the rod where it is.
func (m *Magnets) SetField(state *strain.State, field reference.Instant) error {
	m.Field = field
	return errors.Join(m.checkField(state, 0), m.checkDistance(state, 0))
}

// Couplings implements equations.Coupler: the nodes of magnets that act on one another.
func (m *Magnets) Couplings() [][2]int { return m.Magnets.Couplings() }

// SetBlocks implements equations.Coupler.
func (m *Magnets) SetBlocks(blocks []*spatial.Mat6) { m.couplings = blocks }

// Assemble implements equations.Element.
func (m *Magnets) Assemble(state *strain.State, q *strain.Equations) {
	m.Magnets.Assemble(state.LoadPlacement(), q, m.couplings)
}

// AssembleWrenches implements equations.Element.
func (m *Magnets) AssembleWrenches(state *strain.State, q *strain.Equations) {
	m.Magnets.Assemble(state.LoadPlacement(), q, nil)
}

// Potential implements equations.Element.
func (m *Magnets) Potential(state *strain.State) float64 {
	return m.Magnets.Potential(state.LoadPlacement())
}

// BaseWrench implements equations.Element.
func (m *Magnets) BaseWrench(state *strain.State) (w spatial.Wrench) {
	m.Field.Set(0)
	w = m.Magnets.BaseWrench(state.CommittedLoadPlacement())
	middle := state.MidpointBaseWrench()
	w.Force, w.Moment = w.Force.Add(middle.Force), w.Moment.Add(middle.Moment)
	return w
}

// BeginStep implements equations.Stateful: the field is that at the end of the step.
func (m *Magnets) BeginStep(_ *strain.State, s equations.Step, _ []spatial.Wrench) {
	m.Field.Set(s.Time + s.Dt - s.Whole)
}

// BeginEquilibrium implements equations.Stateful.
func (m *Magnets) BeginEquilibrium(*strain.State) { m.Field.Set(0) }

// CommitAtRest implements equations.Stateful.
func (m *Magnets) CommitAtRest(*strain.State) { m.Field.Set(0) }

// SetLoadFactor implements equations.Loaded.
func (m *Magnets) SetLoadFactor(state *strain.State, factor float64) {
	m.Scale = factor
	state.InvalidateLoads()
}

// Check implements equations.Checked. Magnets within one another explain an iteration that does not converge.
func (m *Magnets) Check(state *strain.State, time float64, converged bool) error {
	if err := m.checkDistance(state, time); err != nil || !converged {
		return err
	}
	return m.checkField(state, time)
}

// FieldError is the error of a field that is too strong at a magnet of the rod.
type FieldError struct {
	Time      float64 // s
	ArcLength float64 // of the node with the magnet, m
	Field     float64 // T
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("the field at the magnet at %.4g m of the rod is %.4g T at t = %.6g s, allowed: at most %g T; keep permanent magnets further away, where they are dipoles, and fields smaller",
		e.ArcLength, e.Field, e.Time, magnetics.MaxField)
}

// checkField refuses a field that is too strong at a magnet.
func (m *Magnets) checkField(state *strain.State, time float64) error {
	if node, b := m.MaxField(state.CommittedLoadPlacement()); b > magnetics.MaxField {
		return &FieldError{Time: time, ArcLength: m.mesh.ArcLengths[node], Field: b}
	}
	return nil
}

// MagnetsTouchError is the error of magnets on the rod that have come nearer to one another than
// their size allows: dipoles would fall into one another.
type MagnetsTouchError struct {
	Time      float64    // s
	Magnets   [2]string  // their names
	ArcLength [2]float64 // where they are nearest, m
	Distance  float64    // m
	Allowed   float64    // m
}

func (e *MagnetsTouchError) Error() string {
	return fmt.Sprintf("magnets %s and %s on the rod, at %.4g m and %.4g m of it, are %.3g m apart at t = %.6g s, allowed: at least %.3g m, where they touch; use a stiffer rod, weaker magnets, or magnets further apart",
		e.Magnets[0], e.Magnets[1], e.ArcLength[0], e.ArcLength[1], e.Distance, e.Time, e.Allowed)
}

// checkDistance refuses an iterate at which magnets that act on one another are within one another.
func (m *Magnets) checkDistance(state *strain.State, time float64) error {
	n := m.MinDistance(state.LoadPlacement())
	if n.Distance >= n.Contact {
		return nil
	}
	return &MagnetsTouchError{
		Time: time, Magnets: [2]string{n.A.Name, n.B.Name}, ArcLength: [2]float64{m.arcLength(&n.A), m.arcLength(&n.B)},
		Distance: n.Distance, Allowed: n.Contact,
	}
}

// arcLength is where on the rod a lump is, m.
func (m *Magnets) arcLength(l *rodmagnets.RodDipole) float64 {
	at := m.mesh.ArcLengths
	if l.Middle {
		return 0.5 * (at[l.Node] + at[l.Node+1])
	}
	return at[l.Node]
}

// Gauges implements equations.Gauged.
func (m *Magnets) Gauges() []sim.Gauge { return m.gauges }

// MeasureGauges implements equations.Gauged.
func (m *Magnets) MeasureGauges(state *strain.State, dst []float64) int {
	for i := range m.gauges {
		dst[i], _ = m.outside(state)
	}
	return len(m.gauges)
}

// Explain returns the error of a step that began at a time, s; outside of the workspace of the coils that
// is the reason.
func (m *Magnets) Explain(err error, state *strain.State, time float64) error {
	distance, at := m.outside(state)
	if distance == 0 {
		return err
	}
	return reference.ExplainByWorkspace(err, m.coils, time, at)
}

// outside returns how far the magnet that is farthest from the workspace of the coils is from it, m, and
// its place.
func (m *Magnets) outside(state *strain.State) (distance float64, at spatial.Vec) {
	if len(m.gauges) == 0 {
		return 0, at
	}
	for k, moment := range m.moments {
		if moment == (spatial.Vec{}) {
			continue
		}
		if d := m.coils.Outside(state.Pose[k].P); d > distance {
			distance, at = d, state.Pose[k].P
		}
	}
	return distance, at
}

// Steps either way of what the field does: the loads on magnets are linear in the uniform field but for what slopes of
// elements take of it, and smooth in the poses of magnets, which are in lengths of the rod and rad.
const fieldStep, magnetStep = 1e-3, 1e-6

// Inputs implements equations.Differentiable: the uniform part of the field, and translations and rotations of each
// magnet around the robot about itself, world axes.
func (m *Magnets) Inputs(d *equations.Derivatives) (all []equations.Input) {
	add := func(name, unit string, h float64, set func(h float64)) {
		x := d.NewInput(equations.FieldInput, name, unit)
		for _, side := range [...]float64{1, -1} {
			set(side * h)
			d.System.State.InvalidateLoads() // in the middles of elements
			d.AddEquations(&x, side/(2*h))
		}
		set(0)
		d.System.State.InvalidateLoads()
		all = append(all, x)
	}
	axes := [...]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	uniform := m.Field.Uniform
	for i, name := range [...]string{"field.x", "field.y", "field.z"} {
		add(name, "T", fieldStep, func(h float64) { m.Field.Uniform = uniform.AddScaled(h, axes[i]) })
	}
	for k, name := range m.Field.Names() {
		d := &m.Field.Dipoles()[k]
		was := *d
		for i, axis := range [...]string{"x", "y", "z"} {
			add("magnet."+name+"."+axis, "m", magnetStep*m.length, func(h float64) { d.Position = was.Position.AddScaled(h, axes[i]) })
		}
		for i, axis := range [...]string{"rx", "ry", "rz"} {
			add("magnet."+name+"."+axis, "rad", magnetStep, func(h float64) {
				d.Moment = spatial.ExpRot(axes[i].Scale(h)).Apply(was.Moment)
			})
		}
		*d = was
	}
	return all
}

// Nonlinearisable implements equations.Differentiable.
func (m *Magnets) Nonlinearisable() string { return "" }
