package ros

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// Hardware configures the comparison of the robot with a real one that gets the same
// commands: of the measurements on ~hardware/measured_cp and ~hardware/measured_js with the
// simulation at the same time.
type Hardware struct {
	// Port names the Out Pose port that ~hardware/measured_cp measures.
	Port string
	// Joints names the Out JointState port that ~hardware/measured_js measures;
	// empty means none.
	Joints string
	// Shape names the Out PoseArray port whose poses lie along the robot, base to tip: the points
	// that are measured on ~hardware/Shape are drawn over it. Empty means none.
	Shape string
	// Type is the type of ~hardware/measured_cp: PoseStamped, PointStamped (of which
	// no rotation is known) or TransformStamped of geometry_msgs.
	Type *msgs.Type
	// Frame is what its headers may name, beside nothing; Place is that frame's
	// pose in the world.
	Frame string
	Place spatial.Pose
	// Mirror is what measured rotations are multiplied by, behind Place, where that is a mirror image.
	Mirror spatial.Mat3
	// MarkM is the size (m) in which the hardware is drawn.
	MarkM float64
	// Live are the window, latency and limits of the comparison.
	Live hil.LiveOptions
}

// hardwareTypes are the messages of a measured pose.
var hardwareTypes = map[*msgs.Type]struct {
	decode    decoder
	rotations bool
}{
	geometry_msgs.PoseStampedType:      {decodePose, true},
	geometry_msgs.PointStampedType:     {decodePoint, false},
	geometry_msgs.TransformStampedType: {decodeTransform, true},
}

// hardware compares the robot with its hardware while both run.
type hardware struct {
	Hardware
	port, joints int // index of the ports, or -1
	live         *hil.Live
	stamper      *stamper
	out          *topicPublisher // hil_error
	refusals     *refusalLog
	log          *zap.Logger
	epoch        time.Duration // begin of the comparison's time: float64 seconds since 1970 would be too coarse

	measures atomic.Bool // poses or joints have arrived

	mu       sync.Mutex
	newest   hil.Error
	compared bool   // there is a newest
	warned   bool   // of poses that look like another unit
	refused  uint64 // messages
	heard    time.Duration
	pose     spatial.Pose  // newest of the hardware, in the world
	shape    []spatial.Vec // newest points along it, in the world
	pair     jointPair
}

// openHardware opens the topics of a comparison.
func openHardware(s *sim.Simulator, e *endpoints, o Options) (*hardware, error) {
	live, err := hil.NewLive(o.Hardware.Live)
	if err != nil {
		return nil, err
	}
	h := &hardware{
		Hardware: *o.Hardware, live: live, stamper: e.stamper, joints: -1,
		refusals: newRefusalLog("measurement", o.Log, o.Clock.Now), epoch: o.Clock.Now(), log: o.Log,
	}
	if o.SimTime {
		h.epoch = 0
	}
	ports := s.Ports()
	if h.port, err = outPort(ports, h.Port, sim.Pose); err != nil {
		return nil, err
	}
	if h.out, err = e.advertise(Topic{Name: "~hil_error", Type: sinew_msgs.HilErrorType}); err != nil {
		return nil, err
	}
	if err := h.openPose(e); err != nil {
		return nil, err
	}
	if h.Shape != "" {
		if _, err := outPort(ports, h.Shape, sim.PoseArray); err != nil {
			return nil, err
		}
		if err := h.openShape(e); err != nil {
			return nil, err
		}
	}
	if h.Joints == "" {
		return h, nil
	}
	if h.joints, err = outPort(ports, h.Joints, sim.JointState); err != nil {
		return nil, err
	}
	return h, h.openJoints(e, &ports[h.joints])
}

func outPort(ports []sim.Port, name string, k sim.Kind) (int, error) {
	for i, p := range ports {
		if p.Name == name && p.Kind == k && p.Direction == sim.Out {
			return i, nil
		}
	}
	return -1, fmt.Errorf("no output %q of the kind that hardware is compared with", name)
}

// openPose subscribes to the poses that are measured on the hardware.
func (h *hardware) openPose(e *endpoints) error {
	as, ok := hardwareTypes[h.Type]
	if !ok {
		return fmt.Errorf("hardware poses cannot be of type %s", h.Type.Name)
	}
	in := newInputPort(-1, &sim.Port{Name: "hardware/measured_cp", Kind: sim.Pose, Frames: []string{h.Frame}}, e.names)
	return e.subscribe(Topic{Name: "~hardware/measured_cp", Type: h.Type}, func(topic string) handler {
		v := make([]float64, in.port.Width())
		return func(got Received) bool {
			m := got.Message
			r := as.decode(in, m, v)
			if i := slices.IndexFunc(v, func(x float64) bool { return !spatial.IsFinite(x) }); i >= 0 && r.status == sim.Accepted {
				r = refusal{sim.NotFinite, fmt.Sprintf("value %d of the pose is %g", i, v[i])}
			}
			if r.status != sim.Accepted {
				h.refuse(topic, r)
				return true
			}
			stamp := headerStamp(m)
			if stamp == 0 {
				stamp = h.stamper.now()
			}
			h.measured(stamp, v, as.rotations)
			return true
		}
	})
}

// measured adds a pose x y z qx qy qz qw of the hardware, in its frame.
func (h *hardware) measured(stamp time.Duration, v []float64, rotations bool) {
	q := spatial.Quat{X: v[3], Y: v[4], Z: v[5], W: v[6]}
	pose := h.Place.Mul(spatial.Pose{R: q.Rot(), P: spatial.Vec{X: v[0], Y: v[1], Z: v[2]}})
	if h.Place.R.Det() < 0 {
		pose.R = pose.R.Mul(h.Mirror)
	}
	h.live.Hardware(h.time(stamp), pose, rotations)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard, h.pose = stamp, pose
	h.measures.Store(true)
}

func (h *hardware) refuse(topic string, r refusal) {
	h.mu.Lock()
	h.refused++
	h.mu.Unlock()
	h.refusals.add(topic, r)
}

func (h *hardware) time(stamp time.Duration) float64 { return (stamp - h.epoch).Seconds() }

// compare adds a snapshot and publishes the errors of the measurements that it covers.
func (h *hardware) compare(s *sim.Snapshot, at time.Duration) {
	v := s.Values[h.port]
	q := spatial.Quat{X: v[3], Y: v[4], Z: v[5], W: v[6]}
	h.live.Simulated(h.time(at), spatial.Pose{R: q.Rot(), P: spatial.Vec{X: v[0], Y: v[1], Z: v[2]}})
	if h.joints >= 0 {
		h.mu.Lock()
		h.pair.simulated = append(h.pair.simulated[:0], s.Values[h.joints]...)
		h.mu.Unlock()
	}
	for e, ok := h.live.Next(); ok; e, ok = h.live.Next() {
		h.mu.Lock()
		h.newest, h.compared = e, true
		warn := h.suspectUnit()
		first := warn != "" && !h.warned
		h.warned = h.warned || first
		h.mu.Unlock()
		if first {
			h.log.Warn(warn)
		}
		if h.out.wanted() {
			h.out.publish(msgs.At(at), h.message(e))
		}
	}
}

// suspectUnit returns a warning where the newest pose of the hardware is so far from the simulation that
// its unit is probably not metres; otherwise it is empty.
func (h *hardware) suspectUnit() string {
	const lengths, least = 30, 1.0 // of the robot; m, as far as the axes of a laboratory are apart
	if limit := max(lengths*h.Live.LengthM, least); h.newest.Norm <= limit {
		return ""
	}
	return fmt.Sprintf("hardware/measured_cp is %.3g m from the simulation of a robot of %.3g m: are its positions in mm? They must be in m, in the frame %s at hardware.position_m",
		h.newest.Norm, h.Live.LengthM, h.Frame)
}

// message returns an error with the stamp of the hardware's sample. Unknown values are
// NaN: the rotation of a point, the latency before there is an estimate.
func (h *hardware) message(e hil.Error) *sinew_msgs.HilError {
	return &sinew_msgs.HilError{
		Header:            header(h.out.seq, msgs.At(h.epoch+seconds(e.T)), sim.World),
		PositionError:     geometry_msgs.Vector3{X: e.Position.X, Y: e.Position.Y, Z: e.Position.Z},
		PositionErrorNorm: e.Norm,
		RotationError:     e.Rotation,
		PercentOfLength:   e.Percent,
		Latency:           e.Latency,
		Rmse:              e.RMSE,
		Max:               e.Max,
		Samples:           uint32(min(uint64(e.Samples), math.MaxUint32)),
	}
}
