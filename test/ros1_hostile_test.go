package test

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
	"sinew/pkg/ros/masterapi"
)

// testHostile throws at the node's ports what they must survive, while the loop
// goes on and nobody else misses a message.
func testHostile(n *network, r *robot) {
	topic := r.node + "/measured_cp"
	_, err := n.subscribe(r.node, topic, geometry_msgs.PoseStampedType, strings.Repeat("0", 32))
	if err == nil || !strings.Contains(err.Error(), "md5") {
		n.t.Errorf("a subscriber with the wrong checksum: error %v", err)
	}
	slave, err := url.Parse(n.slave(r.node))
	if err != nil {
		n.t.Fatal(err)
	}
	pid := n.pid(r.node)
	memory := peakMemory(n, pid)
	messages, gaps := r.messages.Load(), r.gaps.Load()
	random := rand.NewChaCha8([32]byte{1})
	for range 50 {
		garbage := make([]byte, random.Uint64()%4096)
		random.Read(garbage)
		n.throw(n.tcpros(r.node, topic), garbage)
		n.throw(slave.Host, garbage)
		n.throw(slave.Host, append([]byte("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: "+
			strconv.Itoa(len(garbage))+"\r\n\r\n"), garbage...))
	}
	// what the node reads of it, not what is on its way when it closes the connection, up to the buffers of the computer
	const mostRead = 16 << 20 // a body may have 8 MB
	before := bytesRead(n, pid)
	if sent := n.flood(slave.Host, 256<<20); sent >= 256<<20 {
		n.t.Errorf("a body of 256 MB went to the node, which did not close the connection")
	}
	if taken := bytesRead(n, pid) - before; taken > mostRead {
		n.t.Errorf("the node read %d MB of a 256 MB body", taken>>20)
	}
	const most = 64 << 20
	if grown := peakMemory(n, pid) - memory; grown > most {
		n.t.Errorf("the node's memory grew by %d MB", grown>>20)
	}
	n.waitFor("more messages", func() bool { return r.messages.Load() > messages+500 })
	if r.gaps.Load() != gaps || !r.Running() {
		n.t.Errorf("%d messages lost, running: %v", r.gaps.Load()-gaps, r.Running())
	}
}

// pid asks a node for its process number.
func (n *network) pid(node string) int {
	n.t.Helper()
	pid, err := masterapi.Client{URI: n.slave(node), Caller: "/test"}.PID(soon(n.t))
	if err != nil {
		n.t.Fatal(err)
	}
	return pid
}

// peakMemory returns the largest resident memory a process had so far, in bytes.
func peakMemory(n *network, pid int) int {
	n.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		n.t.Skipf("no /proc: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		n.t.Fatal(err)
	}
	return kilobytes << 10
}

// throw sends bytes and hangs up.
func (n *network) throw(address string, b []byte) {
	n.t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		n.t.Fatal(err)
	}
	c.Write(b)
	c.Close()
}

// bytesRead is how much a process has read with read(2), of files and of TCP connections.
func bytesRead(n *network, pid int) int {
	n.t.Helper()
	io, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		n.t.Fatal(err)
	}
	var read int
	if _, err := fmt.Sscanf(string(io), "rchar: %d", &read); err != nil {
		n.t.Fatalf("%v in %q", err, io)
	}
	return read
}

// flood sends an XML-RPC body of a size in chunks and returns how much of it the connection took before it
// was closed: more than the node read.
func (n *network) flood(address string, size int) (taken int) {
	n.t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		n.t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(waitLimit))
	io.WriteString(c, "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n")
	chunk := "100000\r\n" + strings.Repeat(" ", 1<<20) + "\r\n"
	for taken < size {
		if _, err := io.WriteString(c, chunk); err != nil {
			break
		}
		taken += 1 << 20
	}
	return taken
}
