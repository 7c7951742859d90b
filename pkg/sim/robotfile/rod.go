package robotfile

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Rod is the elastic backbone: a uniform Cosserat rod. Either Radius is positive
// (a solid circle) or Section is not nil.
type Rod struct {
	Length          float64     `yaml:"length_m" unit:"m" range:"(0, 100]" default:"0.25" doc:"arc length at rest"`
	Radius          float64     `yaml:"radius_m" unit:"m" range:"(0, 10]" default:"0.0055" choice:"section" doc:"solid circular cross-section"`
	Section         *Section    `yaml:"section" choice:"section" doc:"any other cross-section, instead of radius_m"`
	Density         float64     `yaml:"density_kg_per_m3" unit:"kg/m^3" range:"(0, 100000]" default:"997.7" doc:"mass density"`
	YoungsModulus   float64     `yaml:"youngs_modulus_pa" unit:"Pa" range:"[100, 1e13]" default:"16598637" doc:"E, stiffness in stretch and bending"`
	ShearModulus    float64     `yaml:"shear_modulus_pa" unit:"Pa" range:"[1, 1e13]" default:"7216880" doc:"G; E/3 (incompressible) where only E is given"`
	ShearCorrection float64     `yaml:"shear_correction" unit:"1" range:"(0, 2]" default:"0.9642857142857143" doc:"factor of the shear stiffness G A; 27/28 for a circle"`
	Elements        int         `yaml:"elements" unit:"1" range:"[1, 2000]" default:"20" doc:"from base to tip, with a node at every disk and otherwise as equal as can be; at least one between neighbouring disks (method reference: all equal, and disks at the nearest node)"`
	Order           int         `yaml:"element_order" unit:"1" range:"[2, 4]" default:"2" doc:"2 or 4: how fast the error falls with the length of the elements; 2 is constant strain, 4 linear curvature (method implicit; in the others it is 2)"`
	MaterialLaw     MaterialLaw `yaml:"material_law" enum:"linear|volume-preserving" default:"linear" doc:"volume-preserving thins the section as it stretches (PyElastica's law)"`
	Precurvature    spatial.Vec `yaml:"precurvature_per_m" unit:"1/m" range:"[-1e5, 1e5]" default:"[0, 0, 0]" doc:"curvature about d1 and d2 and twist about d3 at rest, body axes"`
	Damping         Damping     `yaml:"damping" doc:"several kinds add up"`
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

// Damping are the dissipative terms of the rod.
type Damping struct {
	KelvinVoigt   float64 `yaml:"kelvin_voigt_s" unit:"s" range:"[0, 1000]" default:"0" doc:"internal: stress = stiffness (strain + kelvin_voigt_s d(strain)/dt)"`
	Drag          float64 `yaml:"drag_per_s" unit:"1/s" range:"[0, 1e6]" default:"0" doc:"external: force per length = - drag_per_s mass per length velocity"`
	QuadraticDrag float64 `yaml:"quadratic_drag_kg_per_m2" unit:"kg/m^2" range:"[0, 1e6]" default:"0" doc:"external: force per length = - quadratic_drag_kg_per_m2 |v| v"`
	PyElasticaNu  float64 `yaml:"pyelastica_nu" unit:"1/s" range:"[0, 1e6]" default:"0" doc:"damping_constant of PyElastica's AnalyticalLinearDamper (method reference)"`
}

// settle gives G its default and refuses a rod thicker than long.
func (r *Rod) settle(c *checker) {
	if c.has("rod.youngs_modulus_pa") && !c.has("rod.shear_modulus_pa") {
		r.ShearModulus = r.YoungsModulus / 3
	}
	if r.Order == 3 && c.ok("rod.element_order") {
		c.fail("rod.element_order", Mistake{Value: "3", Problem: "is no order of an element", Allowed: "2 or 4"})
	}
	if r.Section == nil && r.Radius >= r.Length && c.ok("rod.length_m", "rod.radius_m") {
		m := Mistake{
			Value: formatNumber(r.Radius), Unit: "m", Problem: "is not below length_m",
			Allowed: "below " + formatNumber(r.Length),
		}
		if r.Radius >= 0.1 && r.Radius*1e-3 < r.Length {
			m.Hint = "it looks like millimetres: " + formatNumber(rounded(r.Radius*1e-3)) + " m"
		}
		c.fail("rod.radius_m", m)
	}
}

// Nodes of the rod are at the arc lengths of the disks, but in method reference: there
// elements are equal, and a disk is at the node nearest to it.

// sameNode is the share of a mean element below which arc lengths are those of one node.
const sameNode = 1e-6

// NodeArcLengths returns the arc lengths at which the rod has nodes whatever its elements,
// increasing and between its ends, m.
func (r *Continuum) NodeArcLengths() []float64 {
	if r.Solver.Method == Reference {
		return nil
	}
	var all []float64
	for i := range r.Tendons {
		all = append(all, r.Tendons[i].Disks.ArcLengths()...)
	}
	slices.Sort(all)
	same := sameNode * r.Rod.elementLength()
	nodes := all[:0]
	last := 0.0
	for _, s := range all {
		if s-last > same && r.Rod.Length-s > same {
			nodes, last = append(nodes, s), s
		}
	}
	return nodes
}

// elementLength is the mean length of an element, m.
func (r *Rod) elementLength() float64 { return r.Length / float64(r.Elements) }

// warnNodes tells of disks that are not where the file has them, and of elements that are
// more than it has.
func (r *Continuum) warnNodes(c *checker) {
	if !c.ok("rod", "tendons") {
		return
	}
	if gaps := len(r.NodeArcLengths()) + 1; gaps > r.Rod.Elements {
		c.warnAt("rod.elements", Mistake{
			Value:   formatNumber(float64(r.Rod.Elements)),
			Problem: fmt.Sprintf("are fewer than the %d gaps between neighbouring disks and ends: the rod has %d elements, one in each", gaps, gaps),
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

// warnSnapped tells of the disks of a tendon that are not at nodes of equal elements.
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
