package ros_test

import (
	"fmt"
	"strings"
	"testing"

	"sinew/msgs"
	"sinew/msgs/lifecycle_msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/simulation_interfaces"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
	"sinew/msgs/type_description_interfaces"
	"sinew/pkg/ros"
)

// A caller that is refused must get an answer, in whatever fields the service has for it: without
// an answer it waits for ever. Where no field says that it failed, an answer would be a lie.
func TestFailure(t *testing.T) {
	const why = "32 calls of this client wait already"
	for _, c := range []struct {
		service   *msgs.Service
		hasReason bool
		want      string
	}{
		{std_srvs.Trigger, true, "{false " + why + "}"},
		{sinew_msgs.Step, true, "{false " + why + " 0}"},
		{lifecycle_msgs.ChangeState, true, "{false}"},
		{rcl_interfaces.SetParametersAtomically, true, "{{false " + why + "}}"},
		{simulation_interfaces.StepSimulation, true, "{{4 " + why + "}}"},
		{simulation_interfaces.SetSimulationState, true, "{{4 " + why + "}}"},
		{simulation_interfaces.GetEntityState, true, "{{4 " + why + "} "},
		{type_description_interfaces.GetTypeDescription, true, "{false " + why + " "},
		{rcl_interfaces.ListParameters, false, "{{[] []}}"},
		{lifecycle_msgs.GetState, false, "{{0 }}"},
	} {
		r, hasReason := ros.Failure(c.service, why)
		if got := strings.TrimPrefix(fmt.Sprintf("%v", r), "&"); hasReason != c.hasReason || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %v, %s; want %v, %s", c.service.Name, hasReason, got, c.hasReason, c.want)
		}
	}
}
