package page_test

import (
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sys/unix"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// processorTime is what this process has taken of the processors.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// TestCostOfPicture bounds what a picture of 10,000 bodies takes of the program that sends it, from the scene to the socket, with
// what its reader takes in this process: 60 a second are to leave room for the robot.
func TestCostOfPicture(t *testing.T) {
	s, err := viewer.New(viewer.Options{Address: "127.0.0.1:0", Node: "/robot"})
	if err != nil {
		t.Fatal(err)
	}
	scene, err := s.Advertise(ros.Topic{Name: "/robot/scene", Type: sinew_msgs.SceneType, Lossy: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { _ = s.Close() })
	conn, _, err := websocket.Dial(t.Context(), s.Socket(), &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	if err == nil {
		conn.SetReadLimit(1 << 20)
		err = conn.Write(t.Context(), websocket.MessageText, []byte(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]}`))
	}
	if err != nil {
		t.Fatal(err)
	}
	for !scene.HasSubscribers() {
		time.Sleep(time.Millisecond)
	}
	const bodies = 10_000
	picture := sim.Scene{Scale: 1, Spheres: make([]sim.Sphere, bodies)}
	for i := range picture.Spheres {
		picture.Spheres[i] = sim.Sphere{
			Name: "body", Pose: spatial.Pose{P: spatial.Vec{X: float64(i)}, R: spatial.Identity3()}, SemiAxes: spatial.Vec{X: 1, Y: 1, Z: 1}, Color: sim.Color{A: 1},
		}
	}
	const batches, pictures = 5, 20
	least := time.Hour
	for range batches {
		from := processorTime(t)
		for i := range uint32(pictures) {
			scene.Publish(ros.NewSample(marker.Scene(&picture, i, msgs.Time(i))))
			for size := 0; size < bodies*7*4; { // what there is comes first
				_, data, err := conn.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				size = len(data)
			}
		}
		least = min(least, (processorTime(t)-from)/pictures)
	}
	t.Logf("%v for a picture", least)
	const most = 8 * time.Millisecond // 3.7 ms on a very busy machine of two processors
	if least > most {
		t.Errorf("a picture of %d bodies takes %v of the processors, at most %v", bodies, least, most)
	}
}
