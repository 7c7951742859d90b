package ros

import (
	"testing"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
)

// serialiser is a Publisher that wants each message in one form.
type serialiser struct {
	form func(*Sample) []byte
	sent int
}

func (p *serialiser) Wanted() bool      { return true }
func (p *serialiser) Publish(s *Sample) { p.sent += len(p.form(s)) }

// TestPoseIsAllocatedOnce: a pose costs the Sample and its bytes in each form, whoever and how
// many want it, and nothing that grows.
func TestPoseIsAllocatedOnce(t *testing.T) {
	cdr, ros1 := &serialiser{form: (*Sample).CDR}, &serialiser{form: (*Sample).ROS1}
	f := &topicPublisher{publishers: []Publisher{cdr, ros1, cdr, ros1}}
	m := &geometry_msgs.PoseStamped{}
	m.Header.FrameID = "world"
	if n := testing.AllocsPerRun(100, func() { f.publish(msgs.Time(0), m) }); n != 3 {
		t.Errorf("%g allocations for a pose, want 3", n)
	}
	if want := len(m.AppendCDR(nil)); cdr.sent != 2*101*want {
		t.Errorf("%d bytes of CDR, want %d", cdr.sent, 2*101*want)
	}
}

// TestSwarmIsAllocatedOnce: the buffer of a message as large as the one before it does not grow.
func TestSwarmIsAllocatedOnce(t *testing.T) {
	cdr := &serialiser{form: (*Sample).CDR}
	f := &topicPublisher{publishers: []Publisher{cdr}}
	m := &sinew_msgs.Scene{Shapes: []sinew_msgs.SceneShapes{{Data: make([]float32, 70000)}}}
	f.publish(msgs.Time(0), m)
	if n := testing.AllocsPerRun(20, func() { f.publish(msgs.Time(0), m) }); n != 2 {
		t.Errorf("%g allocations for a scene, want 2", n)
	}
}
