package ros1_test

import (
	"strings"
	"testing"

	"github.com/bluenviron/goroslib/v2"
	gsrvs "github.com/bluenviron/goroslib/v2/pkg/msgs/std_srvs"

	"sinew/msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros1"
)

// TestServe calls services that succeed, fail and break their contract: each
// call is answered.
func TestServe(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node, peer := m.Join("/sim"), m.Peer("client")
	for name, c := range map[string]struct {
		handle  func(msgs.Message) msgs.Message
		success bool
		message string
	}{
		"good":    {func(msgs.Message) msgs.Message { return &std_srvs.TriggerResponse{Success: true, Message: "done"} }, true, "done"},
		"refused": {func(msgs.Message) msgs.Message { return &std_srvs.TriggerResponse{Message: "only while paused"} }, false, "only while paused"},
		"panics":  {func(msgs.Message) msgs.Message { panic("out of order") }, false, "internal error: out of order"},
		"nothing": {func(msgs.Message) msgs.Message { return nil }, false, "internal error: no std_srvs/TriggerResponse but <nil>"},
		"nil":     {func(msgs.Message) msgs.Message { return (*std_srvs.TriggerResponse)(nil) }, false, "internal error: no std_srvs/TriggerResponse"},
		"other":   {func(msgs.Message) msgs.Message { return &std_srvs.SetBoolResponse{} }, false, "but *std_srvs.SetBoolResponse"},
	} {
		if err := node.Serve("/sim/"+name, std_srvs.Trigger, ros.Deferred(c.handle)); err != nil {
			t.Fatal(err)
		}
		client, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: peer, Name: "/sim/" + name, Srv: &gsrvs.Trigger{}})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range 2 { // the second on the same connection
			var response gsrvs.TriggerRes
			ros1.Eventually(t, "service "+name+" answers", func() bool {
				return client.Call(&gsrvs.TriggerReq{}, &response) == nil
			})
			if response.Success != c.success || !strings.Contains(response.Message, c.message) {
				t.Errorf("%s: %+v, want %v, %q", name, response, c.success, c.message)
			}
		}
	}
}

func TestServeRequest(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node, peer := m.Join("/sim"), m.Peer("client")
	err := node.Serve("/sim/pause", std_srvs.SetBool, ros.Deferred(func(request msgs.Message) msgs.Message {
		if request.(*std_srvs.SetBoolRequest).Data {
			return &std_srvs.SetBoolResponse{Success: true, Message: "paused"}
		}
		return &std_srvs.SetBoolResponse{Success: true, Message: "resumed"}
	}))
	if err != nil {
		t.Fatal(err)
	}
	client, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: peer, Name: "/sim/pause", Srv: &gsrvs.SetBool{}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for data, want := range map[bool]string{true: "paused", false: "resumed"} {
		var response gsrvs.SetBoolRes
		ros1.Eventually(t, "an answer", func() bool {
			return client.Call(&gsrvs.SetBoolReq{Data: data}, &response) == nil
		})
		if response.Message != want {
			t.Errorf("%v: %q, want %q", data, response.Message, want)
		}
	}

	wrong, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: peer, Name: "/sim/pause", Srv: &gsrvs.Trigger{}})
	if err != nil {
		t.Fatal(err)
	}
	defer wrong.Close()
	err = wrong.Call(&gsrvs.TriggerReq{}, &gsrvs.TriggerRes{})
	if err == nil || !strings.Contains(err.Error(), "/sim/pause is std_srvs/SetBool") {
		t.Errorf("a client of another type gets %v", err)
	}
}
