package robotfile

import (
	"regexp"
	"slices"
	"strings"
)

// settle checks the routing and the actuation of a tendon on a rod of the given
// length, m.
func (t *Tendon) settle(c *checker, path string, length float64) {
	t.Disks.settle(c, join(path, "disks"), length)
	t.settleHoles(c, path)
	t.settleActuation(c, path)
}

// settleHoles demands one way of saying where the holes are.
func (t *Tendon) settleHoles(c *checker, path string) {
	one, many, twist := join(path, "offset_m"), join(path, "offsets_m"), join(path, "twist_rad_per_m")
	if !c.ok(one, many, twist) {
		return
	}
	if len(t.Offsets) == 0 {
		if !c.has(one) {
			c.fail(one, Mistake{Problem: "is missing", Allowed: "the hole along d1 and d2, for example [0.015, 0]"})
		}
		return
	}
	if t.Twist != 0 {
		c.fail(many, Mistake{Problem: "excludes twist_rad_per_m, which is given too", Allowed: "one of the two"})
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

// settleActuation relates tension, pull, stiffness and limits.
func (t *Tendon) settleActuation(c *checker, path string) {
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
var csvColumns = []string{"t", "tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"}

// settleName demands a usable name that no tendon before has.
func (t *Tendon) settleName(c *checker, path string, first map[string]string) {
	at := join(path, "name")
	if !c.ok(at) || !c.has(at) {
		return
	}
	if slices.Contains(csvColumns, t.Name) {
		c.fail(at, Mistake{Problem: "is the name of a CSV column", Allowed: "anything but " + strings.Join(csvColumns, ", ")})
	}
	c.name(at, t.Name, tendonName, "a letter or _, then letters, digits, _ - . up to 64 in all", path, first)
}

// settle checks that the disks lie on the rod, in order.
func (d *Disks) settle(c *checker, path string, length float64) {
	if c.has(join(path, "positions_m")) {
		d.settlePositions(c, join(path, "positions_m"), length)
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
	c.onRod(last, d.Last, length)
}

func (d *Disks) settlePositions(c *checker, path string, length float64) {
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
		c.onRod(item(path, i), s, length)
	}
}
