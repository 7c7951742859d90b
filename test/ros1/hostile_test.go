package ros1_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/masterclient"
	"sinew/test/testbench"
)

// testHostile throws at the node's ports what they must survive, while the loop
// continues, and no other subscriber misses a message.
func testHostile(n *testbench.Network, r *testbench.Robot) {
	topic := r.Node + "/measured_cp"
	_, err := n.Subscribe(r.Node, topic, geometry_msgs.PoseStampedType, strings.Repeat("0", 32))
	if err == nil || !strings.Contains(err.Error(), "md5") {
		n.T.Errorf("a subscriber with the wrong checksum: error %v", err)
	}
	slave, err := url.Parse(n.Slave(r.Node))
	if err != nil {
		n.T.Fatal(err)
	}
	pid := pid(n, r.Node)
	memory := peakMemory(n, pid)
	messages, gaps := r.Messages.Load(), r.Gaps.Load()
	random := rand.NewChaCha8([32]byte{1})
	for range 50 {
		garbage := make([]byte, random.Uint64()%4096)
		random.Read(garbage)
		throw(n, n.PublisherAddress(r.Node, topic), garbage)
		throw(n, slave.Host, garbage)
		throw(n, slave.Host, append([]byte("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: "+
			strconv.Itoa(len(garbage))+"\r\n\r\n"), garbage...))
	}
	// what the node reads of it, not what is on its way when it closes the connection, up to the buffers of the computer
	const mostRead = 16 << 20 // a body may have 8 MB
	before := bytesRead(n, pid)
	if sent := flood(n, slave.Host, 256<<20); sent >= 256<<20 {
		n.T.Errorf("a body of 256 MB went to the node, which did not close the connection")
	}
	if taken := bytesRead(n, pid) - before; taken > mostRead {
		n.T.Errorf("the node read %d MB of a 256 MB body", taken>>20)
	}
	const most = 64 << 20
	if grown := peakMemory(n, pid) - memory; grown > most {
		n.T.Errorf("the node's memory grew by %d MB", grown>>20)
	}
	n.WaitFor("more messages", func() bool { return r.Messages.Load() > messages+500 })
	if r.Gaps.Load() != gaps || !r.Running() {
		n.T.Errorf("%d messages lost, running: %v", r.Gaps.Load()-gaps, r.Running())
	}
}

// pid asks a node for its process number.
func pid(n *testbench.Network, node string) int {
	n.T.Helper()
	pid, err := masterclient.Client{URI: n.Slave(node), Caller: "/test"}.PID(testbench.Deadline(n.T))
	if err != nil {
		n.T.Fatal(err)
	}
	return pid
}

// peakMemory returns the largest resident memory a process had so far, in bytes.
func peakMemory(n *testbench.Network, pid int) int {
	n.T.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		n.T.Skipf("no /proc: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		n.T.Fatal(err)
	}
	return kilobytes << 10
}

// throw sends bytes and hangs up.
func throw(n *testbench.Network, address string, b []byte) {
	n.T.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		n.T.Fatal(err)
	}
	c.Write(b)
	c.Close()
}

// bytesRead is how much a process has read with read(2), of files and of TCP connections.
func bytesRead(n *testbench.Network, pid int) int {
	n.T.Helper()
	io, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		n.T.Fatal(err)
	}
	var read int
	if _, err := fmt.Sscanf(string(io), "rchar: %d", &read); err != nil {
		n.T.Fatalf("%v in %q", err, io)
	}
	return read
}

// flood sends an XML-RPC body of a size in chunks and returns how much of it the connection took before it
// was closed: more than the node read.
func flood(n *testbench.Network, address string, size int) (taken int) {
	n.T.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		n.T.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(testbench.WaitLimit))
	io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n")
	chunk := "100000\r\n" + strings.Repeat(" ", 1<<20) + "\r\n"
	for taken < size {
		if _, err := io.WriteString(c, chunk); err != nil {
			break
		}
		taken += 1 << 20
	}
	return taken
}
