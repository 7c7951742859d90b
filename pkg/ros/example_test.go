package ros_test

import (
	"fmt"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// cart is a mass of 1 kg that a force pulls along a rail.
type cart struct {
	x, v  float64 // m, m/s
	force float64 // N
}

func (c *cart) Ports() []sim.Port {
	axis := []string{"cart"}
	return []sim.Port{
		{Name: "servo_jf", Plain: "force", Kind: sim.Tension, Direction: sim.In, Labels: axis, Unit: "N"},
		{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: axis, Parts: sim.Position | sim.Velocity},
	}
}

func (c *cart) Gauges() []sim.Gauge           { return nil }
func (c *cart) Command(_ int, v []float64)    { c.force = v[0] }
func (c *cart) Setpoint(_ int, dst []float64) { dst[0] = c.force }
func (c *cart) Value(_ int, dst []float64)    { dst[0], dst[1] = c.x, c.v }
func (c *cart) Measure([]float64)             {}
func (c *cart) Draw(*sim.Scene)               {}
func (c *cart) StateLen() int                 { return 3 }
func (c *cart) Save(dst []float64)            { dst[0], dst[1], dst[2] = c.x, c.v, c.force }
func (c *cart) Restore(src []float64) error   { c.x, c.v, c.force = src[0], src[1], src[2]; return nil }
func (c *cart) Step(dt float64) error         { c.v += dt * c.force; c.x += dt * c.v; return nil }

// network is a Transport within this program: it prints the joint states that are
// published and delivers commands.
type network struct {
	subscribers map[string]func(ros.Received)
}

func (n network) Advertise(t ros.Topic) (ros.Publisher, error) { return printer{t}, nil }

func (n network) Subscribe(t ros.Topic, receive func(ros.Received)) error {
	n.subscribers[t.Name] = receive
	return nil
}

func (n network) Serve(string, *msgs.Service, ros.Handler) error {
	return ros.ErrNoServices
}

func (n network) Done() <-chan struct{} { return nil }
func (n network) Close() error          { return nil }

type printer struct{ topic ros.Topic }

func (p printer) HasSubscribers() bool { return p.topic.Type == sensor_msgs.JointStateType }

func (p printer) Publish(s *ros.Sample) {
	if m, ok := s.Message().(*sensor_msgs.JointState); ok {
		fmt.Printf("%s at %.1f s: x = %.3f m, v = %.1f m/s\n", p.topic.Name, time.Duration(m.Header.Stamp).Seconds(), m.Position[0], m.Velocity[0])
	}
}

// clock passes only while the loop sleeps on it.
type clock struct {
	now   time.Duration
	sleep func(now time.Duration)
}

func (c *clock) Now() time.Duration { return c.now }

func (c *clock) SleepUntil(t time.Duration) {
	c.now = t
	c.sleep(t)
}

// A bridge gives every port of a model a topic, on as many networks as there are.
func Example() {
	args, err := naming.ParseArgs(strings.Fields("__ns:=/lab __name:=left force:=/joystick/force"))
	if err != nil {
		fmt.Println(err)
		return
	}
	names, err := naming.NewNames("cart", args, func(string) (string, bool) { return "", false })
	if err != nil {
		fmt.Println(err)
		return
	}
	c := new(clock)
	s, err := sim.NewSimulator(new(cart), c, sim.Options{ControlHz: 1000, PublishHz: 2, StepS: 1e-3})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := network{map[string]func(ros.Received){}}
	b, err := ros.NewPassiveBridge(s, names, []ros.Transport{n}, ros.Options{Clock: c})
	if err != nil {
		fmt.Println(err)
		return
	}
	stop := make(chan struct{})
	c.sleep = func(now time.Duration) {
		b.PublishPending()
		switch now {
		case 500 * time.Millisecond:
			pull := &std_msgs.Float64MultiArray{Data: []float64{2}}
			n.subscribers["/joystick/force"](ros.Received{Message: pull, Sender: ros.Sender{Node: "/joystick"}})
		case 1500 * time.Millisecond:
			close(stop)
		}
	}
	if err := s.Run(stop); err != nil {
		fmt.Println(err)
	}
	b.PublishPending()
	// Output:
	// /lab/left/measured_js at 0.0 s: x = 0.000 m, v = 0.0 m/s
	// /lab/left/measured_js at 0.5 s: x = 0.000 m, v = 0.0 m/s
	// /lab/left/measured_js at 1.0 s: x = 0.252 m, v = 1.0 m/s
	// /lab/left/measured_js at 1.5 s: x = 1.003 m, v = 2.0 m/s
}
