package series

import (
	"fmt"
	"slices"
	"strings"
)

// notTendons are columns of sim, and of its commands, that say nothing of tendons.
var notTendons = slices.Concat(twistColumns, accelerationColumns, fieldColumns, flowColumns, []string{"gxx", "gxy", "gxz", "gyy", "gyz", okColumn})

// okColumn is 0 in rows that are not to be used, such as spikes.
const okColumn = "ok"

// readTrackCSV reads the CSV of sim, or any with t, x, y, z and perhaps qx, qy,
// qz, qw, and of several robots the one that is asked for. Columns <name>_x, <name>_y, <name>_z are a marker; rows in which the
// column ok is 0 are left out. Further columns are tendons: tensions in N, or pulls in m under a name that ends in ":m"; those of angles, ":rad" and ":shaft_rad", are no tendons.
func readTrackCSV(s Source) (*Track, error) {
	c, err := readColumns(s.File, s.Numbered, s.Robot)
	if err != nil {
		return nil, err
	}
	m := &Track{Name: s.File, Robots: c.Numbered(), Ignored: c.keep(okColumn)}
	if c.chosen {
		m.Name = fmt.Sprintf("%s, %s %d", s.File, s.Numbered, s.Robot)
	}
	if m.seconds, err = c.times(); err != nil {
		return nil, err
	}
	m.markers = c.markers(m.seconds)
	if m.bare = len(m.markers) > 0 && !c.has("tip_x", "x"); !m.bare {
		if m.poses, m.rotations, err = c.poses(); err != nil {
			return nil, err
		}
	}
	for _, name := range c.names {
		if isAngle(name) {
			m.Angles = append(m.Angles, name)
		}
	}
	m.tendons = c.tendons()
	m.tendons.seconds = m.seconds
	if len(m.seconds) > 0 && sinceEpoch(m.seconds) {
		m.Warning = fmt.Sprintf("%s: times since 1970 as floating-point seconds resolve 0.2 us only", s.File)
	}
	return m, nil
}

// sinceEpoch reports whether times, s, are since 1970: more than 30 years into its own clock a file has
// that one.
func sinceEpoch(seconds []float64) bool {
	const years30 = 1e9
	return seconds[0] > years30
}

// isAngle reports whether a column has the angle of a motor joint, or the measured one of its shaft.
func isAngle(name string) bool {
	return strings.HasSuffix(name, ":rad") || strings.HasSuffix(name, ":shaft_rad")
}

// tendons takes what is left: a tendon's tension, its pull, or both.
func (c *columns) tendons() tendonRows {
	var r tendonRows
	for _, name := range c.names {
		if isAngle(name) {
			continue
		}
		if name = strings.TrimSuffix(name, ":m"); name != "" && !slices.Contains(notTendons, name) && !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
	}
	r.pull, r.tension = c.finite(r.names, ":m"), c.finite(r.names, "")
	if r.pull == nil && r.tension == nil {
		r.names = nil
	}
	return r
}
