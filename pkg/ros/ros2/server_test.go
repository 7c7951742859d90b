package ros2

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps"
)

// echo answers a step with its number of steps as the simulated time.
func echo(m msgs.Message) msgs.Message {
	return &sinew_msgs.StepResponse{Success: true, SimTime: float64(m.(*sinew_msgs.StepRequest).Steps)}
}

// TestServeManyClients calls from several nodes at once; everybody gets the
// replies to its own requests.
func TestServeManyClients(t *testing.T) {
	t.Parallel()
	server, _ := node(t, "/sim")
	if err := server.Serve("/many/step", sinew_msgs.Step, ros.AnyOrder(echo)); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 4 {
		tr, _ := node(t, fmt.Sprint("/client", i))
		c := client(t, tr, "/many/step", sinew_msgs.Step)
		wait.Go(func() {
			for k := range 250 {
				want := uint64(1000*i + k)
				ctx, cancel := context.WithTimeout(context.Background(), patience)
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
	server, _ := node(t, "/sim")
	release := make(chan struct{})
	step := func(m msgs.Message) msgs.Message {
		if m.(*sinew_msgs.StepRequest).Steps == 1 {
			<-release
		}
		return echo(m)
	}
	stop := func(msgs.Message) msgs.Message { return &std_srvs.TriggerResponse{Success: true} }
	if err := server.Serve("/sim/step", sinew_msgs.Step, ros.AnyOrder(step)); err != nil {
		t.Fatal(err)
	}
	if err := server.Serve("/sim/e_stop", std_srvs.Trigger, ros.AnyOrder(stop)); err != nil {
		t.Fatal(err)
	}
	a, _ := node(t, "/a")
	b, _ := node(t, "/b")
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
	server, logs := node(t, "/sim")
	tr, _ := node(t, "/client")
	for name, c := range map[string]struct {
		handle func(msgs.Message) msgs.Message
		want   string
	}{
		"panics":  {func(msgs.Message) msgs.Message { panic("out of order") }, "internal error: out of order"},
		"nothing": {func(msgs.Message) msgs.Message { return nil }, "internal error: no std_srvs/TriggerResponse but <nil>"},
		"other":   {func(msgs.Message) msgs.Message { return &std_srvs.SetBoolResponse{} }, "but *std_srvs.SetBoolResponse"},
	} {
		if err := server.Serve("/broken/"+name, std_srvs.Trigger, ros.AnyOrder(c.handle)); err != nil {
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
	tr, _ := node(t, "/sim")
	if err := tr.Serve("/sim/reset", std_srvs.Trigger, ros.AnyOrder(echo)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"/sim/reset": "already provided",
		"sim/reset":  "must begin with /",
		"/sim//x":    "empty element",
		"/" + strings.Repeat("x", maxTopic-len(requestSuffix)): "at most 240 are allowed",
	} {
		if err := tr.Serve(name, std_srvs.Trigger, ros.AnyOrder(echo)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", name, err, want)
		}
	}
	one := &msgs.Service{Name: "x/Y", Request: &msgs.Type{}, Response: &msgs.Type{}}
	if err := tr.Serve("/sim/one", one, ros.AnyOrder(echo)); !errors.Is(err, ros.ErrUnknownType) {
		t.Errorf("service of ROS 1 alone: %v", err)
	}
}

// queued is a server without a network; its handle waits until it is released.
func queued(t *testing.T) (s *server, release chan struct{}, handled *atomic.Int64) {
	t.Helper()
	release, handled = make(chan struct{}), new(atomic.Int64)
	tr, _ := node(t, "/queued")
	s = &server{
		name: "/sim/step", kind: sinew_msgs.Step, log: zap.NewNop(), warnings: newWarnings(zap.NewNop()),
		bad: new(atomic.Uint64), callers: map[rtps.GUID]*caller{},
		handle: ros.AnyOrder(func(m msgs.Message) msgs.Message { <-release; handled.Add(1); return echo(m) }),
	}
	if _, _, err := s.open(tr, "rq/queuedRequest", "rr/queuedReply"); err != nil {
		t.Fatal(err)
	}
	return s, release, handled
}

// asked is request n of client number who.
func asked(who byte, n int64, written time.Time) rtps.Sample {
	return rtps.Sample{
		Writer: rtps.GUID{Prefix: [12]byte{who}, Entity: [4]byte{0, 0, 1, 3}}, Sequence: n, Source: written,
		Payload: (&sinew_msgs.StepRequest{Steps: uint64(n)}).AppendCDR(nil),
	}
}

// TestFloodOfCalls: what waits has bounds, of one client and of all.
func TestFloodOfCalls(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	for i := range 100 * maxCallerWaiting {
		s.take(asked(1, int64(1+i), time.Time{}))
	}
	if n := s.bad.Load(); n < 99*maxCallerWaiting-1 || n > 99*maxCallerWaiting {
		t.Errorf("%d calls of one client refused, want all but the %d that wait and one", n, maxCallerWaiting)
	}
	for who := range byte(200) {
		for i := range 10 {
			s.take(asked(2+who, int64(1+i), time.Time{}))
		}
	}
	s.mu.Lock()
	if s.waiting > maxWaiting || s.bytes > maxWaitingBytes {
		t.Errorf("%d calls with %d bytes wait", s.waiting, s.bytes)
	}
	s.mu.Unlock()
	close(release)
	eventually(t, "all that waited is answered", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		running := false
		for _, c := range s.callers {
			running = running || c.running
		}
		return s.waiting == 0 && s.bytes == 0 && !running
	})
	if n := handled.Load(); n < maxWaiting {
		t.Errorf("%d calls answered, want at least %d", n, maxWaiting)
	}
	for who := range 3 * maxCallers {
		sample := asked(0, 1, time.Time{})
		sample.Writer.Prefix[1], sample.Writer.Prefix[2] = byte(who), byte(who>>8)
		s.take(sample)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.callers); n > maxCallers {
		t.Errorf("%d clients are remembered, at most %d may be", n, maxCallers)
	}
}

// TestClientDies drops the calls of a client that ends.
func TestClientDies(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	for i := range 10 {
		s.take(asked(1, int64(1+i), time.Time{}))
	}
	eventually(t, "the first is being answered", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.waiting == 9
	})
	s.gone(asked(1, 1, time.Time{}).Writer)
	s.mu.Lock()
	if s.waiting != 0 || s.bytes != 0 {
		t.Errorf("%d calls with %d bytes wait for a dead client", s.waiting, s.bytes)
	}
	s.mu.Unlock()
	close(release)
	eventually(t, "the goroutine ends", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return !s.callers[asked(1, 1, time.Time{}).Writer].running
	})
	if n := handled.Load(); n != 1 {
		t.Errorf("%d calls carried through, want the one that had begun", n)
	}
}

// TestNoCallTwice: a client that was thought gone sends again what it has kept;
// a new process with the same GUID counts from 1.
func TestNoCallTwice(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	close(release)
	start := time.Unix(1000, 0)
	settle := func(want int64) {
		t.Helper()
		eventually(t, fmt.Sprint(want, " calls answered"), func() bool { return handled.Load() >= want })
		time.Sleep(20 * time.Millisecond)
		if n := handled.Load(); n != want {
			t.Errorf("%d calls answered, want %d", n, want)
		}
	}
	for i := range 5 {
		s.take(asked(1, int64(1+i), start.Add(time.Duration(i)*time.Second)))
	}
	settle(5)
	s.gone(asked(1, 1, start).Writer)
	for i := range 5 {
		s.take(asked(1, int64(1+i), start.Add(time.Duration(i)*time.Second)))
	}
	settle(5)
	for i := range 5 {
		s.take(asked(1, int64(1+i), start.Add(time.Duration(10+i)*time.Second)))
	}
	settle(10)
}

// TestLateReplyReader: a reply that is written before the client's reader is
// known reaches it, and nobody else.
func TestLateReplyReader(t *testing.T) {
	t.Parallel()
	server, _ := node(t, "/sim")
	if err := server.Serve("/sim/late", sinew_msgs.Step, ros.AnyOrder(echo)); err != nil {
		t.Fatal(err)
	}
	p, other := foreign(t), foreign(t)
	writer, err := p.NewWriter(rtps.WriterOptions{Topic: "rq/sim/lateRequest", Type: sinew_msgs.Step.Request.DDSName, QoS: serviceQoS})
	if err != nil {
		t.Fatal(err)
	}
	listen := func(p *rtps.Participant) *bounded.Queue[rtps.Sample] {
		q := bounded.NewQueue[rtps.Sample](100)
		_, err := p.NewReader(rtps.ReaderOptions{
			Topic: "rr/sim/lateReply", Type: sinew_msgs.Step.Response.DDSName, QoS: serviceQoS,
			Receive: func(s rtps.Sample) { q.Put(s) },
		})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	eventually(t, "the server", func() bool { return writer.Matched() > 0 })
	n, err := writer.WriteNumbered(rtps.WriteOptions{}, (&sinew_msgs.StepRequest{Steps: 7}).AppendCDR(nil))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // the reply is written meanwhile
	mine, others := listen(p), listen(other)
	eventually(t, "the reply", func() bool { return mine.Len() > 0 })
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
