package series

import (
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// notTendons are columns of sim that say nothing of tendons.
var notTendons = []string{"vx", "vy", "vz", "wx", "wy", "wz", "bx", "by", "bz", "gxx", "gxy", "gxz", "gyy", "gyz"}

// readTrackCSV reads the CSV of sim, or any with t, x, y, z and perhaps qx, qy,
// qz, qw, and of several robots the one that is asked for. Further columns are tendons: tensions in N, or pulls in m under a name
// that ends in ":m".
func readTrackCSV(s Source) (*Track, error) {
	c, err := readColumns(s.File, s.Numbered, s.Robot)
	if err != nil {
		return nil, err
	}
	m := &Track{Name: s.File, Robots: c.Numbered()}
	if c.chosen {
		m.Name = fmt.Sprintf("%s, %s %d", s.File, s.Numbered, s.Robot)
	}
	if m.seconds = c.take("t", "time"); m.seconds == nil {
		return nil, c.HeaderError("no column t, the time in s; there are %s", strings.Join(c.names, ", "))
	}
	var position [3][]float64
	for i, axis := range []string{"x", "y", "z"} {
		if position[i] = c.take("tip_"+axis, axis); position[i] == nil {
			return nil, c.HeaderError("no column %s or tip_%s, a position in m; there are %s", axis, axis, strings.Join(c.names, ", "))
		}
	}
	var q [4][]float64
	found := 0
	for i, part := range []string{"qx", "qy", "qz", "qw"} {
		if q[i] = c.take("tip_"+part, part); q[i] != nil {
			found++
		}
	}
	if found != 0 && found != len(q) {
		return nil, c.HeaderError("%d of the four columns of a quaternion, qx, qy, qz, qw", found)
	}
	m.rotations = found > 0
	for i := range m.seconds {
		p := spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: position[0][i], Y: position[1][i], Z: position[2][i]}}
		if m.rotations {
			p.R = hil.Rotation(q[0][i], q[1][i], q[2][i], q[3][i])
		}
		m.poses = append(m.poses, p)
	}
	m.tendons = c.tendons()
	// more than 30 years into its own clock a file has the one that began in 1970
	const years30 = 1e9
	if len(m.seconds) > 0 && m.seconds[0] > years30 {
		m.Warning = fmt.Sprintf("%s: times since 1970 as floating-point seconds resolve 0.2 us only", s.File)
	}
	return m, nil
}

// tendons takes what is left: a tendon's tension, its pull, or both.
func (c *columns) tendons() tendonRows {
	var r tendonRows
	for _, name := range c.names {
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
