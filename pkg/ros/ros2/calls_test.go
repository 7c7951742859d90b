package ros2

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/simulation_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// TestRefusedCallsAreAnswered: who calls too often while a call waits is told so, at once, by a
// service whose result is one of simulation_interfaces too.
func TestRefusedCallsAreAnswered(t *testing.T) {
	t.Parallel()
	server, _ := node(t, "/sim")
	begun, release := make(chan struct{}, 1+maxCallerWaiting), make(chan struct{})
	step := func(msgs.Message) msgs.Message {
		begun <- struct{}{}
		<-release
		return &simulation_interfaces.StepSimulationResponse{Result: simulation_interfaces.Result{Result: simulation_interfaces.ResultResultOk}}
	}
	if err := server.Serve("/sim/step_simulation", simulation_interfaces.StepSimulation, ros.AnyOrder(step)); err != nil {
		t.Fatal(err)
	}
	tr, _ := node(t, "/caller")
	c := client(t, tr, "/sim/step_simulation", simulation_interfaces.StepSimulation)
	const over = 5
	results := make(chan simulation_interfaces.Result, maxCallerWaiting+1+over)
	for i := range cap(results) {
		if i == 1 { // the first is being answered, and waits no more
			<-begun
		}
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			m, err := c.Call(ctx, &simulation_interfaces.StepSimulationRequest{Steps: 1})
			if err != nil {
				m = &simulation_interfaces.StepSimulationResponse{Result: simulation_interfaces.Result{ErrorMessage: err.Error()}}
			}
			results <- m.(*simulation_interfaces.StepSimulationResponse).Result
		}()
	}
	for range over {
		if r := <-results; r.Result != simulation_interfaces.ResultResultOperationFailed || !strings.Contains(r.ErrorMessage, "32 calls of this client wait already") {
			t.Errorf("while 33 wait: %+v", r)
		}
	}
	close(release)
	for range maxCallerWaiting + 1 {
		if r := <-results; r.Result != simulation_interfaces.ResultResultOk {
			t.Errorf("one that waited: %+v", r)
		}
	}
}

// TestLargeRequest: one of many fragments is answered, and one that is too large is refused
// with its size.
func TestLargeRequest(t *testing.T) {
	t.Parallel()
	server, _ := node(t, "/sim")
	set := func(m msgs.Message) msgs.Message {
		n := len(m.(*rcl_interfaces.SetParametersAtomicallyRequest).Parameters[0].Name)
		return &rcl_interfaces.SetParametersAtomicallyResponse{Result: rcl_interfaces.SetParametersResult{Successful: true, Reason: fmt.Sprint(n)}}
	}
	if err := server.Serve("/sim/set", rcl_interfaces.SetParametersAtomically, ros.AnyOrder(set)); err != nil {
		t.Fatal(err)
	}
	tr, _ := node(t, "/caller")
	c := client(t, tr, "/sim/set", rcl_interfaces.SetParametersAtomically)
	for bytes, want := range map[int]string{
		maxRequest - 200: fmt.Sprint(maxRequest - 200), maxRequest + 1: "bytes, at most 1048576 are allowed",
	} {
		q := &rcl_interfaces.SetParametersAtomicallyRequest{Parameters: []rcl_interfaces.Parameter{{Name: strings.Repeat("x", bytes)}}}
		r := called(t, c, q).(*rcl_interfaces.SetParametersAtomicallyResponse).Result
		if r.Successful != (bytes < maxRequest) || !strings.HasSuffix(r.Reason, want) {
			t.Errorf("%d bytes: %v, %.100q; want %q", bytes, r.Successful, r.Reason, want)
		}
	}
}

// TestCallerInWorkIsRemembered: a client that is being answered is not forgotten for others,
// or what it sends again would be done twice.
func TestCallerInWorkIsRemembered(t *testing.T) {
	t.Parallel()
	s, release, handled := queued(t)
	const sent = 1_000_000_000 // s
	at := time.Unix(sent, 0)
	s.take(asked(1, 1, at))
	for who := range 2 * maxCallers {
		s.mu.Lock()
		other := rtps.GUID{Prefix: [12]byte{2, byte(who), byte(who >> 8)}}
		if len(s.callers) >= maxCallers {
			s.forget()
		}
		s.callers[other] = &caller{taken: uint64(2 + who)}
		s.mu.Unlock()
	}
	s.take(asked(1, 1, at))
	close(release)
	eventually(t, "the call is answered", func() bool { return handled.Load() > 0 })
	time.Sleep(20 * time.Millisecond)
	if n := handled.Load(); n != 1 {
		t.Errorf("the call is done %d times", n)
	}
}

// TestRepliesOfTwoServers: the first reply counts, and a second one, of another server or
// repeated, holds up nobody. Either identity of the client names it.
func TestRepliesOfTwoServers(t *testing.T) {
	t.Parallel()
	tr, _ := node(t, "/caller")
	c, err := tr.NewClient("/nobody/set", rcl_interfaces.SetParametersAtomically)
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range []rtps.GUID{c.writer.GUID(), c.reader.GUID()} {
		answer, n, err := c.send(&rcl_interfaces.SetParametersAtomicallyRequest{})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, reason := range []string{"first", "second", "third"} {
				r := &rcl_interfaces.SetParametersAtomicallyResponse{Result: rcl_interfaces.SetParametersResult{Reason: reason}}
				c.take(rtps.Sample{Related: rtps.SampleIdentity{Writer: own, Sequence: n}, Payload: r.AppendCDR(nil)})
			}
		}()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatal("a second reply waits for ever")
		}
		select {
		case m := <-answer:
			if r := m.(*rcl_interfaces.SetParametersAtomicallyResponse).Result.Reason; r != "first" {
				t.Errorf("the %s reply counts", r)
			}
		default:
			t.Errorf("no reply to %v", own)
		}
	}
}
