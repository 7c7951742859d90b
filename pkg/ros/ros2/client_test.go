package ros2_test

import (
	"context"
	"testing"

	"sinew/msgs"
	"sinew/pkg/ros/ros2"
)

// client makes a client that has found its server.
func client(t *testing.T, tr *ros2.Transport, name string, kind *msgs.Service) *ros2.Client {
	t.Helper()
	c, err := tr.NewClient(name, kind)
	if err != nil {
		t.Fatal(err)
	}
	ros2.Eventually(t, "a server of "+name, c.Ready)
	return c
}

// call calls a service and returns its response.
func called(t *testing.T, c *ros2.Client, request msgs.Message) msgs.Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), ros2.Patience)
	defer cancel()
	response, err := c.Call(ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	return response
}
