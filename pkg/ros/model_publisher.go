package ros

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// ModelPublisher publishes what a model shows: the messages of its Out ports, its
// frames and its scene. A Bridge has one; alone it serves simulations without a
// loop.
type ModelPublisher struct {
	names      *naming.Names
	transports []Transport

	outputs []*outputPort
	frames  *frameTree
	tf      *topicPublisher // nil without frames

	scene      *topicPublisher // to transports that are a SceneViewer
	meshes     *topicPublisher // to the same, the triangles of scenes
	given      marker.Meshes   // what viewers have of them
	markers    *topicPublisher
	drawing    marker.Writer
	markerPace throttle
}

// markerPeriod bounds the rate of markers to 30 Hz.
const markerPeriod = time.Second / 30

// NewModelPublisher opens the topics of a model with these ports on the transports.
// Of a Path it keeps pathPoses poses; 0 means 1000.
func NewModelPublisher(ports []sim.Port, names *naming.Names, transports []Transport, pathPoses int) (*ModelPublisher, error) {
	if pathPoses <= 0 {
		pathPoses = 1000
	}
	s := &ModelPublisher{names: names, transports: transports, markerPace: throttle{period: markerPeriod}}
	var err error
	if s.frames, err = newFrameTree(ports, names.Frame); err != nil {
		return nil, err
	}
	if len(s.frames.links) > 0 {
		if s.tf, err = advertise(names, transports, Topic{Name: "/tf", Type: tf2_msgs.TFMessageType}); err != nil {
			return nil, err
		}
	}
	if s.markers, err = advertise(names, transports, Topic{Name: "~markers", Type: visualization_msgs.MarkerArrayType}); err != nil {
		return nil, err
	}
	if s.scene, err = advertise(names, sceneViewers(transports), Topic{Name: "~scene", Type: sinew_msgs.SceneType, Lossy: true}); err != nil {
		return nil, err
	}
	if s.meshes, err = advertise(names, sceneViewers(transports), Topic{Name: "~meshes", Type: sinew_msgs.SceneType, Latched: true}); err != nil {
		return nil, err
	}
	var errs []error
	for i := range ports {
		if p := &ports[i]; p.Direction == sim.Out && !p.Silent {
			errs = append(errs, s.openOutput(i, p, pathPoses))
		}
	}
	return s, errors.Join(errs...)
}

func (s *ModelPublisher) openOutput(index int, p *sim.Port, pathPoses int) error {
	c, ok := codecs[p.Kind]
	if !ok {
		return fmt.Errorf("port %q has unknown kind %d", p.Name, p.Kind)
	}
	o := &outputPort{codec: c, port: p, index: index}
	for _, f := range p.Frames {
		o.frames = append(o.frames, s.names.Frame(f))
	}
	if len(o.frames) > 0 {
		o.frame = o.frames[0]
	}
	if p.Kind == sim.Transforms {
		for _, name := range p.Labels {
			o.children = append(o.children, s.names.Frame(name))
		}
	}
	if p.Kind == sim.Path {
		o.history = newPathHistory(pathPoses)
	}
	var err error
	o.topicPublisher, err = advertise(s.names, s.transports, Topic{Name: "~" + p.Name, Type: c.messageType, Lossy: p.Pace == sim.Fast})
	s.outputs = append(s.outputs, o)
	if topic, encode := companionOf(p); encode != nil && err == nil {
		o.beside = &companion{encode: encode}
		topic.Name = "~" + topic.Name
		o.beside.topicPublisher, err = advertise(s.names, s.transports, topic)
	}
	return err
}

// DisableTopics switches topics off, and all others on: the names of ports, markers and tf. What is
// disabled is not even made. Any goroutine may call it.
func (s *ModelPublisher) DisableTopics(names []string) {
	s.markers.silent.Store(slices.Contains(names, "markers"))
	if s.tf != nil {
		s.tf.silent.Store(slices.Contains(names, "tf"))
	}
	for _, o := range s.outputs {
		o.silent.Store(slices.Contains(names, o.port.Name))
		if o.beside != nil {
			o.beside.silent.Store(slices.Contains(names, o.port.Name))
		}
	}
}

// Publish publishes a snapshot: all its messages bear the stamp at, a duration
// since the Unix epoch. Of the snapshot it uses SimTime, Slow and Values.
func (s *ModelPublisher) Publish(shot *sim.Snapshot, at time.Duration) {
	stamp := msgs.At(at)
	for _, o := range s.outputs {
		o.send(shot, stamp)
	}
	if s.frames.due(at) && s.tf.wanted() {
		s.tf.publish(stamp, s.frames.message(s.tf.seq, stamp, shot.Values))
	}
}

// PublishScene publishes a scene drawn at a time of at since the Unix epoch, unless the
// last one was drawn less than a thirtieth of a second before. Another goroutine
// than the caller of Publish may call it.
func (s *ModelPublisher) PublishScene(scene *sim.Scene, at time.Duration) {
	if s.markersDue(at) {
		s.publishMarkers(scene, msgs.At(at))
	}
}

// publishScene publishes a scene to the viewers that draw scenes themselves, and before it triangles that they do
// not have.
func (s *ModelPublisher) publishScene(scene *sim.Scene, stamp msgs.Time) {
	if !s.scene.wanted() {
		return
	}
	if s.given.Changed(scene) {
		s.meshes.publish(stamp, marker.Triangles(scene, s.meshes.seq, stamp))
	}
	s.scene.publish(stamp, marker.Scene(scene, s.scene.seq, stamp))
}

// markersDue reports whether markers of that time should go out, and takes that as
// done.
func (s *ModelPublisher) markersDue(at time.Duration) bool {
	return s.markers.wanted() && s.markerPace.due(at)
}

func (s *ModelPublisher) publishMarkers(scene *sim.Scene, stamp msgs.Time) {
	s.markers.publish(stamp, s.drawing.Message(scene, s.markers.seq, stamp))
}

// throttle bounds the mean rate of what is sent at the time of snapshots. Its
// deadlines lie on a grid, and a tenth of a period early is in time: the jitter
// of stamps then neither adds up nor halves a rate that is just the bound.
type throttle struct {
	period     time.Duration
	next, last time.Duration
	begun      bool
}

// due reports whether something is due at the time now, and takes it as done.
// When time goes back, as simulation time does on a reset, it begins anew.
func (t *throttle) due(now time.Duration) bool {
	switch {
	case !t.begun || now < t.last || now-t.next >= t.period:
		t.next = now + t.period
	case now < t.next-t.period/10:
		return false
	default:
		t.next += t.period
	}
	t.last, t.begun = now, true
	return true
}
