package robotfile

import "sinew/pkg/sim/spatial"

// RodSpring is a linear spring with a damper from a node of the rod to a point of the world. It pulls the node toward the point by
// stiffness times its length beyond the rest length plus damping times the rate of its length, and pushes it away where that is negative.
type RodSpring struct {
	Name       string      `yaml:"name" example:"tether" doc:"unique; in messages"`
	At         float64     `yaml:"at_m" unit:"m" range:"[0, 100]" default:"0.25" doc:"arc length of the node that it acts on; the tip if absent"`
	Point      spatial.Vec `yaml:"point_m" unit:"m" range:"[-1000, 1000]" example:"[0.2, 0, 0.1]" doc:"where its other end is fixed, in the world"`
	Stiffness  float64     `yaml:"stiffness_n_per_m" unit:"N/m" range:"[0, 1e9]" example:"10" doc:"stiffness"`
	RestLength float64     `yaml:"rest_length_m" unit:"m" range:"[0, 1000]" default:"0" doc:"length without force"`
	Damping    float64     `yaml:"damping_n_s_per_m" unit:"N s/m" range:"[0, 1e6]" default:"0" doc:"force per rate of its length"`
}

// finalizeSprings checks the springs and their unique names.
func (r *Continuum) finalizeSprings(c *checker) {
	first := map[string]string{}
	for i := range r.Springs {
		s, path := &r.Springs[i], item("springs", i)
		at, name := join(path, "at_m"), join(path, "name")
		if !c.has(at) {
			s.At = r.Rod.Length
		}
		c.onRod(at, s.At, r.length())
		if c.ok(name) && c.has(name) {
			c.name(name, s.Name, dipoleName, allowedName, path, first)
		}
	}
}
