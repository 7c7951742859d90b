package robotfile

import "sinew/pkg/sim/spatial"

// Place is a point of a robot or of the world.
type Place struct {
	World    bool         `yaml:"world" default:"false" choice:"link" doc:"true: fixed in the world; for cameras, field sensors and points that a camera sees"`
	Rod      string       `yaml:"rod" choice:"link" doc:"rod that carries it, in a file with rods"`
	Body     string       `yaml:"body" choice:"link" doc:"body that carries it, in a file with rods or bodies"`
	At       *float64     `yaml:"at_m" unit:"m" range:"[0, 100]" example:"0.2" doc:"arc length of the cross-section that carries it; the end of the rod if absent"`
	Position *spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" doc:"from the centreline along d1, d2, d3, or from the origin of the body or the world in its axes; 0 if absent"`
}

// SensorPlace is where a sensor is, and how its axes are turned there.
type SensorPlace struct {
	Place
	Orientation *spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" example:"[0, 0, 0, 1]" doc:"rotation from the sensor's axes to d1, d2, d3 or to the axes of the body or the world; identity if absent; normalized"`
}

// finalizePlace checks where a sensor is and sets the defaults. mayStand says that it may be one that stands in the world.
func (r *sensorRules) finalizePlace(c *checker, p *SensorPlace, path string, mayStand bool) {
	if p.Orientation != nil {
		c.unit(join(path, "orientation_xyzw"), p.Orientation)
	}
	r.finalizePoint(c, &p.Place, path, mayStand)
}

// finalizePoint checks a point and sets the defaults.
func (r *sensorRules) finalizePoint(c *checker, p *Place, path string, mayStand bool) {
	if p.World {
		at := join(path, "world")
		if !mayStand && c.ok(at) {
			c.fail(at, Mistake{Problem: "leaves nothing to measure: what stands in the world does not move", Hint: r.movingPlaceHint()})
		}
		if at := join(path, "at_m"); p.At != nil && c.ok(at) {
			c.fail(at, Mistake{Unit: "m", Problem: "is a key of places on rods", Hint: "give position_m, from the origin of the world"})
		}
		if p.Position == nil {
			p.Position = new(spatial.Vec)
		}
		return
	}
	if r.mechanism != nil {
		l := r.mechanism.links()
		if !mayStand || p.Rod != "" || p.Body != "" {
			r.mechanism.finalizePoint(c, path, p.Rod, p.Body, &p.At, &p.Position, &l, true)
		} else if c.ok(path) {
			c.fail(path, Mistake{Problem: "names no link", Allowed: "rod: NAME, body: NAME or world: true"})
		}
		return
	}
	if p.Position == nil {
		p.Position = new(spatial.Vec)
	}
	for _, o := range []struct {
		key   string
		given bool
	}{{"rod", p.Rod != ""}, {"body", p.Body != ""}, {"at_m", p.At != nil && r.rod == nil}} {
		if at := join(path, o.key); o.given && c.ok(at) {
			c.fail(at, Mistake{Problem: "is not needed: the robot has one " + r.single(), Hint: "remove it"})
		}
	}
	if r.rod != nil {
		if p.At == nil {
			p.At = &r.rod.length
		}
		c.onRod(join(path, "at_m"), *p.At, *r.rod)
	}
}

// movingPlaceHint says where a sensor can be whose place must move.
func (r *sensorRules) movingPlaceHint() string {
	if r.mechanism != nil {
		return "give rod: NAME or body: NAME"
	}
	return "remove it: then the sensor is on the " + r.single()
}

func (r *sensorRules) single() string {
	if r.rod != nil {
		return "rod"
	}
	return "body"
}
