package ros2_test

import (
	"bytes"
	"testing"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// TestBadRequests: what is no request of the type is refused, in every form.
func TestBadRequests(t *testing.T) {
	for name, s := range map[string]rtps.Sample{
		"nothing":             {Payload: ros2.JoinInTest()},
		"short":               {Payload: ros2.JoinInTest([]byte{1, 2, 3})},
		"surplus":             {Payload: ros2.JoinInTest(ros2.Little(1), ros2.Little(2))},
		"Cyclone, no header":  {Payload: ros2.JoinInTest(ros2.Little(1)), Vendor: rtps.VendorCyclone},
		"Cyclone, no request": {Payload: ros2.JoinInTest(ros2.Little(1), ros2.Little(2)), Vendor: rtps.VendorCyclone},
		"basic, no request":   {Payload: ros2.JoinInTest(ros2.Identity(ros2.ClientWriter, 1), []byte{1, 0, 0, 0, 0})},
		"basic, no name":      {Payload: ros2.JoinInTest(ros2.Identity(ros2.ClientWriter, 1), []byte{255, 255, 255, 255, 0})},
		"basic, long name":    {Payload: ros2.JoinInTest(ros2.Identity(ros2.ClientWriter, 1), []byte{255, 255, 255, 255, 0}), Vendor: rtps.VendorRustDDS},
	} {
		s.Writer = ros2.ClientWriter
		if _, m, err := ros2.ParseRequest(sinew_msgs.Step.Request, s); err == nil {
			t.Errorf("%s is taken as %+v", name, m)
		}
	}
}

// TestRequestForms writes a request in all forms, to the bytes of TestMappings.
func TestRequestForms(t *testing.T) {
	steps, none := ros2.Little(7), []byte{1, 0, 0, 0, 0}
	got := ros2.RequestForms(&sinew_msgs.StepRequest{Steps: 7}, rtps.SampleIdentity{Writer: ros2.ClientWriter, Sequence: 42})
	for i, want := range [][]byte{
		ros2.Enhanced:     ros2.JoinInTest(steps),
		ros2.Cyclone:      ros2.JoinInTest(ros2.LastHalf(ros2.ClientWriter), ros2.Little(42), steps),
		ros2.Basic:        ros2.JoinInTest(ros2.Identity(ros2.ClientWriter, 42), none, []byte{0, 0, 0}, steps),
		ros2.DetachedForm: ros2.JoinInTest(ros2.Identity(ros2.ClientWriter, 42), none, steps),
	} {
		if !bytes.Equal(got[i], want) {
			t.Errorf("form %d:\n%x, want\n%x", i, got[i], want)
		}
	}
}
