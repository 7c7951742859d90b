package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/rtps"
)

// Names on the wire of the topic that subscribers read in ROS 2.
const (
	ddsTopic = "rt" + soakTopic
	ddsType  = "geometry_msgs::msg::dds_::PoseStamped_"
)

// Received is what a subscriber of the topic at 1 kHz got.
type Received struct {
	Network  string  `json:"network"`
	Messages int     `json:"messages"`
	Missing  int     `json:"missing"` // between the first and the last
	Silence  float64 `json:"longest_silence_ms"`
	First    int64   `json:"first_sequence"`
	Last     int64   `json:"last_sequence"`
}

// share is the part of what was published from its first message to its last that it got.
func (r *Received) share() float64 {
	if r.Messages == 0 {
		return 0
	}
	return float64(r.Messages) / float64(r.Messages+r.Missing)
}

// take counts a message of a sequence number.
func (r *Received) take(sequence int64, at, last time.Time) {
	if r.Messages++; r.Messages == 1 {
		r.First = sequence
	} else {
		r.Missing += int(sequence - r.Last - 1)
		r.Silence = max(r.Silence, 1e3*at.Sub(last).Seconds())
	}
	r.Last = sequence
}

// asSubscriber is the argument, before a network and an address, that makes this program
// a subscriber in a process of its own: it can be frozen.
const asSubscriber = "subscriber"

// subscriber reads the topic in ros1, from a master's URI, or in ros2, in a domain. It
// answers each line with what it got so far, and ends with the input.
func subscriber(network, address string, in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	got := Received{Network: network}
	var last time.Time
	take := func(sequence int64) {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		got.take(sequence, now, last)
		last = now
	}
	switch network {
	case "ros1":
		n := &node{master: masterclient.Client{URI: address, Caller: callerName}}
		var err error
		if n.slave, err = n.master.LookupNode(context.Background(), nodeName); err != nil {
			return err
		}
		s, err := n.subscribe(context.Background(), fmt.Sprint(callerName, "_", os.Getpid()), soakTopic, geometry_msgs.PoseStampedType)
		if err != nil {
			return err
		}
		defer s.conn.Close()
		var m geometry_msgs.PoseStamped
		go func() {
			if err := each(s, &m, func(time.Time) error { take(int64(m.Header.Seq)); return nil }); err != nil {
				fmt.Fprintf(os.Stderr, "subscriber in %s: %v\n", network, err)
			}
		}()
	case "ros2":
		domain, err := strconv.Atoi(address)
		if err != nil {
			return err
		}
		p, err := rtps.NewParticipant(rtps.Options{Domain: domain})
		if err != nil {
			return err
		}
		defer p.Close()
		if _, err := p.NewReader(rtps.ReaderOptions{
			Topic: ddsTopic, Type: ddsType, QoS: rtps.QoS{Reliable: true, Depth: 1000},
			Receive: func(s rtps.Sample) { take(s.Sequence) },
		}); err != nil {
			return err
		}
	default:
		return fmt.Errorf("no network %q", network)
	}
	e := json.NewEncoder(out)
	for lines := bufio.NewScanner(in); lines.Scan(); {
		mu.Lock()
		now := got
		mu.Unlock()
		if err := e.Encode(now); err != nil {
			return err
		}
	}
	return nil
}

// subscriberProcess is a subscriber that runs.
type subscriberProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

// startSubscriber starts a subscriber of a node and waits until it gets messages.
func startSubscriber(ctx context.Context, n *node, network string) (*subscriberProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address := n.master.URI
	if network == "ros2" {
		address = strconv.Itoa(n.domain)
	}
	s := &subscriberProcess{cmd: exec.Command(self, asSubscriber, network, address)}
	s.cmd.Stderr = os.Stderr
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = json.NewDecoder(out)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for begin := time.Now(); ; {
		got, err := s.look()
		if err == nil && got.Messages > 0 {
			return s, nil
		}
		if err == nil && time.Since(begin) > startTime {
			err = fmt.Errorf("a subscriber in %s got nothing within %v", network, startTime)
		}
		if err == nil && !pause(ctx, 20*time.Millisecond) {
			err = ctx.Err()
		}
		if err != nil {
			s.kill()
			return nil, err
		}
	}
}

// look asks what the subscriber got so far.
func (s *subscriberProcess) look() (r Received, err error) {
	if _, err = fmt.Fprintln(s.in); err == nil {
		err = s.out.Decode(&r)
	}
	return r, err
}

// kill ends the subscriber without good-bye, frozen or not.
func (s *subscriberProcess) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.in.Close()
	_ = s.cmd.Wait()
}
