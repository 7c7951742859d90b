package ros2_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/simulation_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
)

// TestRefusedCallsAreAnswered: a client that calls too often while a call waits gets a refusal, at once, by a
// service whose result is one of simulation_interfaces too.
func TestRefusedCallsAreAnswered(t *testing.T) {
	t.Parallel()
	server, _ := ros2.Node(t, "/sim")
	begun, release := make(chan struct{}, 1+ros2.MaxCallerWaiting), make(chan struct{})
	step := func(msgs.Message) msgs.Message {
		begun <- struct{}{}
		<-release
		return &simulation_interfaces.StepSimulationResponse{Result: simulation_interfaces.Result{Result: simulation_interfaces.ResultResultOk}}
	}
	if err := server.Serve("/sim/step_simulation", simulation_interfaces.StepSimulation, ros.Deferred(step)); err != nil {
		t.Fatal(err)
	}
	tr, _ := ros2.Node(t, "/caller")
	c := client(t, tr, "/sim/step_simulation", simulation_interfaces.StepSimulation)
	const over = 5
	results := make(chan simulation_interfaces.Result, ros2.MaxCallerWaiting+1+over)
	for i := range cap(results) {
		if i == 1 { // the first is being answered, and waits no more
			<-begun
		}
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), ros2.Patience)
			defer cancel()
			m, err := c.Call(ctx, &simulation_interfaces.StepSimulationRequest{Steps: 1})
			if err != nil {
				m = &simulation_interfaces.StepSimulationResponse{Result: simulation_interfaces.Result{ErrorMessage: err.Error()}}
			}
			results <- m.(*simulation_interfaces.StepSimulationResponse).Result
		}()
	}
	for range over {
		if r := <-results; r.Result != simulation_interfaces.ResultResultOperationFailed || !strings.Contains(r.ErrorMessage, "32 calls of this client are waiting") {
			t.Errorf("while 33 wait: %+v", r)
		}
	}
	close(release)
	for range ros2.MaxCallerWaiting + 1 {
		if r := <-results; r.Result != simulation_interfaces.ResultResultOk {
			t.Errorf("one that waited: %+v", r)
		}
	}
}

// TestLargeRequest: one of many fragments is answered, and one that is too large is refused
// with its size.
func TestLargeRequest(t *testing.T) {
	t.Parallel()
	server, _ := ros2.Node(t, "/sim")
	set := func(m msgs.Message) msgs.Message {
		n := len(m.(*rcl_interfaces.SetParametersAtomicallyRequest).Parameters[0].Name)
		return &rcl_interfaces.SetParametersAtomicallyResponse{Result: rcl_interfaces.SetParametersResult{Successful: true, Reason: fmt.Sprint(n)}}
	}
	if err := server.Serve("/sim/set", rcl_interfaces.SetParametersAtomically, ros.Deferred(set)); err != nil {
		t.Fatal(err)
	}
	tr, _ := ros2.Node(t, "/caller")
	c := client(t, tr, "/sim/set", rcl_interfaces.SetParametersAtomically)
	for bytes, want := range map[int]string{
		ros2.MaxRequest - 200: fmt.Sprint(ros2.MaxRequest - 200), ros2.MaxRequest + 1: "bytes, at most 1048576 are allowed",
	} {
		q := &rcl_interfaces.SetParametersAtomicallyRequest{Parameters: []rcl_interfaces.Parameter{{Name: strings.Repeat("x", bytes)}}}
		r := called(t, c, q).(*rcl_interfaces.SetParametersAtomicallyResponse).Result
		if r.Successful != (bytes < ros2.MaxRequest) || !strings.HasSuffix(r.Reason, want) {
			t.Errorf("%d bytes: %v, %.100q; want %q", bytes, r.Successful, r.Reason, want)
		}
	}
}
