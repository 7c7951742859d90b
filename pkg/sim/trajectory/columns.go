package trajectory

import (
	"slices"
	"strings"

	"sinew/pkg/sim"
)

// Kind is what a column of a CSV holds.
type Kind uint8

// The kinds, with the names of their columns. Times end in _ms, _us or _ns, lengths in _mm, _cm or _um
// where they are not in SI. Where no column has these names, words.go finds what other names mean.
const (
	Unused         Kind = iota // nothing that a trajectory has
	Time                       // t or time, s
	ArcLength                  // s, m: rows are the nodes of one shape, base to tip
	Valid                      // ok, 0 in rows in which nothing was measured
	RobotNumber                // the column that the robot's program names, from 0
	Position                   // x, y, z, or tip_x, …, m
	Orientation                // qx, qy, qz, qw, or tip_qx, …: a unit quaternion
	MarkerPoint                // NAME_x, NAME_y, NAME_z, or of a link NAME.x, … or NAME.tip_x, …, m
	MarkerRotation             // of a link: NAME.qx, … or NAME.tip_qx, …: a unit quaternion
	Velocity                   // vx, vy, vz, m/s, and wx, wy, wz, rad/s
	Acceleration               // ax, ay, az, m/s², and alpha_x, alpha_y, alpha_z, rad/s²
	FieldAtRobot               // bx, by, bz, T
	Tension                    // NAME of a tendon, N
	Pull                       // NAME:m of a tendon, m
	Angle                      // NAME:rad of a motor joint and NAME:shaft_rad of its shaft, rad
	Command                    // of an In port, see [Targets]
	Bookkeeping                // number of a row, quality and the like, of which no signal is made
)

// Column is a column of a CSV.
type Column struct {
	Header string // its name in the file
	Kind   Kind
	Name   string  // of the marker or the tendon
	Index  int     // of the component: of a position, of a quaternion x, y, z, w, of a twist
	Factor float64 // by which its values are multiplied to be in SI
	Target Target  // of a Command
}

// Names of columns by the index of the component.
var (
	timeColumns         = []string{"t", "time"}
	axes                = []string{"x", "y", "z"}
	quaternionColumns   = []string{"qx", "qy", "qz", "qw"}
	velocityColumns     = []string{"vx", "vy", "vz", "wx", "wy", "wz"}
	accelerationColumns = []string{"ax", "ay", "az", "alpha_x", "alpha_y", "alpha_z"}
	fieldColumns        = []string{"bx", "by", "bz"}
)

const (
	validColumn = "ok"
	arcColumn   = "s"
	tipPrefix   = "tip_"
	pullSuffix  = ":m"
)

// notTendons are columns of sim, and of its commands, that are not in a trajectory and no tendons.
var notTendons = []string{
	validColumn, "gxx", "gxy", "gxz", "gyy", "gyz",
	"ambient_flow_vx", "ambient_flow_vy", "ambient_flow_vz", "ambient_flow_wx", "ambient_flow_wy", "ambient_flow_wz",
}

// units are the suffixes of names of columns, with what makes SI of their values.
var units = []struct {
	suffix string
	factor float64
}{
	{"", 1}, {"_m", 1}, {"_s", 1}, {"_mm", 1e-3}, {"_ms", 1e-3},
	{"_cm", 1e-2}, {"_um", 1e-6}, {"_µm", 1e-6}, {"_us", 1e-6}, {"_ns", 1e-9},
}

// withUnit reports whether a column has a name, perhaps with the suffix of a unit, and the factor of the unit.
func withUnit(column, name string) (factor float64, ok bool) {
	for _, u := range units {
		if column == name+u.suffix {
			return u.factor, true
		}
	}
	return 0, false
}

// grammar finds out what the columns of a header are.
type grammar []Column

func newGrammar(header []string) grammar {
	g := make(grammar, len(header))
	for i, name := range header {
		g[i] = Column{Header: name, Factor: 1}
	}
	return g
}

// find returns the first column without a kind that has one of the names, -1 if there is none.
func (g grammar) find(names ...string) (i int, factor float64) {
	for _, name := range names {
		for _, u := range units {
			if i := slices.IndexFunc(g, func(c Column) bool { return c.Kind == Unused && c.Header == name+u.suffix }); i >= 0 {
				return i, u.factor
			}
		}
	}
	return -1, 0
}

// take gives the first column of one of the names a kind, and reports whether there is one.
func (g grammar) take(kind Kind, name string, index int, names ...string) bool {
	i, factor := g.find(names...)
	if i >= 0 {
		g[i].Kind, g[i].Name, g[i].Index, g[i].Factor = kind, name, index, factor
	}
	return i >= 0
}

// takeAll gives columns of exactly these names a kind, if all are there.
func (g grammar) takeAll(kind Kind, names []string) {
	at := make([]int, len(names))
	for k, name := range names {
		at[k] = slices.IndexFunc(g, func(c Column) bool { return c.Kind == Unused && c.Header == name })
	}
	if slices.Contains(at, -1) {
		return
	}
	for k, i := range at {
		g[i].Kind, g[i].Index = kind, k
	}
}

// takeMarkers finds the columns of points that have names.
func (g grammar) takeMarkers() {
	for i := range g {
		base := ""
		for _, u := range units {
			if b, ok := strings.CutSuffix(g[i].Header, "_x"+u.suffix); ok {
				base = b
			}
		}
		if g[i].Kind != Unused || base == "" || base+"_" == tipPrefix || slices.Contains(positionWords, base+"_*") {
			continue
		}
		y, _ := g.find(base + "_y")
		z, _ := g.find(base + "_z")
		w, _ := g.find(base + "_w")
		if y < 0 || z < 0 || w >= 0 || len(base) > 1 && slices.Contains(noPoints, strings.ToLower(base)) { // with w it is a quaternion
			continue
		}
		for k, axis := range axes {
			g.take(MarkerPoint, base, k, base+"_"+axis)
		}
	}
}

// takeTendons makes what is left tendons, and the angles of motor joints.
func (g grammar) takeTendons() {
	for i := range g {
		c := &g[i]
		switch name, isPull := strings.CutSuffix(c.Header, pullSuffix); {
		case c.Kind != Unused || name == "" || isComponent(name):
		case strings.HasSuffix(name, ":rad") || strings.HasSuffix(name, ":shaft_rad"):
			c.Kind = Angle
		case isPull:
			c.Kind, c.Name = Pull, name
		default:
			c.Kind, c.Name = Tension, name
		}
	}
}

// isComponent reports whether a name is that of a vector's component, and of no tendon.
func isComponent(name string) bool {
	return slices.ContainsFunc([][]string{notTendons, velocityColumns, accelerationColumns, fieldColumns}, func(list []string) bool { return slices.Contains(list, name) })
}

// has reports whether there is a column of a kind.
func (g grammar) has(kind Kind) bool {
	return slices.ContainsFunc(g, func(c Column) bool { return c.Kind == kind })
}

// unused lists the names of the columns that have no kind.
func (g grammar) unused() string {
	var names []string
	for _, c := range g {
		if c.Kind == Unused && c.Header != "" {
			names = append(names, c.Header)
		}
	}
	return strings.Join(names, ", ")
}

// Layout is what the columns of a CSV may be that belongs to a certain robot.
type Layout struct {
	Ports   []sim.Port // whose commands are columns, see [Targets]
	Pose    []string   // names of the columns x, y, z, qx, qy, qz, qw of the measured pose
	Markers []string   // names of the robot's markers
	Others  []string   // columns that are passed over
}
