package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros/wallclock"
)

// Latency is the time from a command to its effect, in ms.
type Latency struct {
	Commands int `json:"commands"`
	Lost     int `json:"lost"` // commands without effect
	// Setpoint is the time until setpoint_js with the command has been read.
	Setpoint Spread `json:"setpoint_ms"`
	// Pose is the time until the measured_cp of the same stamp has been read.
	Pose Spread `json:"pose_ms"`
	// Transport is the part of Pose after its stamp, the end of the control
	// period that took the command.
	Transport Spread `json:"transport_ms"`
}

// Commands change by so little that the slew limit of any usual tendon lets them
// through within one control period, and are all different.
const (
	baseTension  = 0.5   // N
	variation    = 0.001 // N
	shortestWait = 5 * time.Millisecond
	longestWait  = 15 * time.Millisecond
	lostAfter    = 250 * time.Millisecond
	settleTime   = 5 * time.Second // longest time to reach baseTension
)

// answer is a message of the node.
type answer struct {
	pose   bool
	stamp  msgs.Time
	at     time.Time
	effort float64 // effort of the first tendon, N, if the message is no pose
}

// commander sends commands and looks for them in the answers.
type commander struct {
	pub     *publication
	answers chan answer
	failed  chan error
	tendons int
	sent    int // commands
	poses   map[msgs.Time]time.Time
	clock   wallclock.Clock
}

// measureLatency sends a number of commands, one after the other.
func measureLatency(ctx context.Context, n *node, commands int) (Latency, error) {
	c := &commander{answers: make(chan answer, 1024), failed: make(chan error, 2), clock: wallclock.New()}
	poses, err := n.subscribe(ctx, callerName+"_pose", nodeName+"/measured_cp", geometry_msgs.PoseStampedType)
	if err != nil {
		return Latency{}, err
	}
	defer poses.conn.Close()
	setpoints, err := n.subscribe(ctx, callerName+"_setpoint", nodeName+"/setpoint_js", sensor_msgs.JointStateType)
	if err != nil {
		return Latency{}, err
	}
	defer setpoints.conn.Close()
	var first sensor_msgs.JointState
	if body, err := setpoints.next(); err != nil {
		return Latency{}, err
	} else if err := first.ParseROS1(body); err != nil {
		return Latency{}, err
	}
	if c.tendons = len(first.Effort); c.tendons == 0 {
		return Latency{}, errors.New("the robot has no tendons to command")
	}
	if c.pub, err = n.publish(ctx, nodeName+"/servo_jf", sensor_msgs.JointStateType); err != nil {
		return Latency{}, err
	}
	defer c.pub.close()
	go c.readPoses(poses)
	go c.readSetpoints(setpoints)
	if err := c.settle(ctx); err != nil {
		return Latency{}, err
	}
	return c.run(ctx, commands)
}

func (c *commander) readPoses(s *subscription) {
	var m geometry_msgs.PoseStamped
	c.failed <- each(s, &m, func(at time.Time) error {
		c.put(answer{pose: true, stamp: m.Header.Stamp, at: at})
		return nil
	})
}

func (c *commander) readSetpoints(s *subscription) {
	var m sensor_msgs.JointState
	c.failed <- each(s, &m, func(at time.Time) error {
		if len(m.Effort) != c.tendons {
			return fmt.Errorf("setpoint_js has %d efforts, not %d", len(m.Effort), c.tendons)
		}
		c.put(answer{stamp: m.Header.Stamp, at: at, effort: m.Effort[0]})
		return nil
	})
}

// put passes an answer on. It drops the answer when the channel is full, which
// happens at the end of a phase.
func (c *commander) put(a answer) {
	select {
	case c.answers <- a:
	default:
	}
}

// command sends a tension that no command before had, to all tendons.
func (c *commander) command() (tension float64, at time.Time, err error) {
	c.sent++
	_, golden := math.Modf(float64(c.sent) * math.Phi) // spreads evenly
	tension = baseTension + variation*golden
	m := &sensor_msgs.JointState{Effort: make([]float64, c.tendons)}
	for i := range m.Effort {
		m.Effort[i] = tension
	}
	at = time.Now()
	return tension, at, c.pub.send(m)
}

// settle commands until a command comes back unchanged.
func (c *commander) settle(ctx context.Context) error {
	for begin := time.Now(); time.Since(begin) < settleTime; {
		_, found, err := c.once(ctx)
		if found || err != nil {
			return err
		}
	}
	return fmt.Errorf("tensions do not reach %g N within %v: does the robot allow them?", baseTension, settleTime)
}

// delays holds the delays of one command, s.
type delays struct{ setpoint, pose, transport float64 }

// once sends a command and waits for its answers.
func (c *commander) once(ctx context.Context) (d delays, found bool, err error) {
	tension, sent, err := c.command()
	if err != nil {
		return d, false, err
	}
	c.poses = map[msgs.Time]time.Time{}
	lost := time.NewTimer(lostAfter)
	defer lost.Stop()
	var stamp msgs.Time // of the answers, once known
	for {
		select {
		case <-ctx.Done():
			return d, false, ctx.Err()
		case err := <-c.failed:
			return d, false, errors.Join(errors.New("the node has hung up"), err)
		case <-lost.C:
			return d, false, nil
		case a := <-c.answers:
			switch {
			case a.pose:
				c.poses[a.stamp] = a.at
			case stamp == 0 && a.effort == tension:
				stamp = a.stamp
				d.setpoint = a.at.Sub(sent).Seconds()
			}
		}
		if at, ok := c.poses[stamp]; ok && stamp != 0 {
			d.pose = at.Sub(sent).Seconds()
			d.transport = float64(at.UnixNano()-int64(stamp)) / 1e9
			return d, true, nil
		}
	}
}

// rest waits for a time that has nothing to do with the node's periods. It
// sleeps in the kernel: Go's timers go off with whatever wakes the program, here
// the node's messages, and commands sent just after those wait the longest.
func (c *commander) rest() {
	c.clock.SleepUntil(c.clock.Now() + shortestWait + rand.N(longestWait-shortestWait))
	for {
		select {
		case <-c.answers:
		default:
			return
		}
	}
}

func (c *commander) run(ctx context.Context, commands int) (Latency, error) {
	l := Latency{Commands: commands}
	var setpoint, pose, transport []float64
	for range commands {
		c.rest()
		d, found, err := c.once(ctx)
		if err != nil {
			return l, err
		}
		if !found {
			l.Lost++
			continue
		}
		setpoint = append(setpoint, 1e3*d.setpoint)
		pose = append(pose, 1e3*d.pose)
		transport = append(transport, 1e3*d.transport)
	}
	l.Setpoint, l.Pose, l.Transport = spread(setpoint), spread(pose), spread(transport)
	return l, nil
}
