// Package series reads what a simulation or hardware did from recordings and CSV
// files, as series of package hil.
package series

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sinew/pkg/ros/record"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
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
	Name     string // names file and topic in messages
	Topic    string // of the poses; empty for a CSV
	Frame    string // frame that the headers name; empty for a CSV
	Repeated int    // number of poses left out because they repeat a stamp
	Warning  string // what is wrong with the file, or empty
	Robots   int    // robots of the file, one of which the track is of; 0: it has no numbers

	clock     bool // stamps are times since the Unix epoch; else of a CSV, from its own start
	stamps    []time.Duration
	seconds   []float64 // times of a CSV, which has no stamps
	poses     []spatial.Pose
	rotations bool
	tendons   tendonRows
	shape     shapeRows
}

// tendonRows are joint states in time.
type tendonRows struct {
	names         []string
	stamps        []time.Duration
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
func (m *Track) Recording(epoch time.Duration) *hil.Recording {
	at := func(stamps []time.Duration) []float64 {
		t := make([]float64, len(stamps))
		for i, s := range stamps {
			t[i] = (s - epoch).Seconds()
		}
		return t
	}
	r := &hil.Recording{
		Tip:       hil.Series{T: m.seconds, Pose: m.poses, Rotations: m.rotations},
		Actuation: hil.Actuation{Names: m.tendons.names, T: m.seconds, Pull: m.tendons.pull, Tension: m.tendons.tension},
		Shape:     hil.Shape{T: at(m.shape.stamps), Nodes: m.shape.nodes},
	}
	if m.clock {
		r.Tip.T, r.Actuation.T = at(m.stamps), at(m.tendons.stamps)
	}
	if len(r.Actuation.Names) == 0 {
		r.Actuation = hil.Actuation{}
	}
	return r
}

// Recordings brings two tracks onto one clock. together lets both begin at 0.
func Recordings(sim, hw *Track, together bool) (a, b *hil.Recording, err error) {
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
func fromZero(r *hil.Recording) {
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
}
