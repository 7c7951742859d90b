package ros1_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/masterclient"
	"sinew/test/testbench"
)

// Set for runs of this program in a network namespace: which side it is, and which master
// it asks.
const (
	hostsSide = "SINEW_TEST_HOSTS"
	hostsURI  = "SINEW_TEST_HOSTS_URI"
)

// twoMachines sets up a machine labpc, with Debian's usual hosts file, and a machine on the
// other end of a cable that knows labpc by its address. It runs its arguments on labpc,
// where $OTHER is a process of the other machine.
const twoMachines = `set -e
hostname labpc
dir=$1; shift
printf '127.0.0.1 localhost\n::1 localhost\n127.0.1.1 labpc.lab labpc\n' > $dir/labpc
printf '127.0.0.1 localhost\n10.77.0.1 labpc\n' > $dir/other
mount --bind $dir/labpc /etc/hosts
ip link set lo up
unshare -nm sleep 300 & OTHER=$!; export OTHER
trap "kill $OTHER" EXIT
until [ "$(readlink /proc/$OTHER/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.02; done
ip link add v0 type veth peer name v1 netns $OTHER
ip addr add 10.77.0.1/24 dev v0; ip link set v0 up
nsenter -t $OTHER -n -m sh -c "mount --bind $dir/other /etc/hosts; ip link set lo up; ip addr add 10.77.0.2/24 dev v1; ip link set v1 up"
"$@"`

// A node whose ROS_HOSTNAME or master is a name of the network can be reached from there,
// also where Debian's hosts file gives the name to loopback. Without either it stays on
// loopback.
func TestNodeIsReachedByItsHostName(t *testing.T) {
	switch os.Getenv(hostsSide) {
	case "labpc":
		onLabpc(t)
		return
	case "other":
		onOther(t)
		return
	}
	if err := exec.Command("unshare", "-rnmu", "hostname", "x").Run(); err != nil {
		t.Skipf("no namespaces here (unshare -rnmu hostname x: %v)", err)
	}
	cmd := exec.Command("unshare", "-rnmu", "sh", "-c", twoMachines, "sh", t.TempDir(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), hostsSide+"=labpc", "PROGRAM="+testbench.BuildTendonsim(t))
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// onLabpc runs the program with several settings and asks the other machine what it sees.
func onLabpc(t *testing.T) {
	const loopback, named = "http://localhost:11311", "http://labpc:11311"
	for _, c := range []struct {
		env     []string
		master  string // of the other machine
		reached bool
		said    string
	}{
		{nil, named, false, ""},
		{[]string{"ROS_HOSTNAME=localhost"}, named, false, ""},
		{[]string{"ROS_HOSTNAME=labpc"}, named, true, "resolves to loopback here, as in Debian's /etc/hosts: the node listens on all interfaces"},
		{[]string{"ROS_MASTER_URI=" + named}, named, true, `"here": "127.0.1.1"`},
		{[]string{"ROS_HOSTNAME=labpc", "ROS_MASTER_URI=" + named}, named, true, "ROS_HOSTNAME=localhost stays on this machine"},
		{[]string{"ROS_IP=10.77.0.1"}, named, true, "on all interfaces"},
		{[]string{"ROS_IP=10.77.0.1", "ROS_MASTER_URI=http://10.77.0.1:11311"}, named, true, ""},
		{[]string{"ROS_HOSTNAME=nobody", "ROS_MASTER_URI=" + named}, named, false, "has no address on this machine"},
		{[]string{"ROS_IP=10.77.0.9", "ROS_MASTER_URI=" + named}, named, false, "is not an address of this machine: the node listens on ALL interfaces"},
	} {
		t.Run(strings.Join(c.env, " "), func(t *testing.T) {
			sim := exec.Command(os.Getenv("PROGRAM"), "run", "--ros", "ros1", "--realtime", "off")
			sim.Env = append(os.Environ(), c.env...)
			var said bytes.Buffer
			sim.Stderr, sim.Stdout = &said, &said
			if err := sim.Start(); err != nil {
				t.Fatal(err)
			}
			own := loopback
			for _, v := range c.env {
				if uri, given := strings.CutPrefix(v, "ROS_MASTER_URI="); given {
					own = uri
				}
			}
			_, err := find(own)
			for end := time.Now().Add(testbench.WaitLimit); err != nil && time.Now().Before(end); _, err = find(own) {
				time.Sleep(50 * time.Millisecond)
			}
			if c.reached && err == nil {
				err = reach(own)
			}
			if err != nil {
				t.Errorf("from labpc: %v", err)
			}
			other := exec.Command("nsenter", "-t", os.Getenv("OTHER"), "-n", "-m", os.Args[0], "-test.run=^TestNodeIsReachedByItsHostName$")
			other.Env = append(os.Environ(), hostsSide+"=other", hostsURI+"="+c.master)
			out, err := other.CombinedOutput()
			if (err == nil) != c.reached {
				t.Errorf("from the other machine: %v, want it reached %t\n%s", err, c.reached, out)
			}
			_ = sim.Process.Signal(os.Interrupt)
			_ = sim.Wait()
			if !strings.Contains(said.String(), c.said) {
				t.Errorf("want a line with %q:\n%s", c.said, said.String())
			}
		})
	}
}

// onOther fails where the node is not reached.
func onOther(t *testing.T) {
	if err := reach(os.Getenv(hostsURI)); err != nil {
		t.Fatal(err)
	}
}

// find asks the master for the node.
func find(master string) (uri string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), testbench.WaitLimit/2)
	defer cancel()
	return masterclient.Client{URI: master, Caller: "/test"}.LookupNode(ctx, "/tendonsim")
}

// reach finds the node, asks it for the port of a topic, and connects there.
func reach(master string) error {
	uri, err := find(master)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), testbench.WaitLimit/2)
	defer cancel()
	reply, err := masterclient.Call(ctx, uri, "requestTopic", "/test", "/tendonsim/measured_cp", []any{[]any{"TCPROS"}})
	if err != nil {
		return err
	}
	p, _ := reply.([]any)
	if len(p) != 3 {
		return fmt.Errorf("requestTopic gave %v", reply)
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(fmt.Sprint(p[1]), strconv.Itoa(p[2].(int))))
	if err == nil {
		err = c.Close()
	}
	return err
}
