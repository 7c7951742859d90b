package robotfile

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Rod is the elastic backbone: a Cosserat rod. Either Radius is positive (a circle), or
// Section is not nil, or there are Sections; Stretches serves all.
type Rod struct {
	Length          float64               `yaml:"length_m" unit:"m" range:"(0, 100]" default:"0.25" doc:"arc length at rest; with sections their sum, which may be left out"`
	Radius          float64               `yaml:"radius_m" unit:"m" range:"(0, 10]" default:"0.0055" choice:"section/circle" doc:"circular cross-section"`
	InnerRadius     float64               `yaml:"inner_radius_m" unit:"m" range:"[0, 10]" default:"0" choice:"section/circle" doc:"of the bore of a tube, below radius_m; 0: solid"`
	Section         *Section              `yaml:"section" choice:"section" doc:"any other cross-section, instead of radius_m"`
	Sections        []Segment             `yaml:"sections" choice:"section" doc:"sections of the rod, base to tip, each with cross-section and material, instead of radius_m; nodes are at their borders (method implicit)"`
	Density         float64               `yaml:"density_kg_per_m3" unit:"kg/m^3" range:"(0, 100000]" default:"997.7" doc:"mass density"`
	YoungsModulus   float64               `yaml:"youngs_modulus_pa" unit:"Pa" range:"[100, 1e13]" default:"16598637" doc:"E, stiffness in stretch and bending"`
	ShearModulus    float64               `yaml:"shear_modulus_pa" unit:"Pa" range:"[1, 1e13]" default:"7216880" doc:"G; E/3 (incompressible) where only E is given"`
	ShearCorrection float64               `yaml:"shear_correction" unit:"1" range:"(0, 2]" default:"0.9642857142857143" doc:"factor of the shear stiffness G A; 27/28 for a circle"`
	Elements        int                   `yaml:"elements" unit:"1" range:"[1, 2000]" default:"20" doc:"from base to tip, with a node at every disk and otherwise as equal as can be; at least one between neighbouring disks (method reference: all equal, and disks at the nearest node)"`
	Order           int                   `yaml:"element_order" unit:"1" range:"[2, 6]" default:"4" doc:"2 or 4 (6 is not offered): how fast the error falls with the length of the elements; 2 is constant strain, 4 linear strain (method implicit; in the others it is 2)"`
	MaterialLaw     MaterialLaw           `yaml:"material_law" enum:"linear|volume-preserving" default:"linear" doc:"volume-preserving thins the section as it stretches (PyElastica's law)"`
	Precurvature    spatial.Vec           `yaml:"precurvature_per_m" unit:"1/m" range:"[-1e5, 1e5]" default:"[0, 0, 0]" doc:"curvature about d1 and d2 and twist about d3 at rest, body axes"`
	ContactRadius   float64               `yaml:"contact_radius_m" unit:"m" range:"[0, 10]" default:"0" doc:"of the surface that touches the environment; 0: radius_m; section needs it"`
	Damping         Damping               `yaml:"damping" doc:"several kinds add up"`
	Viscoelasticity []MaxwellBranch       `yaml:"viscoelasticity" doc:"relaxing stiffness beside the lasting one that youngs_modulus_pa and shear_modulus_pa are: one branch makes a standard linear solid (method implicit)"`
	BendingFriction []ElastoplasticSpring `yaml:"bending_friction" doc:"friction inside the rod: springs beside the bending stiffness, in parallel, that slip; 3 to 5 make a smooth loop with memory (method implicit)"`
}

// Segment is a section of a rod. It inherits absent keys from Rod. Either Radius has one or two
// numbers or Section is not nil.
type Segment struct {
	Length          float64               `yaml:"length_m" example:"0.25" unit:"m" range:"(0, 100]" doc:"arc length at rest"`
	Radius          []float64             `yaml:"radius_m" example:"[4e-4, 2e-4]" unit:"m" range:"(0, 10]" len:"1|2" choice:"section/circle" doc:"circular cross-section; two numbers taper linearly, base to tip"`
	InnerRadius     []float64             `yaml:"inner_radius_m" example:"[0]" unit:"m" range:"[0, 10]" len:"0|1|2" choice:"section/circle" doc:"of the bore of a tube, below radius_m, one number or two; 0 or empty: solid"`
	Section         *Section              `yaml:"section" choice:"section" doc:"any other cross-section, instead of radius_m"`
	Density         float64               `yaml:"density_kg_per_m3" example:"6450" unit:"kg/m^3" range:"(0, 100000]" default:"-" doc:"mass density; if absent the rod's, and so on below"`
	YoungsModulus   float64               `yaml:"youngs_modulus_pa" example:"5e9" unit:"Pa" range:"[100, 1e13]" default:"-" doc:"E, stiffness in stretch and bending"`
	ShearModulus    float64               `yaml:"shear_modulus_pa" example:"1.8e9" unit:"Pa" range:"[1, 1e13]" default:"-" doc:"G; where only E is given the rod's G in proportion, so that Poisson's ratio is the same"`
	ShearCorrection float64               `yaml:"shear_correction" example:"0.9642857142857143" unit:"1" range:"(0, 2]" default:"-" doc:"factor of the shear stiffness G A"`
	Precurvature    spatial.Vec           `yaml:"precurvature_per_m" unit:"1/m" range:"[-1e5, 1e5]" default:"-" doc:"curvature about d1 and d2 and twist about d3 at rest, body axes"`
	ContactRadius   float64               `yaml:"contact_radius_m" example:"4e-4" unit:"m" range:"[0, 10]" default:"-" doc:"of the surface that touches the environment; 0: radius_m; section needs it"`
	Damping         SegmentDamping        `yaml:"damping" doc:"of this section"`
	Viscoelasticity []MaxwellBranch       `yaml:"viscoelasticity" default:"-" doc:"as rod.viscoelasticity; if absent the rod's, [] for none"`
	BendingFriction []ElastoplasticSpring `yaml:"bending_friction" default:"-" doc:"as rod.bending_friction; if absent the rod's, [] for none"`
}

// Segments returns the sections of the rod, one where it is uniform.
func (r *Rod) Segments() []Segment {
	if len(r.Sections) > 0 {
		return r.Sections
	}
	s := Segment{
		Length: r.Length, Section: r.Section, Density: r.Density, YoungsModulus: r.YoungsModulus, ShearModulus: r.ShearModulus,
		ShearCorrection: r.ShearCorrection, Precurvature: r.Precurvature, ContactRadius: r.ContactRadius,
		Damping:         SegmentDamping{r.Damping.KelvinVoigt, r.Damping.Drag, r.Damping.RotationalDrag, r.Damping.QuadraticDrag},
		Viscoelasticity: r.Viscoelasticity, BendingFriction: r.BendingFriction,
	}
	if r.Section == nil {
		s.Radius, s.InnerRadius = []float64{r.Radius}, []float64{r.InnerRadius}
	}
	return []Segment{s}
}

// Radii returns the radii at both ends of a section of circular cross-section, m.
func (s *Segment) Radii() (outer, inner [2]float64) {
	return ends(s.Radius), ends(s.InnerRadius)
}

// ContactRadii returns the radii at both ends of the surface that touches the environment, m; 0
// if a cross-section that is not circular does not give them.
func (s *Segment) ContactRadii() [2]float64 {
	if s.ContactRadius > 0 {
		return [2]float64{s.ContactRadius, s.ContactRadius}
	}
	return ends(s.Radius)
}

// ends are one or two numbers at both ends.
func ends(x []float64) [2]float64 {
	if len(x) == 0 {
		return [2]float64{}
	}
	return [2]float64{x[0], x[len(x)-1]}
}

// Section is a cross-section with its principal axes along d1 and d2.
type Section struct {
	Area float64 `yaml:"area_m2" example:"9.5033e-05" unit:"m^2" range:"(0, 1000]" doc:"area"`
	I1   float64 `yaml:"i1_m4" example:"7.1869e-10" unit:"m^4" range:"(0, 1000]" doc:"second moment of area for bending about d1"`
	I2   float64 `yaml:"i2_m4" example:"7.1869e-10" unit:"m^4" range:"(0, 1000]" doc:"second moment of area for bending about d2"`
	J    float64 `yaml:"j_m4" example:"1.43738e-09" unit:"m^4" range:"(0, 1000]" doc:"torsion constant"`
}

// MaterialLaw says how stress follows strain.
type MaterialLaw string

// The material laws.
const (
	Linear           MaterialLaw = "linear"
	VolumePreserving MaterialLaw = "volume-preserving"
)

// finalize applies the default of G to the rod at path and reports one that is thicker than long.
func (r *Rod) finalize(c *checker, path string) {
	if c.has(join(path, "youngs_modulus_pa")) && !c.has(join(path, "shear_modulus_pa")) {
		r.ShearModulus = r.YoungsModulus / 3
	}
	r.finalizeOrder(c, path)
	r.finalizeSections(c, path)
	if r.InnerRadius > 0 && r.InnerRadius >= r.Radius && c.ok(join(path, "radius_m"), join(path, "inner_radius_m")) {
		c.fail(join(path, "inner_radius_m"), Mistake{Unit: "m", Problem: "is not below radius_m", Allowed: "below " + formatNumber(r.Radius)})
	}
	if r.Section == nil && r.Radius >= r.Length && c.ok(join(path, "length_m"), join(path, "radius_m")) {
		m := Mistake{
			Value: formatNumber(r.Radius), Unit: "m", Problem: "is not below length_m",
			Allowed: "below " + formatNumber(r.Length),
		}
		if r.Radius >= 0.1 && r.Radius*1e-3 < r.Length {
			m.Hint = "it looks like millimetres: " + formatNumber(rounded(r.Radius*1e-3)) + " m"
		}
		c.fail(join(path, "radius_m"), m)
	}
}

// finalizeOrder reports unsupported orders of elements.
func (r *Rod) finalizeOrder(c *checker, path string) {
	if r.Order == 2 || r.Order == 4 || !c.ok(join(path, "element_order")) {
		return
	}
	m := Mistake{Value: fmt.Sprint(r.Order), Problem: "is not an order of an element", Allowed: "2 or 4"}
	if r.Order == 6 {
		m.Problem = "is not offered"
		m.Hint = "take 4 and more elements; docs/validation.md has the numbers"
	}
	c.fail(join(path, "element_order"), m)
}

// finalizeSections applies the defaults of the sections and checks that their lengths add up to
// the rod's.
func (r *Rod) finalizeSections(c *checker, path string) {
	if len(r.Sections) == 0 {
		if c.has(join(path, "sections")) && c.ok(join(path, "sections")) {
			c.fail(join(path, "sections"), Mistake{Problem: "has no section", Allowed: "at least 1"})
		}
		return
	}
	sum := 0.0
	for i := range r.Sections {
		r.Sections[i].finalize(c, item(join(path, "sections"), i), r)
		sum += r.Sections[i].Length
	}
	if !c.ok(join(path, "sections")) {
		return
	}
	sum = rounded(sum)
	if c.has(join(path, "length_m")) && c.ok(join(path, "length_m")) && math.Abs(r.Length-sum) > sameLength*sum {
		c.fail(join(path, "length_m"), Mistake{Unit: "m", Problem: "differs from the sum of the lengths of the sections", Allowed: formatNumber(sum), Hint: "remove it"})
	} else {
		r.Length = sum
	}
	if r.Elements < len(r.Sections) && c.ok(join(path, "elements")) {
		c.fail(join(path, "elements"), Mistake{
			Value: fmt.Sprint(r.Elements), Problem: "are fewer than the " + plural(len(r.Sections), "section"),
			Allowed: fmt.Sprintf("at least %d, one per section", len(r.Sections)),
		})
		return
	}
	for i := range r.Sections {
		s, at := &r.Sections[i], join(item(join(path, "sections"), i), "length_m")
		if s.Length <= 2*sameNode*r.elementLength() {
			c.fail(at, Mistake{Unit: "m", Problem: "is negligible beside an element", Allowed: "above " + formatNumber(rounded(2*sameNode*r.elementLength()))})
		}
		outer, _ := s.Radii()
		if at = join(item(join(path, "sections"), i), "radius_m"); max(outer[0], outer[1]) >= r.Length && c.ok(at) {
			c.fail(at, Mistake{Unit: "m", Problem: "is not below the length of the rod", Allowed: "below " + formatNumber(r.Length)})
		}
	}
}

// sameLength is the share of a length by which sums of decimals miss it.
const sameLength = 1e-9

// finalize applies the defaults of the section and checks its radii.
func (s *Segment) finalize(c *checker, path string, r *Rod) {
	inherit := func(key string, value *float64, from float64) {
		if !c.has(join(path, key)) {
			*value = from
		}
	}
	inherit("density_kg_per_m3", &s.Density, r.Density)
	inherit("youngs_modulus_pa", &s.YoungsModulus, r.YoungsModulus)
	inherit("shear_modulus_pa", &s.ShearModulus, s.YoungsModulus*(r.ShearModulus/r.YoungsModulus))
	inherit("shear_correction", &s.ShearCorrection, r.ShearCorrection)
	inherit("contact_radius_m", &s.ContactRadius, r.ContactRadius)
	s.finalizeInelasticity(c, path, r)
	if !c.has(join(path, "precurvature_per_m")) {
		s.Precurvature = r.Precurvature
	}
	radius, bore := join(path, "radius_m"), join(path, "inner_radius_m")
	if s.Section != nil || !c.ok(radius, bore) {
		return
	}
	if len(s.Radius) == 0 {
		c.fail(radius, Mistake{Unit: "m", Problem: "is missing", Allowed: "a radius, or [radius at its start, radius at its end], or section"})
		return
	}
	if len(s.InnerRadius) == 0 {
		s.InnerRadius = []float64{0}
	}
	outer, inner := s.Radii()
	for i := range outer {
		if inner[i] >= outer[i] {
			c.fail(bore, Mistake{Unit: "m", Problem: "is not below radius_m at the " + [...]string{"start", "end"}[i] + " of the section", Allowed: "below " + formatNumber(outer[i])})
			return
		}
	}
}

// borders returns the arc lengths at which sections join, m.
func (r *Rod) borders() []float64 {
	if len(r.Sections) < 2 {
		return nil
	}
	all, s := make([]float64, len(r.Sections)-1), 0.0
	for i := range all {
		s += r.Sections[i].Length
		all[i] = s
	}
	return all
}

// Nodes of the rod are at the arc lengths of the disks, at magnets, at the ends of magnetised
// stretches, at the borders of sections and, in method implicit, at loads and springs. In method reference
// elements are equal, and a disk is at the node nearest to it.

// sameNode is the share of a mean element below which arc lengths are those of one node.
const sameNode = 1e-6

// NodeArcLengths returns the arc lengths at which the rod has nodes whatever its elements,
// increasing and between its ends, m.
func (r *Continuum) NodeArcLengths() []float64 {
	if r.Solver.Method == Reference {
		return nil
	}
	var wanted []float64
	for i := range r.Tendons {
		wanted = append(wanted, r.Tendons[i].Disks.ArcLengths()...)
	}
	for i := range r.Magnets {
		wanted = append(wanted, r.Magnets[i].arcLengths()...)
	}
	if r.Solver.Method == Implicit { // a short element would make the stable step of explicit short
		for i := range r.Loads {
			wanted = append(wanted, r.Loads[i].At)
		}
		for i := range r.Springs {
			wanted = append(wanted, r.Springs[i].At)
		}
	}
	slices.Sort(wanted)
	same := sameNode * r.Rod.elementLength()
	borders := r.Rod.borders()
	nodes := slices.Clone(borders)
	last := 0.0
	for _, s := range wanted {
		i, _ := slices.BinarySearch(borders, s-same)
		atBorder := i < len(borders) && borders[i] <= s+same
		if s-last > same && r.Rod.Length-s > max(same, sameEnd*r.Rod.Length) && !atBorder {
			nodes, last = append(nodes, s), s
		}
	}
	slices.Sort(nodes)
	return nodes
}

// elementLength is the mean length of an element, m.
func (r *Rod) elementLength() float64 { return r.Length / float64(r.Elements) }

// warnNodes reports disks that nodes move, and elements beyond the number in the file.
func (r *Continuum) warnNodes(c *checker) {
	if !c.ok("rod", "tendons") {
		return
	}
	if gaps := len(r.NodeArcLengths()) + 1; gaps > r.Rod.Elements {
		c.warnAt("rod.elements", Mistake{
			Value:   formatNumber(float64(r.Rod.Elements)),
			Problem: fmt.Sprintf("are fewer than the %d gaps between neighbouring disks, magnets, loads, springs, borders of sections and ends: the rod has %d elements, one in each", gaps, gaps),
			Hint:    fmt.Sprintf("give %d or more", gaps),
		})
	}
	if r.Solver.Method != Reference {
		return
	}
	for i := range r.Tendons {
		r.warnSnapped(c, join(item("tendons", i), "disks"), r.Tendons[i].Disks.ArcLengths())
	}
}

// warnSnapped reports disks of a tendon that are not at nodes of equal elements.
func (r *Continuum) warnSnapped(c *checker, path string, disks []float64) {
	const (
		roundoff = 1e-9 // of an element: decimals
		named    = 3
	)
	var moved string
	count, l := 0, r.Rod.elementLength()
	for _, s := range disks {
		x := s / l
		if math.Abs(x-math.Round(x)) <= roundoff {
			continue
		}
		if h := math.Round(2*x) / 2; math.Abs(x-h) < roundoff {
			x = h // half-way, which rounds to even
		}
		if count++; count <= named {
			moved += fmt.Sprintf(", that of %s m at %.6g m", formatNumber(s), math.RoundToEven(x)*l)
		}
	}
	if count == 0 {
		return
	}
	if count > named {
		moved += fmt.Sprintf(" and %d more", count-named)
	}
	c.warnAt(path, Mistake{
		Value:   plural(len(disks), "disk"),
		Problem: "are at the nearest nodes in method reference" + moved,
		Hint:    fmt.Sprintf("choose elements of which %.6g m and the other arc lengths are multiples, or method implicit or explicit", disks[0]),
	})
}
