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
	if taken := n.flood(slave.Host, 256<<20); taken > 32<<20 {
		n.t.Errorf("%d MB of a 256 MB body were taken", taken>>20)
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

// flood sends an XML-RPC body of a size in chunks and returns how much of it was
// taken.
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
