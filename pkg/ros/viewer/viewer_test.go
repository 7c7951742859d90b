package viewer

import (
	"context"
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
)

// textOf reads a message of a subscription.
func textOf(t *testing.T, data []byte, subscription uint32) (text string, at msgs.Time) {
	t.Helper()
	if len(data) < 13 || data[0] != opMessage || binary.LittleEndian.Uint32(data[1:]) != subscription {
		t.Fatalf("% x is no message of subscription %d", data, subscription)
	}
	var m std_msgs.String
	must(t, m.ParseCDR(data[13:]))
	return m.Data, msgs.Time(binary.LittleEndian.Uint64(data[5:]))
}

// A latched topic gives its last message to who comes late, with its time; others are made only
// while somebody listens.
func TestSubscribe(t *testing.T) {
	n := newStation(t)
	say(n.latched, "old", 1)
	say(n.latched, "ready", 2e18+1)
	p := n.connect(t)
	p.text(`{"op":"subscribe","subscriptions":[{"id":7,"channelId":1},{"id":8,"channelId":2}]}`)
	_, data := p.next()
	if text, at := textOf(t, data, 7); text != "ready" || at != 2e18+1 {
		t.Errorf("%q at %d", text, at)
	}
	until(t, "the subscription", n.stream.Wanted)
	for i := range 10 {
		say(n.stream, fmt.Sprint(i), msgs.Time(i))
	}
	for i := range 10 {
		_, data := p.next()
		if text, at := textOf(t, data, 8); text != fmt.Sprint(i) || at != msgs.Time(i) {
			t.Errorf("%q at %d, want %d", text, at, i)
		}
	}
	p.text(`{"op":"unsubscribe","subscriptionIds":[8]}`)
	until(t, "the end of the subscription", func() bool { return !n.stream.Wanted() })
	p.text(`{"op":"subscribe","subscriptions":[{"id":7,"channelId":2},{"id":9,"channelId":1},{"id":9,"channelId":4},{"id":9,"channelId":0}]}`)
	for _, text := range []string{"7 is in use", "1 has a subscription", "no channel 4", "no channel 0"} {
		p.told(text)
	}
	must(t, p.Close(websocket.StatusNormalClosure, ""))
	until(t, "the end of the viewer", func() bool { return n.Viewers() == 0 })
	if n.latched.Wanted() {
		t.Error("subscribed after the end")
	}
}

// appendPublished is what a viewer publishes.
func appendPublished(channel uint32, m msgs.Message) []byte {
	return m.AppendCDR(binary.LittleEndian.AppendUint32([]byte{opMessage}, channel))
}

// A viewer publishes commands by its own name, and is gone when it says so or leaves.
func TestPublish(t *testing.T) {
	n := newStation(t)
	p := n.connect(t)
	command := &std_msgs.Float64MultiArray{Data: []float64{1, 2}}
	p.text(`{"op":"advertise","channels":[
		{"id":1,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/msg/Float64MultiArray"},
		{"id":2,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/Float64MultiArray"},
		{"id":3,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/msg/String"},
		{"id":4,"topic":"/command","encoding":"protobuf","schemaName":"std_msgs/msg/Float64MultiArray"},
		{"id":2,"topic":"/command","encoding":"cdr","schemaName":"std_msgs/msg/Float64MultiArray"},
		{"id":5,"topic":"/none","encoding":"cdr","schemaName":"std_msgs/msg/String"}]}`)
	for _, text := range []string{"/command is of the type std_msgs/msg/Float64MultiArray, not std_msgs/msg/String", `allowed: "cdr", "json"`, "2 is in use", "nobody here subscribes to /none"} {
		p.told(text)
	}
	for _, channel := range []uint32{1, 2, 5} {
		p.binary(appendPublished(channel, command))
	}
	until(t, "two commands", func() bool { return len(n.got()) == 2 })
	got := n.got()[0]
	if m := got.Message.(*std_msgs.Float64MultiArray); len(m.Data) != 2 || m.Data[1] != 2 || !strings.HasPrefix(got.Sender.Node, "viewer 127.0.0.1:") {
		t.Errorf("%+v from %q", m, got.Sender.Node)
	}
	p.binary(appendPublished(4, command))
	p.told("no channel 4")
	p.binary([]byte{opMessage, 1, 0, 0, 0, 0, 1, 0, 0, 9})
	p.told("/command: ")
	p.text(`{"op":"unadvertise","channelIds":[1,9]}`) // the topic is still published by 2
	p.told("no channel 9")
	if len(n.got()) != 2 {
		t.Errorf("received %+v", n.got())
	}
	must(t, p.CloseNow())
	until(t, "word that the viewer has gone", func() bool { return len(n.got()) == 3 })
	if last := n.got()[2]; !last.Gone || last.Sender != got.Sender {
		t.Errorf("%+v", last)
	}
}

// appendCall is a request to a service.
func appendCall(service, id uint32, encoding string, data ...byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{opCall}, service)
	b = binary.LittleEndian.AppendUint32(b, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(encoding)))
	return append(append(b, encoding...), data...)
}

// Calls are answered; one that waits holds up no other service.
func TestCall(t *testing.T) {
	n := newStation(t)
	n.block = make(chan struct{})
	p := n.connect(t)
	for i := range uint32(maxWaiting + 5) {
		p.binary(appendCall(1, i, "cdr", 0, 1, 0, 0))
	}
	refused := 0
	for refused < 4 { // one of the others is at work, or not yet
		if m := p.json(); m["op"] == "serviceCallFailure" && strings.Contains(m["message"].(string), "wait") {
			refused++
		}
	}
	p.binary(appendCall(2, 77, "cdr", 0, 1, 0, 0, 0))
	kind, data := p.next()
	for kind == websocket.MessageText {
		kind, data = p.next()
	}
	if id := binary.LittleEndian.Uint32(data[5:]); data[0] != opReply || id != 77 || string(data[13:16]) != "cdr" || !strings.Contains(string(data), "stopped") {
		t.Errorf("% x", data)
	}
	close(n.block)
	for i := range uint32(maxWaiting) {
		kind, data := p.next()
		for kind == websocket.MessageText { // the refusals that are left
			kind, data = p.next()
		}
		if binary.LittleEndian.Uint32(data[5:]) != i {
			t.Errorf("reply %d: % x", i, data)
		}
	}
	p.binary(appendCall(1, 88, "cdr"))
	for kind, data = p.next(); kind == websocket.MessageText || data[5] != 88; kind, data = p.next() {
	}
	for _, c := range []struct {
		call []byte
		why  string
	}{
		{appendCall(3, 1, "cdr"), "no service 3"},
		{appendCall(1, 1, "json", '{', '}'), `allowed: "cdr"`},
		{appendCall(1, 1, "cdr", 0, 1, 0, 0, 0, 0, 0), "/reset: "},
	} {
		p.binary(c.call)
		if m := p.json(); m["op"] != "serviceCallFailure" || !strings.Contains(fmt.Sprint(m["message"]), c.why) {
			t.Errorf("%v, want %q", m, c.why)
		}
	}
}

// Parameters are read, set all or none, and their changes told to who asks.
func TestParameters(t *testing.T) {
	n := newStation(t)
	p, other := n.connect(t), n.connect(t)
	other.text(`{"op":"subscribeParameterUpdates","parameterNames":["rate"]}`)
	other.text(`{"op":"getParameters","parameterNames":[],"id":"a"}`)
	want := `[map[constraints:above 0 fixed:fixed while the robot runs max:Infinity min:0 name:name value:rod] map[name:offset type:float64_array value:[1 2]] map[name:rate type:float64 value:1]]`
	if m := other.json(); m["id"] != "a" || fmt.Sprint(m["parameters"]) != want {
		t.Errorf("%v", m)
	}
	p.text(`{"op":"setParameters","parameters":[{"name":"rate","value":3}],"id":"b"}`)
	if m := p.json(); m["id"] != "b" || fmt.Sprint(m["parameters"]) != `[map[name:rate type:float64 value:3]]` {
		t.Errorf("%v", m)
	}
	if m := other.json(); m["op"] != "parameterValues" || m["id"] != nil || fmt.Sprint(m["parameters"]) != `[map[name:rate type:float64 value:3]]` {
		t.Errorf("%v", m)
	}
	p.text(`{"op":"setParameters","parameters":[{"name":"rate","value":4},{"name":"name","value":"x"}],"id":"c"}`)
	p.told("name: fixed while the robot runs")
	if m := p.json(); fmt.Sprint(m["parameters"]) != `[map[name:rate type:float64 value:3] map[constraints:above 0 fixed:fixed while the robot runs max:Infinity min:0 name:name value:rod]]` {
		t.Errorf("%v", m)
	}
	p.text(`{"op":"setParameters","parameters":[{"name":"rate","value":{"a":1}}]}`)
	p.told("is none of a parameter")
}

// What is malformed is answered, and too much of it ends the connection.
func TestFaults(t *testing.T) {
	n := newStation(t)
	p := n.connect(t)
	for _, c := range []struct{ sent, told string }{
		{"", "no request"}, {"{", "no request"}, {"[]", "no request"}, {`{"op":"fly"}`, `"fly" is not known`}, {`{"op":"subscribe","subscriptions":[{"id":-1}]}`, "no request"},
	} {
		p.text(c.sent)
		p.told(c.told)
	}
	for _, sent := range [][]byte{{}, {9}, {opMessage, 1}, {opCall, 1}, appendCall(1, 1, "cdr")[:14]} {
		p.binary(sent)
		if m := p.json(); m["op"] != "status" {
			t.Errorf("%v", m)
		}
	}
	for range maxFaults {
		if p.Write(t.Context(), websocket.MessageText, []byte("?")) != nil {
			break
		}
	}
	if code, why := p.ended(); code != websocket.StatusPolicyViolation || why != "more than 64 faults within 10s" {
		t.Errorf("ended with %v, %q", code, why)
	}
	p = n.connect(t)
	go func() { _ = p.Write(t.Context(), websocket.MessageBinary, make([]byte, 100<<20)) }() // ends with the connection
	if code, why := p.ended(); code != websocket.StatusMessageTooBig || why != "a message of more than 1048576 bytes" {
		t.Errorf("100 MB ended with %v, %q", code, why)
	}
	until(t, "the end of both viewers", func() bool { return n.Viewers() == 0 })
}

// ended reads until the connection ends, and returns how and why.
func (p *peer) ended() (websocket.StatusCode, string) {
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	for {
		if _, _, err := p.Read(ctx); err != nil {
			if ctx.Err() != nil {
				p.t.Fatal("the connection did not end")
			}
			var closed websocket.CloseError
			if !errors.As(err, &closed) {
				return -1, err.Error()
			}
			return closed.Code, closed.Reason
		}
	}
}

// A node that ends says good-bye, in time even to viewers that do not read.
func TestClose(t *testing.T) {
	const most = 2 * time.Second
	least := patience
	for i := 0; i < 5 && least > most; i++ { // what the machine takes from one it does not take from all
		n := newStation(t)
		p, silent := n.connect(t), n.connect(t)
		_ = silent
		begun := time.Now()
		closed := make(chan error, 1)
		go func() { closed <- n.Close() }()
		if code, _ := p.ended(); code != websocket.StatusGoingAway {
			t.Errorf("ended with %v", code)
		}
		select {
		case err := <-closed:
			must(t, err)
			least = min(least, time.Since(begun))
		case <-time.After(patience):
			t.Fatal("not closed")
		}
	}
	if least > most {
		t.Errorf("closed after %v, not within %v", least, most)
	}
}

// Topics are opened before Start, with types that ROS 2 has.
func TestAdvertise(t *testing.T) {
	n := newStation(t)
	if _, err := n.Advertise(ros.Topic{Name: "/late", Type: std_msgs.StringType}); !errors.Is(err, errStarted) {
		t.Error(err)
	}
	s, err := New(Options{Address: "127.0.0.1:0", Node: "/robot"})
	must(t, err)
	defer s.Close()
	if _, err := s.Advertise(ros.Topic{Name: "/rosout", Type: rosgraph_msgs.LogType}); !errors.Is(err, ros.ErrUnknownType) {
		t.Error(err)
	}
}
