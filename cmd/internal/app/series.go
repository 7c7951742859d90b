package app

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// role says whose track is looked for in a file.
type role uint8

const (
	simulated role = iota
	measured
)

func (r role) String() string {
	if r == simulated {
		return "simulation"
	}
	return "hardware"
}

// source says where in a file a track is.
type source struct {
	file  string
	topic string // of the poses; empty: the usual one of the role
	role  role
	alone bool // nothing of the other role is in the file
}

// track is what a file says of a track, as it stands there.
type track struct {
	name      string // of the file and topic, for people
	clock     bool   // stamps are times since the Unix epoch; else of a CSV, from its own start
	stamps    []time.Duration
	seconds   []float64 // instead of stamps, of a CSV
	poses     []spatial.Pose
	rotations bool
	frame     string // that headers name; empty in a CSV
	tendons   tendonRows
	shape     shapeRows
	repeated  int    // poses left out, whose stamp is that of the one before
	warning   string // about the file, for people
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

// readTrack reads the track of a source from a .csv, .mcap or .bag file.
func readTrack(s source) (*track, error) {
	switch strings.ToLower(filepath.Ext(s.file)) {
	case ".csv":
		return readTrackCSV(s)
	case ".mcap", ".bag":
		return readTrackRecording(s)
	}
	return nil, fmt.Errorf("%s: neither .csv nor .mcap nor .bag", s.file)
}

// start is the first time in the track.
func (m *track) start() time.Duration { return m.stamps[0] }

// recording returns the track with times in s since epoch, or those of the CSV.
func (m *track) recording(epoch time.Duration) *hil.Recording {
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

// recordings brings two motions onto one clock. together lets both begin at 0.
func recordings(sim, hw *track, together bool) (a, b *hil.Recording, err error) {
	for _, m := range []*track{sim, hw} {
		if len(m.poses) == 0 {
			return nil, nil, fmt.Errorf("%s: no poses", m.name)
		}
	}
	switch {
	case together:
		a, b = sim.recording(firstOf(sim)), hw.recording(firstOf(hw))
		fromZero(a)
		fromZero(b)
	case sim.clock != hw.clock:
		return nil, nil, fmt.Errorf("%s and %s do not have the same clock: one has times since 1970, the other its own; --start-together lets both begin at 0", sim.name, hw.name)
	case sim.clock:
		epoch := min(sim.start(), hw.start())
		a, b = sim.recording(epoch), hw.recording(epoch)
	default:
		a, b = sim.recording(0), hw.recording(0)
	}
	return a, b, nil
}

func firstOf(m *track) time.Duration {
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

// place moves poses measured in a frame to the world, in which that frame is at g.
func (m *track) place(g spatial.Pose) {
	for i := range m.poses {
		m.poses[i] = g.Mul(m.poses[i])
	}
	for _, nodes := range m.shape.nodes {
		for k := range nodes {
			nodes[k] = g.Apply(nodes[k])
		}
	}
}

// rotation returns the rotation of a quaternion x, y, z, w, or zero for one that is
// not nearly of unit length, which a series' validation finds.
func rotation(x, y, z, w float64) spatial.Mat3 {
	const nearly = 0.01
	q := spatial.Quat{X: x, Y: y, Z: z, W: w}
	if n := math.Sqrt(x*x + y*y + z*z + w*w); !(math.Abs(n-1) < nearly) {
		return spatial.Mat3{}
	}
	return q.Normalized().Rot()
}
