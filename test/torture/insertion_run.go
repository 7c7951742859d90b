package torture

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/spatial"
)

// Inserted is what an insertion gave.
type Inserted struct {
	Err      error
	Faulty   string  // number that is not finite
	Outside  float64 // largest distance of the surface of the rod beyond the lumen, by its centre line, radii of the rod
	Depth    float64 // what the model says of its deepest contact, radii of the rod
	Between  float64 // what the model says of its deepest place anywhere along its elements, radii of the rod
	Contacts float64 // most at a time
	Divided  float64 // steps
	Failed   float64 // steps, by the gauge
	Growth   float64 // of energy while the base stands, over what there is
	Steps    int
}

// Run pushes the rod in and lets it rest.
func (c *Insertion) Run() (o Inserted) {
	m, err := c.Model()
	if err != nil {
		return Inserted{Err: err}
	}
	g := newObserver(m)
	parts, _ := m.(*continuum.Model).Parts()
	before := 0.0
	move := c.mover(m, sim.NewInputs(m))
	for i := range c.Steps + c.Rest {
		move(i)
		if o.Err = m.Step(c.file.Solver.Step); o.Err != nil {
			break
		}
		o.Steps++
		g.look()
		o.Depth = max(o.Depth, g.value("penetration_over_radius"))
		_, along := parts.Contact.PenetrationBetweenPoints(parts.System.State)
		o.Between = max(o.Between, o.Depth, along)
		o.Contacts = max(o.Contacts, g.value("contacts"))
		if i%5 == 0 || i == c.Steps+c.Rest-1 {
			o.Outside = max(o.Outside, c.outside(g.nodes, g.lengths))
		}
		if i == c.Steps {
			before = g.energy(c)
		}
	}
	o.Divided, o.Failed, o.Faulty = g.value(sim.DividedSteps), g.value(sim.UnconvergedSteps), g.faulty
	if o.Err == nil {
		stored := g.value("elastic_energy") + g.value("kinetic_energy")
		o.Growth = (g.energy(c) - before) / (stored + c.weight()*c.Radius)
	}
	return o
}

// Tolerance returns how far the surface of a rod may be beyond the lumen, in its radii. The wall of a
// tube is that of its centre line; that of a mesh is off it by what facets are off where branches
// part, and there the centre line of the rod still has to be within.
func (c *Insertion) Tolerance() float64 {
	if c.files.Meshes == nil {
		return 0.1
	}
	return 0.8
}

// weight of the rod, N, as if it were all as thick as where it is thickest.
func (c *Insertion) weight() float64 {
	return c.file.Rod.Density * math.Pi * c.Radius * c.Radius * c.file.Rod.Length * c.file.Gravity.Norm()
}

// radius is that of the rod at an arc length, m; between two sections that of the thinner one.
func (c *Insertion) radius(s float64) float64 {
	const same = 1e-9 // of the length
	thinnest := math.Inf(1)
	s = min(max(s, 0), c.file.Rod.Length)
	begin, tolerance := 0.0, same*c.file.Rod.Length
	stretches := c.file.Rod.Segments()
	for i := range stretches {
		l := stretches[i].Length
		if r := stretches[i].ContactRadii(); s > begin-tolerance && s < begin+l+tolerance {
			thinnest = min(thinnest, r[0]+(r[1]-r[0])*min(max((s-begin)/l, 0), 1))
		}
		begin += l
	}
	return thinnest
}

// outside is how far the surface of the rod is beyond the lumen, in its radii. The centre line
// between two nodes is the cubic with their tangents.
func (c *Insertion) outside(nodes []float64, lengths []float64) (most float64) {
	const parts = 4
	most = -1
	arc := 0.0 // up to the element
	for k := poseLen; k < len(nodes); k += poseLen {
		a, b := spatial.VecAt(nodes[k-poseLen:]), spatial.VecAt(nodes[k:])
		l := lengths[k/poseLen-1]
		ta := spatial.QuatAt(nodes[k-poseLen+3:]).Rot().Apply(spatial.Vec{Z: l})
		tb := spatial.QuatAt(nodes[k+3:]).Rot().Apply(spatial.Vec{Z: l})
		for i := range parts {
			t := float64(i+1) / parts
			p := a.Scale((1+2*t)*(1-t)*(1-t)).AddScaled(t*(1-t)*(1-t), ta)
			p = p.AddScaled(t*t*(3-2*t), b).AddScaled(-t*t*(1-t), tb)
			r := c.radius(arc + t*l)
			most = max(most, (c.excess(p)+r-c.Slack)/r)
		}
		arc += l
	}
	return most
}

// excess is how far a point is outside of the introducer and of the vessel. About the end of
// the introducer it may be in either.
func (c *Insertion) excess(p spatial.Vec) float64 {
	bore := c.Lumen.Courses[0].Radius[0]
	introducer := math.Hypot(p.Y, p.Z) - c.Introducer
	switch {
	case p.X < 0:
		return introducer
	case p.X < 1.5*bore:
		return min(introducer, c.Lumen.Excess(p))
	}
	return c.Lumen.Excess(p)
}

// observer reads the ports and gauges of a model.
type observer struct {
	m       sim.Model
	port    int // backbone
	nodes   []float64
	lengths []float64 // of elements, m
	index   map[string]int
	gauges  []float64
	faulty  string
}

func newObserver(m sim.Model) *observer {
	o := &observer{m: m, index: map[string]int{}, gauges: make([]float64, len(m.Gauges()))}
	for i, p := range m.Ports() {
		if p.Name == "backbone" {
			o.port, o.nodes = i, make([]float64, p.Width())
		}
	}
	for i, g := range m.Gauges() {
		o.index[g.Key] = i
	}
	o.look()
	for k := poseLen; k < len(o.nodes); k += poseLen {
		o.lengths = append(o.lengths, spatial.VecAt(o.nodes[k:]).Sub(spatial.VecAt(o.nodes[k-poseLen:])).Norm())
	}
	return o
}

// look reads everything and notes what is not finite.
func (o *observer) look() {
	o.m.Value(o.port, o.nodes)
	o.m.Measure(o.gauges)
	if !spatial.AllFinite(o.nodes) {
		o.faulty = "backbone"
	}
	for key, i := range o.index {
		if !spatial.IsFinite(o.gauges[i]) {
			o.faulty = key
		}
	}
}

// value is that of a gauge, which must be there: not a number would pass every limit.
func (o *observer) value(key string) float64 {
	i, ok := o.index[key]
	if !ok {
		panic("torture: the model has no gauge " + key)
	}
	return o.gauges[i]
}

// energy is that of motion, of strain and of height, J.
func (o *observer) energy(c *Insertion) float64 {
	e := o.value("kinetic_energy") + o.value("elastic_energy")
	arc := 0.0
	for k, l := range o.lengths {
		r := c.radius(arc + l/2)
		line := c.file.Rod.Density * math.Pi * r * r
		arc += l
		middle := spatial.VecAt(o.nodes[poseLen*k:]).Add(spatial.VecAt(o.nodes[poseLen*(k+1):])).Scale(0.5)
		e -= line * l * c.file.Gravity.Dot(middle)
	}
	return e
}
