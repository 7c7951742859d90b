package viewer_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/viewer"
)

// A latched topic gives its last message to who comes late, with its time; others are made only
// while somebody listens.
func TestSubscribe(t *testing.T) {
	n := viewer.NewFakeNode(t)
	viewer.Say(n.Latched, "old", 1)
	viewer.Say(n.Latched, "ready", 2e18+1)
	p := n.Connect(t)
	p.Text(`{"op":"subscribe","subscriptions":[{"id":7,"channelId":1},{"id":8,"channelId":2}]}`)
	_, data := p.Next()
	if text, at := viewer.TextOf(t, data, 7); text != "ready" || at != 2e18+1 {
		t.Errorf("%q at %d", text, at)
	}
	viewer.Until(t, "the subscription", n.Stream.HasSubscribers)
	for i := range 10 {
		viewer.Say(n.Stream, fmt.Sprint(i), msgs.Time(i))
	}
	for i := range 10 {
		_, data := p.Next()
		if text, at := viewer.TextOf(t, data, 8); text != fmt.Sprint(i) || at != msgs.Time(i) {
			t.Errorf("%q at %d, want %d", text, at, i)
		}
	}
	p.Text(`{"op":"unsubscribe","subscriptionIds":[8]}`)
	viewer.Until(t, "the end of the subscription", func() bool { return !n.Stream.HasSubscribers() })
	p.Text(`{"op":"subscribe","subscriptions":[{"id":7,"channelId":2},{"id":9,"channelId":1},{"id":9,"channelId":4},{"id":9,"channelId":0}]}`)
	for _, text := range []string{"7 is in use", "1 has a subscription", "no channel 4", "no channel 0"} {
		p.Told(text)
	}
	viewer.Must(t, p.Close(websocket.StatusNormalClosure, ""))
	viewer.Until(t, "the end of the viewer", func() bool { return n.Viewers() == 0 })
	if n.Latched.HasSubscribers() {
		t.Error("subscribed after the end")
	}
}

// appendPublished is what a viewer publishes.
func appendPublished(channel uint32, m msgs.Message) []byte {
	return m.AppendCDR(binary.LittleEndian.AppendUint32([]byte{viewer.OpMessage}, channel))
}

// A viewer publishes commands by its own name, and is gone when it says so or leaves.
func TestPublish(t *testing.T) {
	n := viewer.NewFakeNode(t)
	p := n.Connect(t)
	command := &std_msgs.Float64MultiArray{Data: []float64{1, 2}}
	p.Text(`{"op":"advertise","channels":[
		{"id":1,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/msg/Float64MultiArray"},
		{"id":2,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/Float64MultiArray"},
		{"id":3,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/msg/String"},
		{"id":4,"topic":"/command","encoding":"protobuf","schemaName":"std_msgs/msg/Float64MultiArray"},
		{"id":2,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/msg/Float64MultiArray"},
		{"id":5,"topic":"/none","encoding":"cdr","schemaName":"std_msgs/msg/String"}]}`)
	for _, text := range []string{"/command is of the type std_msgs/msg/Float64MultiArray, not std_msgs/msg/String", `allowed: "cdr", "json"`, "2 is in use", "no command is possible there: this node does not subscribe to /none"} {
		p.Told(text)
	}
	for _, channel := range []uint32{1, 2, 5} {
		p.Binary(appendPublished(channel, command))
	}
	viewer.Until(t, "two commands", func() bool { return len(n.Got()) == 2 })
	got := n.Got()[0]
	if m := got.Message.(*std_msgs.Float64MultiArray); len(m.Data) != 2 || m.Data[1] != 2 || !strings.HasPrefix(got.Sender.Node, "viewer 127.0.0.1:") {
		t.Errorf("%+v from %q", m, got.Sender.Node)
	}
	p.Binary(appendPublished(4, command))
	p.Told("no channel 4")
	p.Binary([]byte{viewer.OpMessage, 1, 0, 0, 0, 0, 1, 0, 0, 9})
	p.Told("/command: ")
	p.Text(`{"op":"unadvertise","channelIds":[1,9]}`) // the topic is still published by 2
	p.Told("no channel 9")
	if len(n.Got()) != 2 {
		t.Errorf("received %+v", n.Got())
	}
	viewer.Must(t, p.CloseNow())
	viewer.Until(t, "word that the viewer has gone", func() bool { return len(n.Got()) == 3 })
	if last := n.Got()[2]; !last.SenderLeft || last.Sender != got.Sender {
		t.Errorf("%+v", last)
	}
}

// Calls are answered; one that waits holds up no other service.
func TestCall(t *testing.T) {
	n := viewer.NewFakeNode(t)
	n.Block = make(chan struct{})
	p := n.Connect(t)
	for i := range uint32(viewer.MaxWaiting + 5) {
		p.Binary(viewer.AppendCall(1, i, "cdr", 0, 1, 0, 0))
	}
	refused := 0
	for refused < 4 { // one of the others is at work, or not yet
		if m := p.Json(); m["op"] == "serviceCallFailure" && strings.Contains(m["message"].(string), "wait") {
			refused++
		}
	}
	p.Binary(viewer.AppendCall(2, 77, "cdr", 0, 1, 0, 0, 0))
	kind, data := p.Next()
	for kind == websocket.MessageText {
		kind, data = p.Next()
	}
	if id := binary.LittleEndian.Uint32(data[5:]); data[0] != viewer.OpReply || id != 77 || string(data[13:16]) != "cdr" || !strings.Contains(string(data), "stopped") {
		t.Errorf("% x", data)
	}
	close(n.Block)
	for i := range uint32(viewer.MaxWaiting) {
		kind, data := p.Next()
		for kind == websocket.MessageText { // the refusals that are left
			kind, data = p.Next()
		}
		if binary.LittleEndian.Uint32(data[5:]) != i {
			t.Errorf("reply %d: % x", i, data)
		}
	}
	p.Binary(viewer.AppendCall(1, 88, "cdr"))
	for kind, data = p.Next(); kind == websocket.MessageText || data[5] != 88; kind, data = p.Next() {
	}
	for _, c := range []struct {
		call []byte
		why  string
	}{
		{viewer.AppendCall(3, 1, "cdr"), "no service 3"},
		{viewer.AppendCall(1, 1, "json", '{', '}'), `allowed: "cdr"`},
		{viewer.AppendCall(1, 1, "cdr", 0, 1, 0, 0, 0, 0, 0), "/reset: "},
	} {
		p.Binary(c.call)
		if m := p.Json(); m["op"] != "serviceCallFailure" || !strings.Contains(fmt.Sprint(m["message"]), c.why) {
			t.Errorf("%v, want %q", m, c.why)
		}
	}
}

// Parameters are read, set all or none, and their changes told to who asks.
func TestParameters(t *testing.T) {
	n := viewer.NewFakeNode(t)
	p, other := n.Connect(t), n.Connect(t)
	other.Text(`{"op":"subscribeParameterUpdates","parameterNames":["rate"]}`)
	other.Text(`{"op":"getParameters","parameterNames":[],"id":"a"}`)
	want := `[map[constraints:above 0 fixed:fixed while the robot runs max:Infinity min:0 name:name value:rod] map[name:offset type:float64_array value:[1 2]] map[name:rate type:float64 value:1]]`
	if m := other.Json(); m["id"] != "a" || fmt.Sprint(m["parameters"]) != want {
		t.Errorf("%v", m)
	}
	p.Text(`{"op":"setParameters","parameters":[{"name":"rate","value":3}],"id":"b"}`)
	if m := p.Json(); m["id"] != "b" || fmt.Sprint(m["parameters"]) != `[map[name:rate type:float64 value:3]]` {
		t.Errorf("%v", m)
	}
	if m := other.Json(); m["op"] != "parameterValues" || m["id"] != nil || fmt.Sprint(m["parameters"]) != `[map[name:rate type:float64 value:3]]` {
		t.Errorf("%v", m)
	}
	p.Text(`{"op":"setParameters","parameters":[{"name":"rate","value":4},{"name":"name","value":"x"}],"id":"c"}`)
	p.Told("name: fixed while the robot runs")
	if m := p.Json(); fmt.Sprint(m["parameters"]) != `[map[name:rate type:float64 value:3] map[constraints:above 0 fixed:fixed while the robot runs max:Infinity min:0 name:name value:rod]]` {
		t.Errorf("%v", m)
	}
	p.Text(`{"op":"setParameters","parameters":[{"name":"rate","value":{"a":1}}]}`)
	p.Told("is none of a parameter")
}

// What is malformed is answered, and too much of it ends the connection.
func TestFaults(t *testing.T) {
	n := viewer.NewFakeNode(t)
	p := n.Connect(t)
	for _, c := range []struct{ sent, status string }{
		{"", "no request"}, {"{", "no request"}, {"[]", "no request"}, {`{"op":"fly"}`, `"fly" is not known`}, {`{"op":"subscribe","subscriptions":[{"id":-1}]}`, "no request"},
	} {
		p.Text(c.sent)
		p.Told(c.status)
	}
	for _, sent := range [][]byte{{}, {9}, {viewer.OpMessage, 1}, {viewer.OpCall, 1}, viewer.AppendCall(1, 1, "cdr")[:14]} {
		p.Binary(sent)
		if m := p.Json(); m["op"] != "status" {
			t.Errorf("%v", m)
		}
	}
	for range viewer.MaxFaults {
		if p.Write(t.Context(), websocket.MessageText, []byte("?")) != nil {
			break
		}
	}
	if code, why := p.Ended(); code != websocket.StatusPolicyViolation || why != "more than 64 invalid requests within 10s" {
		t.Errorf("ended with %v, %q", code, why)
	}
	p = n.Connect(t)
	go func() { _ = p.Write(t.Context(), websocket.MessageBinary, make([]byte, 100<<20)) }() // ends with the connection
	if code, why := p.Ended(); code != websocket.StatusMessageTooBig || why != "message larger than the limit of 1048576 bytes" {
		t.Errorf("100 MB ended with %v, %q", code, why)
	}
	viewer.Until(t, "the end of both viewers", func() bool { return n.Viewers() == 0 })
}

// A node that ends says good-bye, in time even to viewers that do not read.
func TestClose(t *testing.T) {
	const most = 2 * time.Second
	least := viewer.Patience
	for i := 0; i < 5 && least > most; i++ { // what the machine takes from one it does not take from all
		n := viewer.NewFakeNode(t)
		p, silent := n.Connect(t), n.Connect(t)
		_ = silent
		begun := time.Now()
		closed := make(chan error, 1)
		go func() { closed <- n.Close() }()
		if code, _ := p.Ended(); code != websocket.StatusGoingAway {
			t.Errorf("ended with %v", code)
		}
		select {
		case err := <-closed:
			viewer.Must(t, err)
			least = min(least, time.Since(begun))
		case <-time.After(viewer.Patience):
			t.Fatal("not closed")
		}
	}
	if least > most {
		t.Errorf("closed after %v, not within %v", least, most)
	}
}

// Topics are opened before Start, with types that ROS 2 has.
func TestAdvertise(t *testing.T) {
	n := viewer.NewFakeNode(t)
	if _, err := n.Advertise(ros.Topic{Name: "/late", Type: std_msgs.StringType}); !errors.Is(err, viewer.ErrStarted) {
		t.Error(err)
	}
	s, err := viewer.New(viewer.Options{Address: "127.0.0.1:0", Node: "/robot"})
	viewer.Must(t, err)
	defer s.Close()
	if _, err := s.Advertise(ros.Topic{Name: "/rosout", Type: rosgraph_msgs.LogType}); !errors.Is(err, ros.ErrUnknownType) {
		t.Error(err)
	}
}
