package trajectory

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"sinew/pkg/sim/spatial"
)

// Trajectory is one recorded motion of a robot, by a simulation or by hardware. Each
// signal has samples and times of its own; one without samples is unknown.
type Trajectory struct {
	File   string // that it was read from
	Name   string // file and topic or robot, in messages
	Topic  string // of the poses; empty for a CSV
	Origin string // what else is known of where the poses come from, in words; empty for nothing
	Frame  string // that the headers of the poses name; empty for a CSV
	// Unframed trajectories are of messages that have no header.
	Unframed bool

	Tip       Poses     // of the tip, or of a body
	Link      string    // of a mechanism, whose pose Tip is; empty: it has no name
	Actuation Actuation // of the tendons
	Shape     Shape     // of the rod
	Markers   []Marker  // points with names, and links of a mechanism

	// Velocity and Acceleration are twists, v then w, m/s and rad/s, m/s² and rad/s²; Field is
	// the field at the robot, T: world frame, by row of a CSV, nil unless every row has them.
	Velocity, Acceleration, Field [][]float64
	Commands                      *Commands // nil: unknown

	// Stamped trajectories have stamps since 1970 in every signal, from which [Trajectory.CountFrom]
	// makes times; those of others are on a clock of their own.
	Stamped bool

	Warning string // what is wrong with the file, or empty
	// Remarks are sentences about what of the file was left out, and what was assumed of it.
	Remarks  []string
	Repeated int // number of poses left out because they repeat a stamp
	Dropped  int // number of rows of a CSV left out because their column ok is 0

	// Of a CSV.
	Untimed bool     // rows have no times: they are equilibria, or the nodes of one shape from base to tip
	Header  []string // names of its columns
	Lines   []int    // in the file, of each row
	Robot   []int    // number of the robot of each row; nil without numbers or where one was chosen
	Robots  int      // robots of the file: one more than the greatest number; 0 without numbers
	Ignored []string // columns of which no signal is made
	Angles  []string // columns of angles of motors, which are among them
}

// From names where the poses come from: the file and, of a recording, the topic and what else is known of it.
func (t *Trajectory) From() string {
	if t.Origin == "" {
		return t.Name
	}
	return t.Name + " (" + t.Origin + ")"
}

// Epoch is the time since 1970 that recordings give to simulated time 0, and viewers to the time 0 of a CSV: with
// a round number, stamps show the time as it is. Time 0 itself means "the latest" to tf and "no time" to rosbag.
const Epoch = 1_000_000_000 * time.Second

// sinceEpoch reports whether times, s, are since 1970: more than 30 years into its own clock a file has
// that one.
func sinceEpoch(seconds []float64) bool {
	const years30 = 1e9
	return seconds[0] > years30
}

// SinceEpoch reports whether a time of a file, s, is since 1970.
func SinceEpoch(s float64) bool { return sinceEpoch([]float64{s}) }

// SinceEpoch returns the time since 1970 of a time of a trajectory that is not stamped, s. A file whose times are
// since 1970 has them itself; others begin at [Epoch].
func (t *Trajectory) SinceEpoch(s float64) time.Duration {
	at := time.Duration(math.Round(s * 1e9))
	if len(t.Tip.T) > 0 && sinceEpoch(t.Tip.T) {
		return at
	}
	return Epoch + at
}

// Start returns the time since 1970 of the first pose, 0 without poses.
func (t *Trajectory) Start() time.Duration {
	switch {
	case len(t.Tip.Pose) == 0:
		return 0
	case t.Stamped:
		return t.Tip.Stamps[0]
	}
	return t.SinceEpoch(t.Tip.T[0])
}

// signals are the times and stamps of all signals.
func (t *Trajectory) signals(visit func(s *[]float64, stamps []time.Duration)) {
	visit(&t.Tip.T, t.Tip.Stamps)
	visit(&t.Actuation.T, t.Actuation.Stamps)
	visit(&t.Shape.T, t.Shape.Stamps)
	for i := range t.Markers {
		visit(&t.Markers[i].T, t.Markers[i].Stamps)
	}
}

// CountFrom counts the times of a trajectory that is stamped from a time since 1970.
func (t *Trajectory) CountFrom(zero time.Duration) {
	t.signals(func(s *[]float64, stamps []time.Duration) {
		*s = make([]float64, len(stamps))
		for i, at := range stamps {
			(*s)[i] = (at - zero).Seconds()
		}
	})
}

// Advance takes a delay, s, out of all times.
func (t *Trajectory) Advance(by float64) {
	shift := time.Duration(math.Round(by * 1e9))
	t.signals(func(s *[]float64, stamps []time.Duration) {
		for i := range stamps {
			stamps[i] -= shift
		}
		*s = earlier(*s, by)
	})
}

// earlier are times less by s.
func earlier(t []float64, by float64) []float64 {
	t = slices.Clone(t)
	for i := range t {
		t[i] -= by
	}
	return t
}

// Transform moves everything that was measured in a frame to the world, in which that frame is at g.
func (t *Trajectory) Transform(g spatial.Pose) {
	for i := range t.Tip.Pose {
		t.Tip.Pose[i] = g.Mul(t.Tip.Pose[i])
	}
	for _, nodes := range t.Shape.Nodes {
		for k := range nodes {
			nodes[k] = g.Apply(nodes[k])
		}
	}
	for i := range t.Markers {
		for k, p := range t.Markers[i].Pose {
			if t.Markers[i].Pose[k].P = g.Apply(p.P); t.Markers[i].Rotations {
				t.Markers[i].Pose[k].R = g.R.Mul(p.R)
			}
		}
	}
}

// ToWorld is Transform of a frame that may be a mirror image, in which case rotations are multiplied by mirror behind it. It refuses a
// frame that turns x and y out of their plane where no z was measured.
func (t *Trajectory) ToWorld(g spatial.Pose, mirror spatial.Mat3) error {
	const turned = 1e-3 // less than the cosine of a slope of 2.5 degrees is off from 1
	if t.Tip.Planar && math.Abs(g.R.ZZ) < 1-turned {
		return fmt.Errorf("%s: no z was measured, so that axes and orientation of hardware in the robot file cannot turn x and y out of their plane; leave them out, or name the columns as the axes of the world", t.Name)
	}
	t.Transform(g)
	if g.R.Det() < 0 {
		for i := range t.Tip.Pose {
			t.Tip.Pose[i].R = t.Tip.Pose[i].R.Mul(mirror)
		}
		for i := range t.Markers {
			for k := range t.Markers[i].Pose {
				t.Markers[i].Pose[k].R = t.Markers[i].Pose[k].R.Mul(mirror)
			}
		}
	}
	return nil
}

// Synchronize brings two trajectories onto one clock, that of the earlier stamp or that of both files. together lets
// both begin at 0. It fails without poses, and where one of them has stamps and the other has not.
func Synchronize(sim, hw *Trajectory, together bool) error {
	both := []*Trajectory{sim, hw}
	for _, t := range both {
		if len(t.Tip.Pose) == 0 {
			return fmt.Errorf("%s: no poses", t.Name)
		}
	}
	switch {
	case together:
		for _, t := range both {
			if t.Stamped {
				t.CountFrom(t.Start())
			}
			if start := t.Tip.T[0]; start != 0 {
				t.signals(func(s *[]float64, _ []time.Duration) { *s = earlier(*s, start) })
			}
		}
	case sim.Stamped != hw.Stamped && (sim.stampSinceEpoch() || hw.stampSinceEpoch()):
		zero := min(sim.Start(), hw.Start())
		sim.CountFrom(zero)
		hw.CountFrom(zero)
	case sim.Stamped != hw.Stamped:
		return fmt.Errorf("%s and %s do not have the same clock: one has times since 1970, the other its own; --start-together lets both begin at 0", sim.Name, hw.Name)
	case sim.Stamped:
		zero := min(sim.Start(), hw.Start())
		sim.CountFrom(zero)
		hw.CountFrom(zero)
	}
	return nil
}

// stampSinceEpoch makes stamps of the times of a CSV that are since 1970, and reports whether they are.
func (t *Trajectory) stampSinceEpoch() bool {
	if t.Stamped || !sinceEpoch(t.Tip.T) {
		return false
	}
	of := func(times []float64) (stamps []time.Duration) {
		for _, s := range times {
			stamps = append(stamps, t.SinceEpoch(s))
		}
		return stamps
	}
	t.Tip.Stamps, t.Actuation.Stamps, t.Shape.Stamps = of(t.Tip.T), of(t.Actuation.T), of(t.Shape.T)
	for i := range t.Markers {
		t.Markers[i].Stamps = of(t.Markers[i].T)
	}
	t.Stamped = true
	return true
}

// FollowMarker makes a marker that both trajectories have the point whose pose is compared, in both, where one of them has no
// pose: the last one of the second. It returns its name, or an error if there is none.
func FollowMarker(a, b *Trajectory) (name string, err error) {
	if !a.markersAlone() && !b.markersAlone() {
		return "", nil
	}
	for i := len(b.Markers) - 1; i >= 0; i-- {
		k := slices.IndexFunc(a.Markers, func(m Marker) bool { return m.Name == b.Markers[i].Name })
		if k >= 0 {
			a.Tip, b.Tip = a.Markers[k].clone(), b.Markers[i].clone()
			return b.Markers[i].Name, nil
		}
	}
	measured := slices.DeleteFunc(slices.Clone(b.Markers), func(m Marker) bool { return isCommanded(m.Name) })
	if len(measured) == 1 && len(a.Tip.Pose) > 0 {
		b.Tip = measured[0].clone()
		b.Remarks = append(b.Remarks, fmt.Sprintf("%s: %s is the only point that was measured, and is compared with the tip.", b.Name, measured[0].Name))
		return "", nil
	}
	if len(b.Markers) == 1 && len(measured) == 0 {
		return "", fmt.Errorf("%s: %s is by its name what was commanded, not what was measured; name columns of the measured tip x, y, z", b.Name, b.Markers[0].Name)
	}
	cure := ""
	if len(b.Markers) > 1 && len(a.Tip.Pose) > 0 {
		var names []string
		for i := range b.Markers {
			names = append(names, b.Markers[i].Name)
		}
		cure = fmt.Sprintf("; the second has %s: --hw-topic NAME compares one of them with the tip", strings.Join(names, ", "))
	}
	return "", fmt.Errorf("%s and %s have neither a pose nor a marker in common%s", a.Name, b.Name, cure)
}

// markersAlone reports whether a CSV has markers and no pose.
func (t *Trajectory) markersAlone() bool {
	return len(t.Tip.Pose) == 0 && len(t.Lines) > 0 && len(t.Markers) > 0
}

// OfRobot returns what the rows of a CSV have of a robot, of the only one without numbers, but for gaps. The
// trajectory must be read with AllRobots.
func (t *Trajectory) OfRobot(number int) *Trajectory {
	var rows []int
	for i := range t.Tip.Pose {
		if !t.Gap(i) && (t.Robot == nil || t.Robot[i] == number) {
			rows = append(rows, i)
		}
	}
	own := *t
	own.Tip = Poses{T: pick(t.Tip.T, rows), Pose: pick(t.Tip.Pose, rows), Rotations: t.Tip.Rotations}
	own.Actuation = Actuation{Names: t.Actuation.Names, T: pick(t.Actuation.T, rows), Pull: pick(t.Actuation.Pull, rows), Tension: pick(t.Actuation.Tension, rows)}
	own.Velocity, own.Acceleration, own.Field = pick(t.Velocity, rows), pick(t.Acceleration, rows), pick(t.Field, rows)
	own.Lines, own.Robot = pick(t.Lines, rows), pick(t.Robot, rows)
	own.Markers = nil
	for _, m := range t.Markers {
		m.Poses = Poses{T: pick(m.T, rows), Pose: pick(m.Pose, rows)}
		own.Markers = append(own.Markers, m)
	}
	return &own
}

// pick returns some of the samples of a signal, nil of one that is unknown.
func pick[T any](all []T, rows []int) (some []T) {
	for _, i := range rows {
		if all != nil {
			some = append(some, all[i])
		}
	}
	return some
}

// Most that is taken for a time, s, and a position, m.
const (
	mostSeconds = 8e9 // some 250 years
	mostMetres  = 1e6
)

// CheckRows refuses rows of a CSV that cannot be shown, with their line: times that go back, positions that are
// nowhere, quaternions that are not of unit length. A position that is not finite is a gap. There must be a row.
func (t *Trajectory) CheckRows() error {
	if len(t.Lines) == 0 {
		return fmt.Errorf("%s:1: there are no rows after the header", t.File)
	}
	for i, line := range t.Lines {
		at := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %w", t.File, line, fmt.Errorf(format, args...))
		}
		if !t.Untimed {
			switch s := t.Tip.T[i]; {
			case !(math.Abs(s) <= mostSeconds):
				return at("t = %g s is no time; allowed: finite, at most %g s from 0", s, mostSeconds)
			case i > 0 && s < t.Tip.T[i-1]:
				return at("t = %.9g s after %.9g s: time goes back; allowed: rows in the order of time", s, t.Tip.T[i-1])
			}
		}
		p := &t.Tip.Pose[i]
		switch {
		case t.Gap(i):
			if t.Untimed {
				return at("the node at (%g, %g, %g) m is nowhere; allowed: finite positions", p.P.X, p.P.Y, p.P.Z)
			}
		case p.P.Norm() > mostMetres:
			return at("the position (%g, %g, %g) m is beyond %g m; positions are in m", p.P.X, p.P.Y, p.P.Z, mostMetres)
		case t.Tip.Rotations && p.R == (spatial.Mat3{}):
			return at("qx, qy, qz, qw are no unit quaternion; allowed: a length of 0.99 to 1.01")
		}
	}
	return nil
}

// Gap reports whether no position was measured in a row.
func (t *Trajectory) Gap(i int) bool { return !t.Tip.Pose[i].P.IsFinite() }
