package robotfile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// Field is the magnetic flux density B(p), the sum of its parts.
type Field struct {
	Uniform        spatial.Vec `yaml:"uniform_t" unit:"T" range:"[-1, 1]" default:"[0, 0, 0]" doc:"constant part, world axes"`
	Rotating       *Rotating   `yaml:"rotating" doc:"uniform part that turns about an axis"`
	Gradient       [5]float64  `yaml:"gradient_t_per_m" unit:"T/m" range:"[-1e4, 1e4]" default:"[0, 0, 0, 0, 0]" doc:"G as [xx, xy, xz, yy, yz], zz = - xx - yy; adds G (p - gradient_center_m)"`
	GradientCenter spatial.Vec `yaml:"gradient_center_m" live:"model" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"where the gradient adds no field"`
	Ambient        spatial.Vec `yaml:"ambient_t" live:"model" unit:"T" range:"[-1, 1]" default:"[0, 0, 0]" doc:"ambient field, such as the Earth's; adds to the commanded field, world axes"`
	Coils          FileName    `yaml:"coils" default:"-" doc:"calibration of a coil system: MPEM, or a map of its field on a grid (CSV, JSON, YAML), from the folder of this file; empty: none"`
	Interpolation  Hold        `yaml:"interpolation" live:"model" enum:"hold|linear" default:"hold" doc:"of commanded b and G. hold: until the next command; linear: to each command within the time since the one before, which delays by that time"`
	CoilMaxCurrent float64     `yaml:"coil_max_current_a" live:"model" unit:"A" range:"(0, inf]" default:".inf" doc:"of each coil; commands beyond are clamped"`
	CoilLag        float64     `yaml:"coil_time_constant_s" live:"model" unit:"s" range:"[0, 100]" default:"0" doc:"L/R of the coils: currents follow commands with a first-order lag; a commanded field acts at once"`
	MaxField       float64     `yaml:"max_field_t" live:"model" unit:"T" range:"(0, 1]" default:"1" doc:"of each component of a commanded field, of amplitude and offset of a rotating one; commands beyond are clamped"`
	MaxGradient    float64     `yaml:"max_gradient_t_per_m" live:"model" unit:"T/m" range:"(0, 1e4]" default:"1e4" doc:"of each component of a commanded gradient; commands beyond are clamped"`
	MaxFrequency   float64     `yaml:"max_frequency_hz" live:"model" unit:"Hz" range:"(0, 1e6]" default:"1e6" doc:"of a commanded rotating field; commands beyond are clamped"`
	Dipoles        []Dipole    `yaml:"dipoles" doc:"permanent magnets around the workspace"`
}

// FileName is the name of another file. In a robot file it is relative to that file's
// folder and is read as relative to where the robot file's own name is, so that robots
// do not depend on where a program is started; given by other means it stays as it is.
type FileName string

// Hold says how a commanded field goes from one command to the next.
type Hold string

// The ways between commands.
const (
	ZeroOrderHold  Hold = "hold"
	FirstOrderHold Hold = "linear"
)

// Rotating is B = amplitude (cos phi u + sin phi v) + offset n with n along the axis,
// phi = phase + 2 pi frequency t, and u, v, n right-handed; u is the part of world x
// across n, or of y where n is within acos 0.9 of x.
type Rotating struct {
	Axis      spatial.Vec `yaml:"axis" unit:"1" range:"[-1e6, 1e6]" example:"[0, 0, 1]" doc:"sense of rotation by the right-hand rule; any length but 0"`
	Amplitude float64     `yaml:"amplitude_t" unit:"T" range:"[0, 1]" example:"0.005" doc:"of the turning part"`
	Frequency float64     `yaml:"frequency_hz" unit:"Hz" range:"[-1e6, 1e6]" example:"5" doc:"turns per second"`
	Phase     float64     `yaml:"phase_rad" unit:"rad" range:"[-1e6, 1e6]" default:"0" doc:"at t = 0"`
	Offset    float64     `yaml:"offset_t" unit:"T" range:"[-1, 1]" default:"0" doc:"constant part along the axis"`
}

// Dipole is a permanent magnet as a source of field.
type Dipole struct {
	Name     string      `yaml:"name" default:"-" doc:"of its topic magnet_pose/NAME; the first dipole is moved by magnet_pose as well. Its moment is along the axes of the pose"`
	Position spatial.Vec `yaml:"position_m" unit:"m" range:"[-1000, 1000]" example:"[0, 0, 0.15]" doc:"world frame"`
	Moment   spatial.Vec `yaml:"moment_a_m2" unit:"A m^2" range:"[-1e9, 1e9]" example:"[0, 0, 20.67]" doc:"magnetic moment, world axes"`
}

// RodMagnet is a permanent magnet on a rod: a dipole at an arc length, or a magnetised interval of
// the rod. It adds neither mass nor stiffness.
type RodMagnet struct {
	Name          string      `yaml:"name" example:"tip" doc:"of its arrow and in messages"`
	At            float64     `yaml:"at_m" unit:"m" range:"(0, 100]" example:"0.25" choice:"magnet/dipole" doc:"arc length of a dipole"`
	Moment        spatial.Vec `yaml:"moment_a_m2" unit:"A m^2" range:"[-1e6, 1e6]" example:"[0, 0, 0.004]" choice:"magnet/dipole" doc:"its magnetic moment, along d1, d2, d3 there"`
	From          float64     `yaml:"from_m" unit:"m" range:"[0, 100]" choice:"magnet/stretch" doc:"arc length at which a magnetised stretch begins"`
	To            float64     `yaml:"to_m" unit:"m" range:"(0, 100]" choice:"magnet/stretch" doc:"arc length at which it ends"`
	Magnetization spatial.Vec `yaml:"magnetization_a_per_m" unit:"A/m" range:"[-1e8, 1e8]" choice:"magnet/stretch" doc:"its magnetic moment per volume, all over the cross-section, along d1, d2, d3"`
}

// IsDistributed reports whether the magnet is a magnetised interval of the rod.
func (m *RodMagnet) IsDistributed() bool { return m.To > 0 }

// finalize checks that the magnet is a dipole or an interval on the rod, with a unique name.
func (m *RodMagnet) finalize(c *checker, path string, rod rodLength, first map[string]string) {
	if at := join(path, "name"); c.has(at) {
		c.name(at, m.Name, dipoleName, allowedName, path, first)
	}
	if !c.ok(path) {
		return
	}
	need := func(keys ...string) (given bool) {
		for _, key := range keys {
			if !c.has(join(path, key)) {
				c.fail(join(path, key), Mistake{Problem: "is missing", Allowed: "at_m and moment_a_m2 of a dipole, or from_m, to_m and magnetization_a_per_m of an interval"})
				return false
			}
		}
		return true
	}
	if c.has(join(path, "from_m")) || c.has(join(path, "to_m")) || c.has(join(path, "magnetization_a_per_m")) {
		if !need("from_m", "to_m", "magnetization_a_per_m") {
			return
		}
		if m.From >= m.To {
			c.fail(join(path, "to_m"), Mistake{Unit: "m", Problem: "is not beyond from_m", Allowed: "above from_m = " + formatNumber(m.From)})
			return
		}
		c.onRod(join(path, "to_m"), m.To, rod)
		return
	}
	if need("at_m", "moment_a_m2") {
		c.onRod(join(path, "at_m"), m.At, rod)
	}
}

const allowedName = "a letter, then letters, digits and _ up to 64 in all"

// finalizeMagnets checks the magnets and the field, which has no effect without them.
func (r *Continuum) finalizeMagnets(c *checker) {
	first := map[string]string{}
	for i := range r.Magnets {
		r.Magnets[i].finalize(c, item("magnets", i), r.length(), first)
	}
	r.Field.finalize(c)
	if r.MagnetsInteract && len(r.Magnets) < 2 && c.ok("magnets_interact") {
		c.fail("magnets_interact", Mistake{Problem: fmt.Sprintf("is true with %d magnets on the rod", len(r.Magnets)), Allowed: "two magnets or more"})
	}
	if len(r.Magnets) == 0 {
		c.warn("field", Mistake{Problem: "has no effect: the rod has no magnets", Hint: "give magnets"})
		return
	}
	fields := []string{"bx", "by", "bz", "gxx", "gxy", "gxz", "gyy", "gyz"}
	for i := range r.Tendons {
		if at := join(item("tendons", i), "name"); slices.Contains(fields, r.Tendons[i].Name) && c.ok(at) {
			c.fail(at, Mistake{Problem: "is the name of a CSV column of the field", Allowed: "anything but " + strings.Join(fields, ", ")})
		}
	}
}

// arcLengths returns where the magnet begins and ends, m.
func (m *RodMagnet) arcLengths() []float64 {
	if m.IsDistributed() {
		return []float64{m.From, m.To}
	}
	return []float64{m.At}
}

// dipoleName keeps names fit for topics.
var dipoleName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// finalize checks the axis of what rotates and the names of magnets.
func (f *Field) finalize(c *checker) {
	if f.Rotating != nil {
		c.direction("field.rotating.axis", f.Rotating.Axis)
	}
	f.finalizeLimits(c)
	first := map[string]string{}
	for i := range f.Dipoles {
		path := item("field.dipoles", i)
		if f.Dipoles[i].Name != "" {
			c.name(join(path, "name"), f.Dipoles[i].Name, dipoleName, allowedName, path, first)
		}
	}
}

// finalizeLimits checks that the field at t = 0 is one that commands can return to.
func (f *Field) finalizeLimits(c *checker) {
	within := func(key, limit, unit string, most float64, values ...float64) {
		key, limit = join("field", key), join("field", limit)
		for _, x := range values {
			if math.Abs(x) > most && c.ok(key, limit) {
				c.fail(key, Mistake{Value: formatNumber(x), Unit: unit, Problem: "is beyond " + limit, Allowed: "-" + formatNumber(most) + " to " + formatNumber(most)})
				return
			}
		}
	}
	b := f.Uniform
	within("uniform_t", "max_field_t", "T", f.MaxField, b.X, b.Y, b.Z)
	within("gradient_t_per_m", "max_gradient_t_per_m", "T/m", f.MaxGradient, f.Gradient[:]...)
	if r := f.Rotating; r != nil {
		within("rotating.amplitude_t", "max_field_t", "T", f.MaxField, r.Amplitude)
		within("rotating.offset_t", "max_field_t", "T", f.MaxField, r.Offset)
		within("rotating.frequency_hz", "max_frequency_hz", "Hz", f.MaxFrequency, r.Frequency)
	}
}

// name checks the form of a name and that it is unique among those in first.
func (c *checker) name(at, name string, form *regexp.Regexp, allowed, path string, first map[string]string) {
	switch {
	case !c.ok(at):
	case !form.MatchString(name):
		c.fail(at, Mistake{Problem: "is not a valid name", Allowed: allowed})
	case first[name] != "":
		c.fail(at, Mistake{Problem: "is the name of " + first[name] + " too", Allowed: "names that differ"})
	default:
		first[name] = path
	}
}
