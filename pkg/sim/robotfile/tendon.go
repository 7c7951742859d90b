package robotfile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Tendon runs from the base plate through the holes of its disks and ends at the
// last one.
type Tendon struct {
	Name       string       `yaml:"name" doc:"unique; letters, digits, _ - . after a first letter or _; in a mechanism as that of a rod, without a point"`
	Offset     [2]float64   `yaml:"offset_m" unit:"m" range:"[-1, 1]" default:"-" doc:"hole in the base plate and the disks, along d1 and d2"`
	Twist      float64      `yaml:"twist_rad_per_m" unit:"rad/m" range:"[-1e5, 1e5]" default:"0" doc:"helical routing: azimuth of the hole per arc length, positive from d1 to d2"`
	Slope      float64      `yaml:"slope_m_per_m" unit:"1" range:"[-1, 1]" default:"0" doc:"by how much the hole is further from the centreline per arc length; negative: the tendon converges"`
	Offsets    [][2]float64 `yaml:"offsets_m" unit:"m" range:"[-1, 1]" doc:"a hole per disk, instead of twist_rad_per_m and slope_m_per_m; offset_m is then the base plate's, or that of the first disk"`
	Disks      Disks        `yaml:"disks" doc:"the disks that the tendon passes"`
	Tension    float64      `yaml:"tension_n" unit:"N" range:"[0, 1e6]" default:"0" choice:"actuation" doc:"tension at t = 0, until the first command"`
	Pull       *float64     `yaml:"pull_m" unit:"m" range:"[-100, 100]" choice:"actuation" doc:"length control from t = 0, instead of tension_n; positive shortens; needs stiffness_n_per_m"`
	MinTension float64      `yaml:"min_tension_n" unit:"N" range:"[-1e6, 0]" default:"0" doc:"commands below are clamped; below 0 the tendon can push as well, as a rod in a tube or a chamber does"`
	Limits     TendonLimits `yaml:"limits" doc:"of commands"`
	Stiffness  float64      `yaml:"stiffness_n_per_m" unit:"N/m" range:"[0, inf]" default:"0" doc:"of tendon and drive; positive allows length control; .inf: inextensible"`
	Friction   float64      `yaml:"friction_coefficient" unit:"1" range:"[0, 10]" default:"0" doc:"capstan friction coefficient at each disk"`
	// FrictionDisplacement is how far the tendon moves at a disk before it slips.
	FrictionDisplacement float64 `yaml:"friction_displacement_m" unit:"m" range:"[0, 1]" default:"0" doc:"how far the tendon moves at a disk before it slips; 0: 1/200 of the hole's distance from the centreline"`
	// FrictionSprings stand for FrictionDisplacement where there are any.
	FrictionSprings []FrictionSpring `yaml:"friction_springs" doc:"Maxwell-slip elements between tendon and disk, in parallel, instead of friction_displacement_m; 3 to 5 make a smooth hysteresis loop"`
}

// FrictionSpring is a spring between tendon and disk that slips.
type FrictionSpring struct {
	Share        float64 `yaml:"share" example:"0.3" unit:"1" range:"[1e-9, 1000]" doc:"of the friction of the disk, in proportion to the other springs"`
	Displacement float64 `yaml:"displacement_m" example:"5e-5" unit:"m" range:"[1e-9, 1]" doc:"how far the tendon moves at a disk before the spring slips"`
}

// Disks are where a tendon passes and what the disks weigh. Either Count is
// positive or Positions is not empty; ArcLengths serves both.
type Disks struct {
	Count     int       `yaml:"count" unit:"1" range:"[1, 2000]" default:"6" choice:"layout/even" doc:"evenly spaced disks"`
	First     float64   `yaml:"first_m" unit:"m" range:"(0, 100]" default:"0.005" choice:"layout/even" doc:"arc length of the first disk"`
	Last      float64   `yaml:"last_m" unit:"m" range:"(0, 100]" default:"0.245" choice:"layout/even" doc:"arc length of the last disk"`
	Positions []float64 `yaml:"positions_m" unit:"m" range:"(0, 100]" choice:"layout" doc:"arc lengths, increasing; instead of count, first_m, last_m"`
	Mass      float64   `yaml:"mass_kg" unit:"kg" range:"[0, 1e4]" default:"0.002" doc:"of each disk; 0 where another tendon carries the disk; disks of several tendons at one arc length and of one mass are one disk (method reference: each has its own)"`
	Radius    float64   `yaml:"radius_m" unit:"m" range:"[0, 10]" default:"0" doc:"of the thin disk; 0: 1.25 |offset_m|"`
}

// ArcLengths returns the arc lengths of the disks in metres, base to tip.
func (d *Disks) ArcLengths() []float64 {
	if d.Count == 0 {
		return slices.Clone(d.Positions)
	}
	s := make([]float64, d.Count)
	for i := range s {
		s[i] = d.First
		if i > 0 {
			s[i] += float64(i) * (d.Last - d.First) / float64(d.Count-1)
		}
	}
	return s
}

// TendonLimits bound the commands to one tendon.
type TendonLimits struct {
	MaxTension  float64 `yaml:"max_tension_n" live:"model" unit:"N" range:"(0, 1e6]" default:"20" doc:"commands above are clamped; if absent at least tension_n"`
	MaxRate     float64 `yaml:"max_rate_n_per_s" live:"model" unit:"N/s" range:"(0, inf]" default:"1000" doc:"how fast the tension follows a command"`
	MaxPullRate float64 `yaml:"max_rate_m_per_s" live:"model" unit:"m/s" range:"(0, inf]" default:"0.1" doc:"how fast the pull follows a command"`
	Pretension  float64 `yaml:"pretension_n" live:"model" unit:"N" range:"[0, 1e6]" default:"0" doc:"the safe state: the tension when commands cease"`
}

// finalize checks the routing and the actuation of a tendon on a rod of the given length.
func (t *Tendon) finalize(c *checker, path string, rod rodLength) {
	t.Disks.finalize(c, join(path, "disks"), rod)
	t.finalizeHoles(c, path)
	t.finalizeActuation(c, path)
	const shortest = 1e-9 // m
	if at, x := join(path, "friction_displacement_m"), t.FrictionDisplacement; x > 0 && x < shortest && c.ok(at) {
		c.fail(at, Mistake{Unit: "m", Problem: "is out of range", Allowed: "0, or [1e-9, 1] m"})
	}
	if at := join(path, "friction_springs"); len(t.FrictionSprings) > maxElastoplasticSprings && c.ok(at) {
		c.fail(at, Mistake{Problem: fmt.Sprintf("has %d entries", len(t.FrictionSprings)), Allowed: fmt.Sprintf("at most %d", maxElastoplasticSprings)})
	}
}

// finalizeHoles checks that the holes are given in one way only.
func (t *Tendon) finalizeHoles(c *checker, path string) {
	one, many := join(path, "offset_m"), join(path, "offsets_m")
	twist, slope := join(path, "twist_rad_per_m"), join(path, "slope_m_per_m")
	if !c.ok(one, many, twist, slope) {
		return
	}
	if len(t.Offsets) == 0 {
		if !c.has(one) {
			c.fail(one, Mistake{Problem: "is missing", Allowed: "the hole along d1 and d2, for example [0.015, 0]"})
		}
		t.checkSlope(c, slope, join(path, "disks"))
		return
	}
	if t.Twist != 0 {
		c.fail(many, Mistake{Problem: "excludes twist_rad_per_m, which is given too", Allowed: "one of the two"})
	}
	if t.Slope != 0 {
		c.fail(many, Mistake{Problem: "excludes slope_m_per_m, which is given too", Allowed: "one of the two"})
	}
	if disks := len(t.Disks.ArcLengths()); len(t.Offsets) != disks && c.ok(join(path, "disks")) {
		c.fail(many, Mistake{
			Problem: "has " + plural(len(t.Offsets), "hole"), Allowed: "one per disk: " + plural(disks, "disk"),
		})
	}
	if !c.has(one) {
		t.Offset = t.Offsets[0]
	}
}

// checkSlope reports a tendon that would cross the centreline.
func (t *Tendon) checkSlope(c *checker, slope, disks string) {
	all := t.Disks.ArcLengths()
	if t.Slope == 0 || !c.ok(disks) || len(all) == 0 {
		return
	}
	at, last := math.Hypot(t.Offset[0], t.Offset[1]), all[len(all)-1]
	if at == 0 {
		c.fail(slope, Mistake{Problem: "has no direction, for the hole is on the centreline", Allowed: "0", Hint: "give offset_m, or a hole per disk (offsets_m)"})
	} else if at+t.Slope*last < 0 {
		c.fail(slope, Mistake{Problem: "lets the tendon cross the centreline before its last disk, at " + formatNumber(last) + " m", Allowed: fmt.Sprintf("at least %.6g", -at/last)})
	}
}

// finalizeActuation relates tension, pull, stiffness and limits.
func (t *Tendon) finalizeActuation(c *checker, path string) {
	tension, limit := join(path, "tension_n"), join(path, "limits.max_tension_n")
	if t.Pull != nil && t.Stiffness == 0 && c.ok(join(path, "stiffness_n_per_m")) {
		c.fail(join(path, "pull_m"), Mistake{Unit: "m", Problem: "needs stiffness_n_per_m above 0"})
	}
	if !c.ok(tension, limit) {
		return
	}
	if !c.has(limit) {
		t.Limits.MaxTension = max(t.Limits.MaxTension, t.Tension)
	}
	allowed := "at most limits.max_tension_n = " + formatNumber(t.Limits.MaxTension)
	if t.Tension > t.Limits.MaxTension {
		c.fail(tension, Mistake{Unit: "N", Problem: "is above the limit of the tendon", Allowed: allowed})
	}
	if pretension := join(path, "limits.pretension_n"); t.Limits.Pretension > t.Limits.MaxTension && c.ok(pretension) {
		c.fail(pretension, Mistake{Unit: "N", Problem: "is above the limit of the tendon", Allowed: allowed})
	}
}

// tendonName keeps names fit for CSV headers, paths of Set and messages.
var tendonName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`)

// csvColumns are taken by the other columns of command and result files.
var csvColumns = []string{"t", "ok", "tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"}

// checkName checks that the name is valid and unique.
func (t *Tendon) checkName(c *checker, path string, first map[string]string) {
	at := join(path, "name")
	if !c.ok(at) || !c.has(at) {
		return
	}
	if slices.Contains(csvColumns, t.Name) {
		c.fail(at, Mistake{Problem: "is the name of a CSV column", Allowed: "anything but " + strings.Join(csvColumns, ", ")})
	}
	c.name(at, t.Name, tendonName, "a letter or _, then letters, digits, _ - . up to 64 in all", path, first)
}

// TendonCalibration relates the tension of a tendon of the hardware to the commanded one: Gain
// times the command plus Offset, at least min_tension_n.
type TendonCalibration struct {
	Name   string  `yaml:"name" example:"tendon_1" doc:"of the tendon"`
	Gain   float64 `yaml:"gain" unit:"1" range:"(0, 100]" default:"1" doc:"tension of the tendon per commanded one"`
	Offset float64 `yaml:"offset_n" unit:"N" range:"[-1e4, 1e4]" default:"0" doc:"added to that"`
}

// checkTendons checks that each is a tendon of the robot, once.
func (h *Hardware) checkTendons(c *checker, path string, tendons []Tendon) {
	var names, seen []string
	for i := range tendons {
		names = append(names, tendons[i].Name)
	}
	for i := range h.Tendons {
		at, name := join(item(join(path, "tendons"), i), "name"), h.Tendons[i].Name
		switch {
		case !c.ok(at) || !c.has(at):
		case !slices.Contains(names, name):
			c.fail(at, Mistake{Problem: "is not a tendon of the robot", Allowed: strings.Join(names, ", ")})
		case slices.Contains(seen, name):
			c.fail(at, Mistake{Problem: "occurs twice", Allowed: "each tendon once"})
		}
		seen = append(seen, name)
	}
}

// finalize checks that the disks lie on the rod, in order.
func (d *Disks) finalize(c *checker, path string, rod rodLength) {
	if c.has(join(path, "positions_m")) {
		d.checkPositions(c, join(path, "positions_m"), rod)
		return
	}
	first, last := join(path, "first_m"), join(path, "last_m")
	if !c.ok(path) {
		return
	}
	if d.Count == 1 {
		// one disk: either end of the span places it
		if c.has(first) && !c.has(last) {
			d.Last = d.First
		} else if !c.has(first) && c.has(last) {
			d.First = d.Last
		}
		if d.First != d.Last {
			c.fail(last, Mistake{Value: formatNumber(d.Last), Unit: "m", Problem: "differs from first_m, but count is 1", Allowed: "first_m = " + formatNumber(d.First)})
			return
		}
	} else if d.First >= d.Last {
		c.fail(last, Mistake{Value: formatNumber(d.Last), Unit: "m", Problem: "is not beyond first_m", Allowed: "above first_m = " + formatNumber(d.First)})
		return
	}
	c.onRod(last, d.Last, rod)
}

func (d *Disks) checkPositions(c *checker, path string, rod rodLength) {
	if !c.ok(path) {
		return
	}
	if len(d.Positions) == 0 {
		c.fail(path, Mistake{Problem: "has no disk", Allowed: "at least 1"})
	}
	for i, s := range d.Positions {
		if i > 0 && s <= d.Positions[i-1] {
			c.fail(item(path, i), Mistake{Unit: "m", Problem: "is not beyond the disk before", Allowed: "above " + formatNumber(d.Positions[i-1])})
			continue
		}
		c.onRod(item(path, i), s, rod)
	}
}
