package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros"
	"sinew/pkg/ros/hostname"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros2"
)

// networks are the node's transports to ROS 1 and ROS 2.
type networks struct {
	ros1 *ros1Network // nil when disabled
	ros2 *ros2Network // nil when disabled
}

// joinNetworks prepares the networks of --ros. The node joins them with open.
func joinNetworks(ctx context.Context, names *naming.Names, c *Cmd, lookup func(string) (string, bool), log *zap.Logger) (*networks, error) {
	n := new(networks)
	var err error
	if missing := hostname.CheckLoopback(); missing != nil && c.Ros != "off" {
		log.Warn(missing.Error())
	}
	if c.Ros != "ros1" && c.Ros != "off" {
		if n.ros2, err = newROS2Network(names, c, lookup, log); err != nil {
			return n, exitcode.Usage(err)
		}
	} else if remark, err := ros2.CheckNoInterfaces(c.Interface, c.Ros); err != nil {
		return n, exitcode.Usage(err)
	} else if remark != "" {
		log.Warn(remark)
	}
	if c.Ros != "ros2" && c.Ros != "off" {
		n.ros1, err = findMaster(ctx, names, c, log)
	}
	return n, err
}

// open joins the networks.
func (n *networks) open() error {
	if n.ros1 != nil {
		if err := n.ros1.open(); err != nil {
			return err
		}
	}
	if n.ros2 != nil {
		return n.ros2.open()
	}
	return nil
}

// transports returns the transports that the bridge serves.
func (n *networks) transports() (all []ros.Transport) {
	if n.ros1 != nil && n.ros1.transport != nil {
		all = append(all, n.ros1.transport)
	}
	if n.ros2 != nil && n.ros2.transport != nil {
		all = append(all, n.ros2.transport)
	}
	return all
}

// serverParameters returns the parameters of the ROS 1 parameter server; ROS 2 has no such server.
func (n *networks) serverParameters(f program.File) []cli.Parameter {
	if n.ros1 == nil {
		return nil
	}
	return n.ros1.serverParameters(f)
}

// done returns a channel that is closed when a peer in ROS 1 requests the shutdown of the node. ROS
// 2 has no such request.
func (n *networks) done() <-chan struct{} {
	if n.ros1 == nil || n.ros1.transport == nil {
		return nil
	}
	return n.ros1.transport.Done()
}

// shutdown returns a channel that is closed when a peer requests the shutdown of the embedded
// master.
func (n *networks) shutdown() <-chan struct{} {
	if n.ros1 == nil {
		return nil
	}
	return n.ros1.shutdown
}

// welcome prints the addresses of the node.
func (n *networks) welcome(w io.Writer) {
	if n.ros1 == nil && n.ros2 == nil {
		fmt.Fprintln(w, "ROS      off")
	}
	if n.ros1 != nil {
		fmt.Fprintf(w, "ROS 1    %s, node %s\n", n.ros1.note, n.ros1.names.Node())
	}
	if n.ros2 != nil {
		fmt.Fprintf(w, "ROS 2    %s\n", n.ros2.note())
	}
}

// close leaves all networks concurrently, since one may hang.
func (n *networks) close() error {
	var errs [2]error
	var all sync.WaitGroup
	if n.ros1 != nil {
		all.Go(func() { errs[0] = n.ros1.close() })
	}
	if n.ros2 != nil {
		all.Go(func() { errs[1] = n.ros2.close() })
	}
	all.Wait()
	return errors.Join(errs[:]...)
}
