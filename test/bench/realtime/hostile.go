package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/master"
)

// Hostile is what the node met while the phase hostile went on beside a soak.
type Hostile struct {
	MastersKilled  int     `json:"masters_killed"`
	SlowestReturn  float64 `json:"slowest_registration_s"` // after a new master had started
	Floods         int64   `json:"flooding_connections"`
	FloodedBytes   int64   `json:"flooded_bytes"`
	FloodsRejected int64   `json:"floods_that_could_not_connect"`
}

const (
	masterLife  = 5 * time.Second        // of one master
	masterPause = time.Second            // without one, at most
	returnTime  = 15 * time.Second       // for the node's registration
	floodPause  = 20 * time.Millisecond  // between the connections of one flooder
	floodTime   = 500 * time.Millisecond // of one connection
	flooders    = 4
)

// asMaster is the argument, before an address, that makes this program a master.
const asMaster = "master"

// serveMaster is a master until the process is killed or its input ends.
func serveMaster(address string) error {
	m, err := master.Start(address, master.Options{})
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return m.Close()
}

// masterProcess is a master that can be killed.
type masterProcess struct {
	cmd *exec.Cmd
	in  io.Closer
}

func startMaster(address string) (*masterProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	m := &masterProcess{cmd: exec.Command(self, asMaster, address)}
	if m.in, err = m.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	m.cmd.Stderr = os.Stderr
	return m, m.cmd.Start()
}

// kill ends the master as SIGKILL does, without a word to anybody.
func (m *masterProcess) kill() {
	_ = m.cmd.Process.Kill() // it may have ended
	_ = m.cmd.Wait()
	_ = m.in.Close()
}

// hostile kills masters and lets subscribers flood the node while a soak with a
// frozen one continues.
func hostile(ctx context.Context, n *node, duration time.Duration) (h Hostile, s Soak, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1+flooders)
	go func() { ended <- h.killMasters(ctx, n) }()
	for range flooders {
		go func() { ended <- h.flood(ctx, n) }()
	}
	s, err = soak(ctx, n, duration)
	cancel()
	for range cap(ended) {
		err = errors.Join(err, <-ended)
	}
	return h, s, err
}

// killMasters kills one master after the other, and waits each time until the new
// one knows the node.
func (h *Hostile) killMasters(ctx context.Context, n *node) error {
	for pause(ctx, masterLife) {
		n.external.kill()
		h.MastersKilled++
		time.Sleep(rand.N(masterPause))
		var err error
		if n.external, err = startMaster(n.address); err != nil {
			return err
		}
		begin := time.Now()
		for {
			_, err := n.master.LookupService(ctx, nodeName+"/reset")
			if err == nil || ctx.Err() != nil {
				break
			}
			if time.Since(begin) > returnTime {
				return fmt.Errorf("%s is not registered %v after the master's return: %w", nodeName, returnTime, err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		h.SlowestReturn = max(h.SlowestReturn, time.Since(begin).Seconds())
	}
	return nil
}

// flood makes connections that send what the node does not want, as fast as it
// takes it, and read nothing.
func (h *Hostile) flood(ctx context.Context, n *node) error {
	address, err := n.tcpros(ctx, soakTopic)
	if err != nil {
		return err
	}
	kind := geometry_msgs.PoseStampedType
	good := header("callerid="+callerName+"_flood", "topic="+soakTopic, "type="+kind.Name, "md5sum="+kind.MD5)
	junk := make([]byte, 64<<10)
	for i := range junk {
		junk[i] = byte(rand.Uint32())
	}
	for i := 0; pause(ctx, floodPause); i++ {
		conn, err := net.DialTimeout("tcp", address, handshakeTime)
		if err != nil {
			atomic.AddInt64(&h.FloodsRejected, 1)
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(floodTime))
		first := [][]byte{good, good[:len(good)/2], junk, {0xff, 0xff, 0xff, 0x7f}, nil}[i%5]
		_, err = conn.Write(first)
		for err == nil && len(first) == len(good) {
			var sent int
			sent, err = conn.Write(junk)
			atomic.AddInt64(&h.FloodedBytes, int64(sent))
		}
		conn.Close()
		atomic.AddInt64(&h.Floods, 1)
	}
	return nil
}

// pause reports whether a time has passed before ctx ends.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
