package robotfile

import (
	"fmt"
	"slices"
)

// Damping are the dissipative terms of the rod.
type Damping struct {
	KelvinVoigt    float64 `yaml:"kelvin_voigt_s" unit:"s" range:"[0, 1000]" default:"0" doc:"internal: stress = stiffness (strain + kelvin_voigt_s d(strain)/dt)"`
	Drag           float64 `yaml:"drag_per_s" unit:"1/s" range:"[0, 1e6]" default:"0" doc:"external: force per length = - drag_per_s mass per length velocity"`
	RotationalDrag float64 `yaml:"rotational_drag_n_s" unit:"N s" range:"[0, 1e6]" default:"0" doc:"external: moment per length = - rotational_drag_n_s angular velocity (method implicit)"`
	QuadraticDrag  float64 `yaml:"quadratic_drag_kg_per_m2" unit:"kg/m^2" range:"[0, 1e6]" default:"0" doc:"external: force per length = - quadratic_drag_kg_per_m2 |v| v"`
	PyElasticaNu   float64 `yaml:"pyelastica_nu" unit:"1/s" range:"[0, 1e6]" default:"0" doc:"damping_constant of PyElastica's AnalyticalLinearDamper (method reference)"`
}

// SegmentDamping are the dissipative terms of a section.
type SegmentDamping struct {
	KelvinVoigt    float64 `yaml:"kelvin_voigt_s" unit:"s" range:"[0, 1000]" default:"-" doc:"as rod.damping.kelvin_voigt_s"`
	Drag           float64 `yaml:"drag_per_s" unit:"1/s" range:"[0, 1e6]" default:"-" doc:"as rod.damping.drag_per_s"`
	RotationalDrag float64 `yaml:"rotational_drag_n_s" unit:"N s" range:"[0, 1e6]" default:"-" doc:"as rod.damping.rotational_drag_n_s"`
	QuadraticDrag  float64 `yaml:"quadratic_drag_kg_per_m2" unit:"kg/m^2" range:"[0, 1e6]" default:"-" doc:"as rod.damping.quadratic_drag_kg_per_m2"`
}

// MaxwellBranch is a relaxing stiffness: a spring in series with a dashpot.
type MaxwellBranch struct {
	ModulusRatio   float64 `yaml:"modulus_ratio" example:"0.2" unit:"1" range:"[1e-9, 1000]" doc:"stiffness of the spring over the lasting one, in bending, torsion, shear and stretch alike"`
	RelaxationTime float64 `yaml:"relaxation_time_s" example:"0.5" unit:"s" range:"[1e-9, 1e6]" doc:"in which its stress falls to 1/e at constant strain"`
}

// ElastoplasticSpring is an elastic, perfectly plastic spring (Jenkin element).
type ElastoplasticSpring struct {
	Stiffness float64 `yaml:"stiffness_nm2" example:"1e-3" unit:"N m^2" range:"[1e-15, 1e9]" doc:"moment per curvature while it sticks, whatever the direction of the bend"`
	Limit     float64 `yaml:"limit_nm" example:"2e-3" unit:"N m" range:"[1e-15, 1e9]" doc:"moment at which it slips"`
}

// Most branches and springs of a section.
const (
	maxMaxwellBranches      = 4
	maxElastoplasticSprings = 16
)

// finalizeInelasticity applies the defaults of damping, viscoelasticity and internal friction.
func (s *Segment) finalizeInelasticity(c *checker, path string, r *Rod) {
	d, of := &s.Damping, &r.Damping
	for _, key := range []struct {
		name  string
		value *float64
		from  float64
	}{
		{"kelvin_voigt_s", &d.KelvinVoigt, of.KelvinVoigt}, {"drag_per_s", &d.Drag, of.Drag},
		{"rotational_drag_n_s", &d.RotationalDrag, of.RotationalDrag}, {"quadratic_drag_kg_per_m2", &d.QuadraticDrag, of.QuadraticDrag},
	} {
		if !c.has(join(join(path, "damping"), key.name)) {
			*key.value = key.from
		}
	}
	if !c.has(join(path, "viscoelasticity")) {
		s.Viscoelasticity = slices.Clone(r.Viscoelasticity)
	}
	if !c.has(join(path, "bending_friction")) {
		s.BendingFriction = slices.Clone(r.BendingFriction)
	}
}

// finalizeInelasticity checks that the method supports viscoelasticity and internal friction, and
// their numbers of branches and springs.
func (r *Continuum) finalizeInelasticity(c *checker) {
	r.finalizeInelasticityOf(c, "rod", r.Rod.Viscoelasticity, r.Rod.BendingFriction)
	if r.Rod.Damping.RotationalDrag > 0 {
		r.requireImplicit(c, "rod.damping.rotational_drag_n_s")
	}
	for i := range r.Rod.Sections {
		s := &r.Rod.Sections[i]
		r.finalizeInelasticityOf(c, item("rod.sections", i), s.Viscoelasticity, s.BendingFriction)
	}
}

func (r *Continuum) finalizeInelasticityOf(c *checker, path string, branches []MaxwellBranch, slips []ElastoplasticSpring) {
	for _, list := range []struct {
		key         string
		count, most int
	}{{"viscoelasticity", len(branches), maxMaxwellBranches}, {"bending_friction", len(slips), maxElastoplasticSprings}} {
		at := join(path, list.key)
		if list.count > 0 && c.has(at) {
			r.requireImplicit(c, at)
		}
		if list.count > list.most && c.ok(at) {
			c.fail(at, Mistake{Problem: fmt.Sprintf("has %d entries", list.count), Allowed: fmt.Sprintf("at most %d", list.most)})
		}
	}
}
