package robotfile

import (
	"maps"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// Rates are the rates of the loop and of its outputs, Hz.
type Rates struct {
	Control float64 `yaml:"control_hz" unit:"Hz" range:"[1, 20000]" default:"1000" doc:"control periods per second; each takes whole solver steps"`
	Publish float64 `yaml:"publish_hz" live:"loop" unit:"Hz" range:"(0, 20000]" default:"200" doc:"measured values per second, at most control_hz"`
	Marker  float64 `yaml:"marker_hz" live:"loop" unit:"Hz" range:"(0, 30]" default:"25" doc:"pictures per second, at most publish_hz"`
}

// Period is the control period, s; 0 where there is no rate.
func (r *Rates) Period() float64 {
	if r.Control > 0 {
		return 1 / r.Control
	}
	return 0
}

// PublishRod switches topics of a rod.
type PublishRod struct {
	Backbone bool `yaml:"backbone" live:"loop" default:"true" doc:"topic backbone: the pose of every node"`
	TipPath  bool `yaml:"tip_path" live:"loop" default:"true" doc:"topic tip_path: the history of the tip"`
	Markers  bool `yaml:"markers" live:"loop" default:"true" doc:"topic markers: what rviz draws"`
	TF       bool `yaml:"tf" live:"loop" default:"true" doc:"frames on /tf"`
	// Jacobian is a rate: its computation costs time on other processors, not in the loop.
	Jacobian float64 `yaml:"jacobian_hz" live:"loop" unit:"Hz" range:"[0, 100]" default:"10" doc:"topic jacobian: derivatives per second at most, while it has subscribers (method implicit); 0: none"`
}

// DisabledTopics lists the topics that are switched off.
func (p *PublishRod) DisabledTopics() []string {
	return disabledTopics(map[string]bool{"backbone": p.Backbone, "tip_path": p.TipPath, "markers": p.Markers, "tf": p.TF})
}

// PublishBody switches topics of a rigid body or a swarm.
type PublishBody struct {
	Path    bool `yaml:"path" live:"loop" default:"true" doc:"topic path: the history of the body"`
	Poses   bool `yaml:"poses" live:"loop" default:"true" doc:"topic poses: all robots of a swarm"`
	Markers bool `yaml:"markers" live:"loop" default:"true" doc:"topic markers: what rviz draws"`
	TF      bool `yaml:"tf" live:"loop" default:"true" doc:"frames on /tf"`
}

// DisabledTopics lists the topics that are switched off.
func (p *PublishBody) DisabledTopics() []string {
	return disabledTopics(map[string]bool{"path": p.Path, "poses": p.Poses, "markers": p.Markers, "tf": p.TF})
}

// disabledTopics lists the topics that are not on, in order.
func disabledTopics(on map[string]bool) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(on)) {
		if !on[name] {
			names = append(names, name)
		}
	}
	return names
}

// finalize keeps the default rates of output within the rates that they divide.
func (r *Rates) finalize(c *checker, path string) {
	for _, output := range []struct {
		key, below string
		rate, most *float64
	}{{"publish_hz", "control_hz", &r.Publish, &r.Control}, {"marker_hz", "publish_hz", &r.Marker, &r.Publish}} {
		at := join(path, output.key)
		switch {
		case !c.ok(join(path, output.below)):
			return
		case *output.rate <= *output.most:
		case !c.has(at):
			*output.rate = *output.most
		default:
			c.fail(at, Mistake{Unit: "Hz", Problem: "is above " + output.below, Allowed: "at most " + formatNumber(*output.most)})
		}
	}
}

// unit normalizes a quaternion, leaving unit ones untouched.
func (c *checker) unit(path string, q *spatial.Quat) {
	const exact = 1e-15
	norm := math.Sqrt(q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W)
	switch {
	case !c.ok(path):
	case norm < 1e-12:
		c.fail(path, Mistake{Problem: "has no length", Allowed: "any quaternion but zero"})
	case math.Abs(norm-1) > exact:
		*q = spatial.Quat{X: q.X / norm, Y: q.Y / norm, Z: q.Z / norm, W: q.W / norm}
	}
}

// CommandPolicy says whose commands act if several nodes send commands.
type CommandPolicy string

// The policies.
const (
	ExclusiveCommander CommandPolicy = "exclusive" // one node at a time
	NewestCommander    CommandPolicy = "newest"    // the last sender
)

// StampPolicy says which stamps of commands are accepted.
type StampPolicy string

// The policies.
const (
	FreshStamps StampPolicy = "fresh" // within the command time-out from now
	AnyStamps   StampPolicy = "any"   // all
)

// Axes says in which axes a load keeps its direction.
type Axes string

// The axes of a load.
const (
	WorldAxes Axes = "world" // dead load
	BodyAxes  Axes = "body"  // follower load
)

// Forever is the end of a load that never ends, s.
var Forever = math.Inf(1)

// RodLoad is a concentrated wrench on the rod's centreline.
type RodLoad struct {
	At     float64     `yaml:"at_m" unit:"m" range:"[0, 100]" default:"0.25" doc:"arc length of the loaded point, a node in method implicit; the tip if absent"`
	Force  spatial.Vec `yaml:"force_n" live:"model" unit:"N" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"force"`
	Moment spatial.Vec `yaml:"moment_nm" live:"model" unit:"N m" range:"(-inf, inf)" default:"[0, 0, 0]" doc:"moment"`
	Frame  Axes        `yaml:"frame" live:"model" enum:"world|body" default:"world" doc:"axes of force and moment; body: d1, d2, d3 of the cross-section, with which they turn"`
	Until  float64     `yaml:"until_s" live:"model" unit:"s" range:"[0, inf]" default:".inf" doc:"time at which the load ends; .inf: never, 0: present in the initial state only"`
}

// Hardware is the real robot that runs beside the simulated one and is compared
// with it.
type Hardware struct {
	PoseType    PoseType            `yaml:"pose_type" enum:"PoseStamped|PointStamped|TransformStamped" default:"PoseStamped" doc:"message type of hardware/measured_cp"`
	Axes        UpAxis              `yaml:"axes" default:"z_up" doc:"of measured coordinates, which of them are x, y and z of the world before position_m and orientation_xyzw: z_up is x,y,z; y_up, that of motion capture whose y axis points up, is x,-z,y; others are written so, and may be mirror images, such as x,z,y"`
	Frame       string              `yaml:"frame_id" default:"world" doc:"frame that it is measured in, as its headers name it"`
	Position    spatial.Vec         `yaml:"position_m" unit:"m" range:"[-1000, 1000]" default:"[0, 0, 0]" doc:"origin of that frame in the world"`
	Orientation spatial.Quat        `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" default:"[0, 0, 0, 1]" doc:"that frame to world; normalized"`
	Latency     *float64            `yaml:"latency_s" unit:"s" range:"[-10, 10]" example:"0.02" doc:"how much later than the simulation the hardware shows the same motion; absent: estimated all the time"`
	Recordings  []Recording         `yaml:"recordings" doc:"what differs from recording to recording, by the names of their files: compare and identify use it"`
	Window      float64             `yaml:"window_s" unit:"s" range:"(0, 600]" default:"10" doc:"time over which hil_error gives rmse and max"`
	MaxGap      float64             `yaml:"max_gap_s" unit:"s" range:"(0, 10]" default:"0.05" doc:"no comparison across a longer gap between simulated poses"`
	Tendons     []TendonCalibration `yaml:"tendons" doc:"calibration of the hardware's tensions: identify applies it to the commands of the simulated robot, and identifies it"`
}

// Recording holds the settings of one recording of the hardware.
type Recording struct {
	Name        string        `yaml:"name" example:"run1.csv" doc:"file name of the recording, without folders"`
	Latency     float64       `yaml:"latency_s" unit:"s" range:"[-10, 10]" default:"0" doc:"how much later than hardware.latency_s says the recording shows the motion"`
	Position    *spatial.Vec  `yaml:"position_m" unit:"m" range:"[-1000, 1000]" example:"[0.001, 0, 0]" doc:"instead of hardware.position_m"`
	Orientation *spatial.Quat `yaml:"orientation_xyzw" unit:"1" range:"[-1e6, 1e6]" example:"[0, 0, 0, 1]" doc:"instead of hardware.orientation_xyzw; normalized"`
}

// UpAxis says which axis of measured coordinates points up, or which of them are x, y and z of the world.
type UpAxis string

// The axes of measured coordinates.
const (
	ZUp UpAxis = "z_up"
	YUp UpAxis = "y_up"
)

// FramePose is the pose in the world of the frame that the hardware is measured in.
func (h *Hardware) FramePose() spatial.Pose {
	return framePose(h.Axes, h.Position, h.Orientation)
}

// FramePoseOf is the pose in the world of the frame that a recording, by its file name without
// folders, was measured in.
func (h *Hardware) FramePoseOf(recording string) spatial.Pose {
	position, orientation := h.Position, h.Orientation
	if r := h.recording(recording); r != nil {
		if r.Position != nil {
			position = *r.Position
		}
		if r.Orientation != nil {
			orientation = *r.Orientation
		}
	}
	return framePose(h.Axes, position, orientation)
}

// ExtraLatency returns the latency (s) of a recording beyond that of the hardware.
func (h *Hardware) ExtraLatency(recording string) float64 {
	if r := h.recording(recording); r != nil {
		return r.Latency
	}
	return 0
}

func (h *Hardware) recording(name string) *Recording {
	if i := slices.IndexFunc(h.Recordings, func(r Recording) bool { return r.Name == name }); i >= 0 {
		return &h.Recordings[i]
	}
	return nil
}

// framePose is a frame at p, turned by q, with axes of its own.
func framePose(axes UpAxis, p spatial.Vec, q spatial.Quat) spatial.Pose {
	g := spatial.Pose{R: q.Rot(), P: p}
	if m, ok := axes.matrix(); ok && m != spatial.Identity3() {
		g.R = g.R.Mul(m)
	}
	return g
}

// Mirror is what a rotation that was measured is multiplied by, behind [Hardware.FramePose], where axes are a mirror image of the world's:
// the axes of the body are exchanged as those of the frame are. It is the identity where they are not.
func (h *Hardware) Mirror() spatial.Mat3 {
	if m, ok := h.Axes.matrix(); ok && m.Det() < 0 {
		return m.T()
	}
	return spatial.Identity3()
}

// matrix makes coordinates in the world's axes of measured ones; ok is false for what names no axes, which is z_up then.
func (a UpAxis) matrix() (m spatial.Mat3, ok bool) {
	text := strings.ReplaceAll(string(a), " ", "")
	switch a {
	case ZUp:
		text = "x,y,z"
	case YUp:
		text = "x,-z,y"
	}
	of := map[string]spatial.Vec{"x": {X: 1}, "y": {Y: 1}, "z": {Z: 1}}
	var rows [3]spatial.Vec
	parts := strings.Split(text, ",")
	for i := range rows {
		if len(parts) != len(rows) {
			return spatial.Identity3(), false
		}
		name, negative := strings.CutPrefix(parts[i], "-")
		if rows[i] = of[name]; negative {
			rows[i] = rows[i].Scale(-1)
		}
	}
	m = spatial.FromColumns(rows[0], rows[1], rows[2]).T()
	if det := m.Det(); det != 1 && det != -1 {
		return spatial.Identity3(), false
	}
	return m, true
}

// PoseType names the message type of a measured pose.
type PoseType string

// The types of a measured pose, all of geometry_msgs.
const (
	PoseStamped      PoseType = "PoseStamped"
	PointStamped     PoseType = "PointStamped" // position only
	TransformStamped PoseType = "TransformStamped"
)

// finalize normalizes the orientations and checks that each recording is named once.
func (h *Hardware) finalize(c *checker, path string) {
	c.unit(join(path, "orientation_xyzw"), &h.Orientation)
	if at := join(path, "axes"); c.ok(at) {
		if _, ok := h.Axes.matrix(); !ok {
			c.fail(at, Mistake{Problem: "names no axes", Allowed: "z_up, y_up, or three different ones of x, y, z with signs, for example x,-z,y"})
		}
	}
	first := map[string]string{}
	for i := range h.Recordings {
		r, at := &h.Recordings[i], item(join(path, "recordings"), i)
		if r.Orientation != nil {
			c.unit(join(at, "orientation_xyzw"), r.Orientation)
		}
		switch name := join(at, "name"); {
		case !c.ok(name):
		case strings.ContainsAny(r.Name, "/\\"):
			c.fail(name, Mistake{Problem: "has a folder", Allowed: "the name of the file alone, for example run1.csv"})
		case first[r.Name] != "":
			c.fail(name, Mistake{Problem: "is the name of " + first[r.Name] + " too", Allowed: "each recording once"})
		default:
			first[r.Name] = at
		}
	}
}
