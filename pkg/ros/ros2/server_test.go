package ros2_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// TestServeManyClients calls from several nodes at once; everybody gets the
// replies to its own requests.
func TestServeManyClients(t *testing.T) {
	t.Parallel()
	server, _ := ros2.Node(t, "/sim")
	if err := server.Serve("/many/step", sinew_msgs.Step, ros.Deferred(ros2.Echo)); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 4 {
		tr, _ := ros2.Node(t, fmt.Sprint("/client", i))
		c := client(t, tr, "/many/step", sinew_msgs.Step)
		wait.Go(func() {
			for k := range 250 {
				want := uint64(1000*i + k)
				ctx, cancel := context.WithTimeout(context.Background(), ros2.Patience)
				m, err := c.Call(ctx, &sinew_msgs.StepRequest{Steps: want})
				cancel()
				if err != nil || m.(*sinew_msgs.StepResponse).SimTime != float64(want) {
					t.Errorf("client %d: %+v, error %v, want %d", i, m, err, want)
					return
				}
			}
		})
	}
	wait.Wait()
}

// TestWaitingCallsBlockNobody lets one call of a service wait: the same client's
// calls of another service and other clients' calls of the same are answered.
func TestWaitingCallsBlockNobody(t *testing.T) {
	t.Parallel()
	server, _ := ros2.Node(t, "/sim")
	release := make(chan struct{})
	step := func(m msgs.Message) msgs.Message {
		if m.(*sinew_msgs.StepRequest).Steps == 1 {
			<-release
		}
		return ros2.Echo(m)
	}
	stop := func(msgs.Message) msgs.Message { return &std_srvs.TriggerResponse{Success: true} }
	if err := server.Serve("/sim/step", sinew_msgs.Step, ros.Deferred(step)); err != nil {
		t.Fatal(err)
	}
	if err := server.Serve("/sim/e_stop", std_srvs.Trigger, ros.Deferred(stop)); err != nil {
		t.Fatal(err)
	}
	a, _ := ros2.Node(t, "/a")
	b, _ := ros2.Node(t, "/b")
	stepA, stopA, stepB := client(t, a, "/sim/step", sinew_msgs.Step), client(t, a, "/sim/e_stop", std_srvs.Trigger), client(t, b, "/sim/step", sinew_msgs.Step)
	first := make(chan msgs.Message, 1)
	go func() {
		defer close(first)
		first <- called(t, stepA, &sinew_msgs.StepRequest{Steps: 1})
	}()
	if r := called(t, stopA, &std_srvs.TriggerRequest{}).(*std_srvs.TriggerResponse); !r.Success {
		t.Errorf("e_stop while a step waits: %+v", r)
	}
	if r := called(t, stepB, &sinew_msgs.StepRequest{Steps: 2}).(*sinew_msgs.StepResponse); r.SimTime != 2 {
		t.Errorf("step of another client while a step waits: %+v", r)
	}
	select {
	case r := <-first:
		t.Errorf("the waiting step has been answered: %+v", r)
	default:
	}
	close(release)
	if r, ok := (<-first).(*sinew_msgs.StepResponse); !ok || r.SimTime != 1 {
		t.Errorf("the step that waited: %+v", r)
	}
}

// TestServeBrokenHandle: a handle that fails is answered for.
func TestServeBrokenHandle(t *testing.T) {
	t.Parallel()
	server, logs := ros2.Node(t, "/sim")
	tr, _ := ros2.Node(t, "/client")
	for name, c := range map[string]struct {
		handle func(msgs.Message) msgs.Message
		want   string
	}{
		"panics":  {func(msgs.Message) msgs.Message { panic("out of order") }, "internal error: out of order"},
		"nothing": {func(msgs.Message) msgs.Message { return nil }, "internal error: no std_srvs/TriggerResponse but <nil>"},
		"other":   {func(msgs.Message) msgs.Message { return &std_srvs.SetBoolResponse{} }, "but *std_srvs.SetBoolResponse"},
	} {
		if err := server.Serve("/broken/"+name, std_srvs.Trigger, ros.Deferred(c.handle)); err != nil {
			t.Fatal(err)
		}
		r := called(t, client(t, tr, "/broken/"+name, std_srvs.Trigger), &std_srvs.TriggerRequest{}).(*std_srvs.TriggerResponse)
		if r.Success || !strings.Contains(r.Message, c.want) {
			t.Errorf("%s: %+v, want no success and %q", name, r, c.want)
		}
	}
	if n := logs.FilterMessage("service failed").Len(); n != 3 {
		t.Errorf("%d errors logged, want 3", n)
	}
}

// TestServeRefuses wrong names and types, and a name twice.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	tr, _ := ros2.Node(t, "/sim")
	if err := tr.Serve("/sim/reset", std_srvs.Trigger, ros.Deferred(ros2.Echo)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"/sim/reset": "already provided",
		"sim/reset":  "must begin with /",
		"/sim//x":    "empty element",
		"/" + strings.Repeat("x", ros2.MaxTopic-len(ros2.RequestSuffix)): "at most 240 are allowed",
	} {
		if err := tr.Serve(name, std_srvs.Trigger, ros.Deferred(ros2.Echo)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", name, err, want)
		}
	}
	one := &msgs.Service{Name: "x/Y", Request: &msgs.Type{}, Response: &msgs.Type{}}
	if err := tr.Serve("/sim/one", one, ros.Deferred(ros2.Echo)); !errors.Is(err, ros.ErrUnknownType) {
		t.Errorf("service of ROS 1 alone: %v", err)
	}
}

// TestLateReplyReader: a reply that is written before the client's reader is
// known reaches it alone.
func TestLateReplyReader(t *testing.T) {
	t.Parallel()
	server, _ := ros2.Node(t, "/sim")
	if err := server.Serve("/sim/late", sinew_msgs.Step, ros.Deferred(ros2.Echo)); err != nil {
		t.Fatal(err)
	}
	p, other := ros2.Foreign(t), ros2.Foreign(t)
	writer, err := p.NewWriter(rtps.WriterOptions{Topic: "rq/sim/lateRequest", Type: sinew_msgs.Step.Request.DDSName, QoS: ros2.ServiceQoS})
	if err != nil {
		t.Fatal(err)
	}
	listen := func(p *rtps.Participant) *bounded.Queue[rtps.Sample] {
		q := bounded.NewQueue[rtps.Sample](100)
		_, err := p.NewReader(rtps.ReaderOptions{
			Topic: "rr/sim/lateReply", Type: sinew_msgs.Step.Response.DDSName, QoS: ros2.ServiceQoS,
			Receive: func(s rtps.Sample) { q.Put(s) },
		})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	ros2.Eventually(t, "the server", func() bool { return writer.Matched() > 0 })
	n, err := writer.WriteNumbered(rtps.WriteOptions{}, (&sinew_msgs.StepRequest{Steps: 7}).AppendCDR(nil))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // the reply is written meanwhile
	mine, others := listen(p), listen(other)
	ros2.Eventually(t, "the reply", func() bool { return mine.Len() > 0 })
	s, _ := mine.Take()
	want := rtps.SampleIdentity{Writer: writer.GUID(), Sequence: n}
	var m sinew_msgs.StepResponse
	if err := m.ParseCDR(s.Payload); err != nil || m.SimTime != 7 || s.Related != want {
		t.Errorf("%+v related to %v, error %v, want 7 related to %v", m, s.Related, err, want)
	}
	time.Sleep(100 * time.Millisecond)
	if others.Len() > 0 {
		t.Error("another participant got the reply too")
	}
}
