package series

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// timeColumns are the names of the column of times.
var timeColumns = []string{"t", "time"}

// Columns of which sim, or a log of hardware, may have all or none.
var (
	twistColumns        = []string{"vx", "vy", "vz", "wx", "wy", "wz"}
	accelerationColumns = []string{"ax", "ay", "az", "alpha_x", "alpha_y", "alpha_z"}
	fieldColumns        = []string{"bx", "by", "bz"}
	flowColumns         = []string{"ambient_flow_vx", "ambient_flow_vy", "ambient_flow_vz", "ambient_flow_wx", "ambient_flow_wy", "ambient_flow_wz"}
)

// Motion is a CSV as it stands, row by row: that of sim and replay, of hardware, or the shape that static writes.
type Motion struct {
	File  string
	Lines []int     // in the file, of each row
	T     []float64 // s; nil of a shape, whose rows are nodes from base to tip
	Poses []spatial.Pose
	// Rotations says whether the poses have rotations; else they are the identity.
	Rotations bool
	Robot     []int // number of the robot of each row; nil without numbers
	Robots    int   // one more than the greatest of them

	Tendons                    []string
	Tension, Pull              [][]float64 // by row, N and m; nil if unknown
	Twist, Acceleration, Field [][]float64 // by row, SI units; nil if unknown
	Ignored                    []string    // columns that are none of these, or not with a finite number in every row
}

// Epoch is the time since 1970 that recordings give to simulated time 0, and viewers to the time 0 of a CSV: with
// a round number, stamps show the time as it is. Time 0 itself means "the latest" to tf and "no time" to rosbag.
const Epoch = 1_000_000_000 * time.Second

// Clock returns the time since 1970 of a time of the motion, s. A file whose times are since 1970 has them itself.
func (m *Motion) Clock(t float64) time.Duration { return clockOf(m.T)(t) }

func clockOf(seconds []float64) func(t float64) time.Duration {
	if len(seconds) > 0 && sinceEpoch(seconds) {
		return func(t float64) time.Duration { return time.Duration(math.Round(t * 1e9)) }
	}
	return func(t float64) time.Duration { return Epoch + time.Duration(math.Round(t*1e9)) }
}

// ReadMotion reads a CSV. numbered is the column that numbers the robots of one of several, or empty. Rows that
// cannot be in the order of time, or that have no number, are errors with their line; a position that is not
// finite is a gap.
func ReadMotion(file, numbered string) (*Motion, error) {
	c, err := readColumns(file, "", 0)
	if err != nil {
		return nil, err
	}
	m := &Motion{File: file, Lines: c.lines}
	if c.rows == 0 {
		return nil, c.HeaderError("there are no rows after the header")
	}
	if c.has("s") && !c.has(timeColumns...) {
		c.take("s")
	} else if m.T, err = c.times(); err != nil {
		return nil, err
	}
	if numbered != "" {
		if err := m.number(c, numbered); err != nil {
			return nil, err
		}
	}
	if m.Poses, m.Rotations, err = c.poses(); err != nil {
		return nil, err
	}
	m.Twist, m.Acceleration, m.Field = c.finite(twistColumns, ""), c.finite(accelerationColumns, ""), c.finite(fieldColumns, "")
	if m.T != nil {
		tendons := c.tendons()
		m.Tendons, m.Tension, m.Pull = tendons.names, tendons.tension, tendons.pull
	}
	for _, name := range c.names {
		if !m.shows(name) {
			m.Ignored = append(m.Ignored, name)
		}
	}
	return m, m.check()
}

// shows reports whether a column that poses left is of a part of the motion.
func (m *Motion) shows(name string) bool {
	return slices.Contains(m.Tendons, strings.TrimSuffix(name, ":m")) || m.Twist != nil && slices.Contains(twistColumns, name) ||
		m.Acceleration != nil && slices.Contains(accelerationColumns, name) || m.Field != nil && slices.Contains(fieldColumns, name)
}

// number takes the column that numbers robots.
func (m *Motion) number(c *columns, name string) error {
	values := c.take(name)
	if values == nil {
		return nil
	}
	m.Robot = make([]int, len(values))
	for i, v := range values {
		if !(v >= 0 && v <= math.MaxInt32 && v == math.Trunc(v)) {
			return fmt.Errorf("%s:%d: %s = %g is no number of a %[3]s; want 0, 1, 2, …", m.File, m.Lines[i], name, v)
		}
		m.Robot[i] = int(v)
		m.Robots = max(m.Robots, int(v)+1)
	}
	return nil
}

// Most that is taken for a time, s, and a position, m.
const (
	mostSeconds = 8e9 // some 250 years
	mostMetres  = 1e6
)

// check refuses what cannot be shown.
func (m *Motion) check() error {
	for i, line := range m.Lines {
		at := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %w", m.File, line, fmt.Errorf(format, args...))
		}
		if m.T != nil {
			switch t := m.T[i]; {
			case !(math.Abs(t) <= mostSeconds):
				return at("t = %g s is no time; allowed: finite, at most %g s from 0", t, mostSeconds)
			case i > 0 && t < m.T[i-1]:
				return at("t = %.9g s after %.9g s: time goes back; allowed: rows in the order of time", t, m.T[i-1])
			}
		}
		p := &m.Poses[i]
		switch {
		case !p.P.IsFinite():
			if m.T == nil {
				return at("the node at (%g, %g, %g) m is nowhere; allowed: finite positions", p.P.X, p.P.Y, p.P.Z)
			}
		case p.P.Norm() > mostMetres:
			return at("the position (%g, %g, %g) m is beyond %g m; positions are in m", p.P.X, p.P.Y, p.P.Z, mostMetres)
		case m.Rotations && p.R == (spatial.Mat3{}):
			return at("qx, qy, qz, qw are no unit quaternion; allowed: a length of 0.99 to 1.01")
		}
	}
	return nil
}

// Gap reports whether a row has no position.
func (m *Motion) Gap(i int) bool { return !m.Poses[i].P.IsFinite() }

// times takes the times, s.
func (c *columns) times() ([]float64, error) {
	t := c.take(timeColumns...)
	if t == nil {
		return nil, c.HeaderError("no column t, the time in s; there are %s", strings.Join(c.names, ", "))
	}
	return t, nil
}

// poses takes positions and, where they are there, rotations.
func (c *columns) poses() (poses []spatial.Pose, rotations bool, err error) {
	var position [3][]float64
	for i, axis := range []string{"x", "y", "z"} {
		if position[i] = c.take("tip_"+axis, axis); position[i] == nil {
			return nil, false, c.HeaderError("no column %s or tip_%s, a position in m; there are %s", axis, axis, strings.Join(c.names, ", "))
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
		return nil, false, c.HeaderError("%d of the four columns of a quaternion, qx, qy, qz, qw", found)
	}
	for i := range c.rows {
		p := spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: position[0][i], Y: position[1][i], Z: position[2][i]}}
		if found > 0 {
			p.R = trajectory.Rotation(q[0][i], q[1][i], q[2][i], q[3][i])
		}
		poses = append(poses, p)
	}
	return poses, found > 0, nil
}
