// Package series reads what a simulation or hardware did from recordings and CSV
// files, as series of package hil.
package series

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Role says whose track is looked for in a file.
type Role uint8

// The roles.
const (
	Simulated Role = iota
	Measured
)

// String implements fmt.Stringer.
func (r Role) String() string {
	if r == Simulated {
		return "simulation"
	}
	return "hardware"
}

// Source says where in a file a track is.
type Source struct {
	File  string
	Topic string // topic of the poses; if empty, the usual one of the role
	Role  Role
	Alone bool // nothing of the other role is in the file
	// Numbered, if not empty, is the column that numbers the robots of a CSV of several,
	// of which Robot is read.
	Numbered string
	Robot    int
	// Progress, if not nil, is told of bytes as they are read, of a recording up to
	// Passes times.
	Progress func(bytes int)
}

// Passes is how often Read goes through a recording.
const Passes = 3

func (s Source) reading() record.Reading { return record.Reading{File: s.File, Progress: s.Progress} }

// Track is a motion as a file has it: poses in time and, where they are known,
// tendons and backbone.
type Track struct {
	File     string
	Name     string   // names file and topic in messages
	Topic    string   // of the poses; empty for a CSV
	Frame    string   // frame that the headers name; empty for a CSV
	Repeated int      // number of poses left out because they repeat a stamp
	Warning  string   // what is wrong with the file, or empty
	Angles   []string // columns of a CSV with angles of motors, which are not compared
	Ignored  int      // number of rows of a CSV left out because their column ok is 0
	Robots   int      // robots of the file, one of which the track is of; 0: it has no numbers

	clock     bool // stamps are times since the Unix epoch; else of a CSV, from its own start
	stamps    []time.Duration
	seconds   []float64 // times of a CSV, which has no stamps
	poses     []spatial.Pose
	rotations bool
	bare      bool // there are markers and no poses
	tendons   tendonRows
	shape     shapeRows
	markers   []markerRows
}

// markerRows is a point with a name in time. Positions that are not finite were not measured.
type markerRows struct {
	name    string
	stamps  []time.Duration
	seconds []float64 // of a CSV, instead of stamps
	points  []spatial.Vec
}

// tendonRows are joint states in time.
type tendonRows struct {
	names         []string
	stamps        []time.Duration
	seconds       []float64   // of a CSV, instead of stamps
	pull, tension [][]float64 // m, N; nil if unknown
}

// shapeRows are backbones in time.
type shapeRows struct {
	stamps []time.Duration
	nodes  [][]spatial.Vec
}

// Read reads the track of a source from a .csv, .mcap or .bag file.
func Read(s Source) (*Track, error) {
	read := readTrackRecording
	switch strings.ToLower(filepath.Ext(s.File)) {
	case ".csv":
		read = readTrackCSV
	case ".mcap", ".bag":
	default:
		return nil, fmt.Errorf("%s: neither .csv nor .mcap nor .bag", s.File)
	}
	m, err := read(s)
	if m != nil {
		m.File = s.File
	}
	return m, err
}

// start is the first time in the track.
func (m *Track) start() time.Duration { return m.stamps[0] }

// Start is the first time in the track since 1970, where a CSV that has its own clock begins as Motion.Clock has it.
func (m *Track) Start() time.Duration {
	if m.clock {
		return m.start()
	}
	return clockOf(m.seconds)(m.seconds[0])
}

// Recording returns the track with times in s since epoch. A CSV keeps its times.
func (m *Track) Recording(epoch time.Duration) *trajectory.Trajectory {
	at := func(stamps []time.Duration) []float64 {
		t := make([]float64, len(stamps))
		for i, s := range stamps {
			t[i] = (s - epoch).Seconds()
		}
		return t
	}
	r := &trajectory.Trajectory{
		Tip:       trajectory.Poses{T: m.seconds, Pose: m.poses, Rotations: m.rotations},
		Actuation: trajectory.Actuation{Names: m.tendons.names, T: m.tendons.seconds, Pull: m.tendons.pull, Tension: m.tendons.tension},
		Shape:     trajectory.Shape{T: at(m.shape.stamps), Nodes: m.shape.nodes},
	}
	if m.clock {
		r.Tip.T, r.Actuation.T = at(m.stamps), at(m.tendons.stamps)
	}
	if len(r.Actuation.Names) == 0 {
		r.Actuation = trajectory.Actuation{}
	}
	for _, k := range m.markers {
		t := k.seconds
		if t == nil {
			t = at(k.stamps)
		}
		r.Markers = append(r.Markers, k.series(t))
	}
	return r
}

// Recordings brings two tracks onto one clock. together lets both begin at 0.
func Recordings(sim, hw *Track, together bool) (a, b *trajectory.Trajectory, err error) {
	for _, m := range []*Track{sim, hw} {
		if len(m.poses) == 0 {
			return nil, nil, fmt.Errorf("%s: no poses", m.Name)
		}
	}
	switch {
	case together:
		a, b = sim.Recording(firstOf(sim)), hw.Recording(firstOf(hw))
		fromZero(a)
		fromZero(b)
	case sim.clock != hw.clock:
		return nil, nil, fmt.Errorf("%s and %s do not have the same clock: one has times since 1970, the other its own; --start-together lets both begin at 0", sim.Name, hw.Name)
	case sim.clock:
		epoch := min(sim.start(), hw.start())
		a, b = sim.Recording(epoch), hw.Recording(epoch)
	default:
		a, b = sim.Recording(0), hw.Recording(0)
	}
	return a, b, nil
}

func firstOf(m *Track) time.Duration {
	if m.clock {
		return m.start()
	}
	return 0
}

// fromZero lets a recording begin at 0.
func fromZero(r *trajectory.Trajectory) {
	if len(r.Tip.T) == 0 || r.Tip.T[0] == 0 {
		return
	}
	start := r.Tip.T[0]
	shifted := func(t []float64) []float64 {
		t = slices.Clone(t)
		for i := range t {
			t[i] -= start
		}
		return t
	}
	r.Tip.T, r.Actuation.T, r.Shape.T = shifted(r.Tip.T), shifted(r.Actuation.T), shifted(r.Shape.T)
	for i := range r.Markers {
		r.Markers[i].T = shifted(r.Markers[i].T)
	}
}

// Place moves poses measured in a frame to the world, in which that frame is at g.
func (m *Track) Place(g spatial.Pose) {
	for i := range m.poses {
		m.poses[i] = g.Mul(m.poses[i])
	}
	for _, nodes := range m.shape.nodes {
		for k := range nodes {
			nodes[k] = g.Apply(nodes[k])
		}
	}
	for i := range m.markers {
		for k, p := range m.markers[i].points {
			m.markers[i].points[k] = g.Apply(p)
		}
	}
}

// Earlier takes a delay (s) out of all times.
func (m *Track) Earlier(by float64) {
	shift := time.Duration(math.Round(by * 1e9))
	stamps := [][]time.Duration{m.stamps, m.tendons.stamps, m.shape.stamps}
	for i := range m.markers {
		stamps = append(stamps, m.markers[i].stamps)
	}
	for _, list := range stamps {
		for i := range list {
			list[i] -= shift
		}
	}
	for i := range m.seconds {
		m.seconds[i] -= by
	}
}

// series is the point at times t (s), where it was measured.
func (k *markerRows) series(t []float64) trajectory.Marker {
	out := trajectory.Marker{Name: k.name}
	for i, p := range k.points {
		if p.IsFinite() {
			out.Add(t[i], spatial.Pose{R: spatial.Identity3(), P: p})
		}
	}
	return out
}

// Follow makes a marker that both tracks have the point whose pose is compared, in both, where one of them has no
// pose: the last one of the second. It returns its name, or an error if there is none.
func Follow(a, b *Track) (name string, err error) {
	if !a.bare && !b.bare {
		return "", nil
	}
	for i := len(b.markers) - 1; i >= 0; i-- {
		k := slices.IndexFunc(a.markers, func(m markerRows) bool { return m.name == b.markers[i].name })
		if k >= 0 {
			a.follow(&a.markers[k])
			b.follow(&b.markers[i])
			return b.markers[i].name, nil
		}
	}
	return "", fmt.Errorf("%s and %s have neither a pose nor a marker in common", a.Name, b.Name)
}

// follow makes the points of a marker the poses of the track, as far as they were measured.
func (m *Track) follow(k *markerRows) {
	points, seconds, stamps := k.points, m.seconds, k.stamps
	m.poses, m.rotations, m.stamps, m.seconds = nil, false, nil, nil
	for i, p := range points {
		if !p.IsFinite() {
			continue
		}
		m.poses = append(m.poses, spatial.Pose{R: spatial.Identity3(), P: p})
		if k.seconds == nil {
			m.stamps = append(m.stamps, stamps[i])
		} else {
			m.seconds = append(m.seconds, seconds[i])
		}
	}
}
