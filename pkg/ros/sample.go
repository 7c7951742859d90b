package ros

import "sinew/msgs"

// Sample is one message on its way to networks and recordings. Each of its
// serialised forms is made once, when the first of them asks for it. A Sample is
// used by one goroutine at a time; what it gives may be kept, but not changed.
type Sample struct {
	// Time is when the message was made or arrived, in the time that stamps are
	// in: what a recording logs it at.
	Time msgs.Time

	message   msgs.Message
	cdr, ros1 []byte
	room      int // bytes that a serialisation probably takes
}

// NewSample makes a Sample of m, which must not be changed afterwards.
func NewSample(m msgs.Message) *Sample { return &Sample{message: m} }

// Message is the message itself.
func (s *Sample) Message() msgs.Message { return s.message }

// CDR is the ROS 2 serialisation with its encapsulation header; see
// [msgs.Message]. It is empty for a message that ROS 2 does not have.
func (s *Sample) CDR() []byte {
	if s.cdr == nil {
		s.cdr = s.message.AppendCDR(make([]byte, 0, s.room))
	}
	return s.cdr
}

// ROS1 is the ROS 1 serialisation, without its length. It is empty for a message
// that ROS 1 does not have.
func (s *Sample) ROS1() []byte {
	if s.ros1 == nil {
		s.ros1 = s.message.AppendROS1(make([]byte, 0, s.room))
	}
	return s.ros1
}
