package ros2

import (
	"context"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/rtps"
)

// client makes a client that has found its server.
func client(t *testing.T, tr *Transport, name string, kind *msgs.Service) *Client {
	t.Helper()
	c, err := tr.NewClient(name, kind)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "a server of "+name, c.Ready)
	return c
}

// call calls a service and returns its response.
func called(t *testing.T, c *Client, request msgs.Message) msgs.Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	response, err := c.Call(ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// TestReadyWithOneServer: a reader of requests and a writer of replies are a server where
// they are of one participant.
func TestReadyWithOneServer(t *testing.T) {
	t.Parallel()
	tr, _ := node(t, "/client")
	c, err := tr.NewClient("/sim/halves", sinew_msgs.Step)
	if err != nil {
		t.Fatal(err)
	}
	one, other := foreign(t), foreign(t)
	replies := rtps.WriterOptions{Topic: "rr/sim/halvesReply", Type: sinew_msgs.Step.Response.DDSName, QoS: serviceQoS}
	_, err = one.NewReader(rtps.ReaderOptions{
		Topic: "rq/sim/halvesRequest", Type: sinew_msgs.Step.Request.DDSName, QoS: serviceQoS, Receive: func(rtps.Sample) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.NewWriter(replies); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both halves", func() bool { return len(c.writer.Ready()) == 1 && len(c.reader.Ready()) == 1 })
	if c.Ready() {
		t.Error("two halves of two participants are taken for a server")
	}
	if _, err := one.NewWriter(replies); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a server", c.Ready)
}

// TestClientsAmidReplies: a server answers others while clients of its service are made.
func TestClientsAmidReplies(t *testing.T) {
	t.Parallel()
	tr, _ := node(t, "/client")
	other := foreign(t)
	w, err := other.NewWriter(rtps.WriterOptions{Topic: "rr/sim/busyReply", Type: sinew_msgs.Step.Response.DDSName, QoS: serviceQoS})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for reply := new(sinew_msgs.StepResponse).AppendCDR(nil); ctx.Err() == nil; time.Sleep(20 * time.Microsecond) {
			if err := w.Write(reply); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 50 {
		c, err := tr.NewClient("/sim/busy", sinew_msgs.Step)
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "the writer of replies", func() bool { return len(c.reader.Ready()) == 1 })
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-ended
}
