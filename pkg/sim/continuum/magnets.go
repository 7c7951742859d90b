package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/magnetics/rodmagnets"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// magnet is one of the robot file, as one sees it.
type magnet struct {
	name   string
	node   int         // in its middle
	moment spatial.Vec // in all, body axes, A m²
}

// addMagnets gives the nodes their moments. A stretch that is magnetised is dipoles on its
// nodes, half of each element on either, and with elements of order 4 by Simpson's rule in
// their middles too.
func (r *Robot) addMagnets() error {
	f := &r.file
	if len(f.Magnets) == 0 {
		return nil
	}
	if (r.files.Coils == nil) != (f.Field.Coils == "") {
		return fmt.Errorf("field.coils = %q: its calibration is not given", f.Field.Coils)
	}
	r.moments = make([]spatial.Vec, r.rod.Elements+1)
	var errs []error
	for i := range f.Magnets {
		m := &f.Magnets[i]
		if !m.IsDistributed() {
			k := r.rod.NearestNode(m.At)
			r.moments[k] = r.moments[k].Add(m.Moment)
			r.magnets = append(r.magnets, magnet{m.Name, k, m.Moment})
			r.addLump(i, rodmagnets.RodDipole{Node: k, Moment: m.Moment}, m.Moment.Norm()/solid)
			continue
		}
		first, last := r.rod.NearestNode(m.From), r.rod.NearestNode(m.To)
		if first >= last {
			errs = append(errs, fmt.Errorf("magnet %s: no element between from_m = %g m and to_m = %g m; use more elements", m.Name, m.From, m.To))
			continue
		}
		volume := r.magnetise(i, first, last)
		r.magnets = append(r.magnets, magnet{m.Name, (first + last) / 2, m.Magnetization.Scale(volume)})
	}
	return errors.Join(append(errs, r.checkLumps())...)
}

// magnetise makes the stretch between two nodes a magnet of the file and returns its volume, m³.
func (r *Robot) magnetise(magnet, first, last int) (sum float64) {
	m := r.file.Magnets[magnet].Magnetization
	nodes, middles := r.volumes(first, last)
	for k, v := range nodes {
		if v > 0 {
			sum += v
			r.moments[k] = r.moments[k].AddScaled(v, m)
			r.addLump(magnet, rodmagnets.RodDipole{Node: k, Moment: m.Scale(v)}, v)
		}
	}
	if middles != nil && r.middles == nil {
		r.middles = make([]spatial.Vec, r.rod.Elements)
	}
	for e, v := range middles {
		if v > 0 {
			sum += v
			r.middles[e] = r.middles[e].AddScaled(v, m)
			r.addLump(magnet, rodmagnets.RodDipole{Node: e, Middle: true, Moment: m.Scale(v)}, v)
		}
	}
	return sum
}

// volumes returns what of the volume between two nodes counts at each node, and with elements of
// order 4 in the middle of each element, m³.
func (r *Robot) volumes(first, last int) (nodes, middles []float64) {
	if r.rod.Order != 4 {
		return r.rod.NodeVolumes(first, last), nil
	}
	nodes, middles = make([]float64, r.rod.Elements+1), make([]float64, r.rod.Elements)
	for e := first; e < last; e++ {
		a, middle, b := r.rod.SimpsonVolumes(e)
		nodes[e], middles[e], nodes[e+1] = nodes[e]+a, middle, b
	}
	return nodes, middles
}

// addLump notes a part of a magnet of the file, of at least that volume (m³), where magnets act
// on one another.
func (r *Robot) addLump(magnet int, l rodmagnets.RodDipole, volume float64) {
	if r.file.MagnetsInteract {
		l.Magnet, l.Name, l.Radius = magnet, r.file.Magnets[magnet].Name, math.Cbrt(3*volume/(4*math.Pi))
		r.lumps = append(r.lumps, l)
	}
}

// checkLumps refuses magnets at one place that would act on one another.
func (r *Robot) checkLumps() error {
	for i := range r.lumps {
		for j := range i {
			a, b := &r.lumps[j], &r.lumps[i]
			if a.Node == b.Node && a.Magnet != b.Magnet && !a.Middle && !b.Middle {
				return fmt.Errorf("magnets_interact: magnets %s and %s are both on the node at %.4g m of the rod; they act on one another from different nodes only: put them apart, make them one, or use more elements",
					a.Name, b.Name, r.rod.ArcLengths[a.Node])
			}
		}
	}
	return nil
}

// newMagnets are the magnets of the rod in the field of the file; nil where there are none.
func (r *Robot) newMagnets() *force.Magnets {
	if r.moments == nil {
		return nil
	}
	m := rodmagnets.New(r.moments, r.middles, r.newField().Instant())
	m.CoupleDipoles(r.lumps)
	return force.NewMagnets(m, r.rod, r.moments, r.files.Coils)
}

// newField makes the field around the robot, nil where there is nothing that it acts on.
func (r *Robot) newField() *reference.Field {
	if r.moments == nil {
		return nil
	}
	f := reference.NewField(&r.file.Field, r.files.Coils, r.file.CommandTimeout, r.file.Rates.Period(), r.farthest())
	return &f
}

// checkField refuses sources in another unit than tesla.
func checkField(f *robotfile.Field) error {
	errs := []error{magnetics.CheckField("field.uniform_t", f.Uniform)}
	if w := f.Rotating; w != nil {
		errs = append(errs, magnetics.CheckField("field.rotating", spatial.Vec{X: w.Amplitude, Z: w.Offset}))
	}
	return errors.Join(errs...)
}

// Proportions of what is drawn of magnets and fields, over the length of the rod.
const (
	momentLength = 0.15 // of the arrow along a magnet on the rod
	fieldLength  = 0.4  // of the arrow of a strong field
	halfField    = 2e-3 // T, at which that arrow has half its length
	// solid (A/m) is the magnetisation of the sphere that a permanent magnet is drawn as.
	solid = 1e6
)

var (
	momentColor = sim.Color{R: 0.85, G: 0.15, B: 0.15, A: 1}
	fieldColor  = sim.Color{R: 0.10, G: 0.45, B: 0.95, A: 1}
	magnetColor = sim.Color{R: 0.45, G: 0.48, B: 0.52, A: 0.8}
)

// drawMagnets draws the magnets of the rod as arrows along their moments, those around it as
// spheres of their size with such arrows, and the field at the tip, as long as B/(B + 2 mT),
// from the arrow after first on.
func (m *Model) drawMagnets(dst *sim.Scene, first int) {
	r := m.robot
	if m.field == nil {
		return
	}
	thick, arrows := arrowRadius*r.rod.Section.Radius(), dst.Arrows[first:]
	for i := range r.magnets {
		g := &r.magnets[i]
		at := m.engine.NodePose(g.node)
		arrows[i] = centred(g.name, at.P, at.R.Apply(g.moment), momentLength*r.rod.Length, 2*thick, momentColor)
	}
	arrows = arrows[len(r.magnets):]
	dst.Spheres = fit(dst.Spheres, len(m.field.Magnets))
	for i := range m.field.Magnets {
		g := &m.field.Magnets[i]
		moment, radius := g.Moment(), magnetRadius(g)
		dst.Spheres[i] = sim.Sphere{Name: "magnet", Pose: g.Pose, SemiAxes: spatial.Vec{X: radius, Y: radius, Z: radius}, Color: magnetColor}
		arrows[i] = centred("magnet", g.Pose.P, moment, 3*radius, 0.2*radius, momentColor)
	}
	tip := m.engine.NodePose(r.rod.Elements).P
	m.atTip.Set(0)
	b, _ := m.atTip.Here(tip)
	size := b.Norm()
	a := &arrows[len(m.field.Magnets)]
	*a = sim.Arrow{Name: "field", From: tip, To: tip, Radius: thick, Color: fieldColor}
	if size > 0 && !math.IsInf(size, 0) {
		a.To = tip.AddScaled(fieldLength*r.rod.Length/(size+halfField), b)
	}
}

// arrows is how many drawMagnets draws.
func (m *Model) arrows() int {
	if m.field == nil {
		return 0
	}
	return len(m.robot.magnets) + len(m.field.Magnets) + 1
}

// magnetRadius is that of the sphere that a magnet is at least, m.
func magnetRadius(g *reference.Magnet) float64 {
	return math.Cbrt(3 * g.Moment().Norm() / (4 * math.Pi * solid))
}

// centred is an arrow along v with its middle at p, of no length where v has no direction.
func centred(name string, p, v spatial.Vec, length, radius float64, c sim.Color) sim.Arrow {
	a := sim.Arrow{Name: name, From: p, To: p, Radius: radius, Color: c}
	if n := v.Norm(); n > 0 {
		a.From, a.To = p.AddScaled(-0.5*length/n, v), p.AddScaled(0.5*length/n, v)
	}
	return a
}
