package rtps

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/test/peer/ddspeer"
)

// The tests of interoperability run programs on DDS implementations of others
// as the other side; see package ddspeer. Their sources are in test/peer/dds.
const (
	peerSource = "../../../test/peer/dds"
	peerType   = "peer::dds_::Numbers_"
)

// vendor is a DDS implementation and the command that runs its program; a test is
// skipped where it cannot be had.
type vendor struct {
	name    string
	command func(t *testing.T) []string
}

var (
	cyclone  = vendor{"Cyclone", func(t *testing.T) []string { return []string{ddspeer.Cyclone.Path(t)} }}
	fast     = vendor{"Fast DDS", func(t *testing.T) []string { return []string{ddspeer.FastDDS.Path(t)} }}
	ours     = vendor{"ours", oursCommand}
	foxglove = vendor{"Foxglove", foxgloveCommand}
)

// oursDir is where our own program is built, once.
var oursDir string

func oursCommand(t *testing.T) []string {
	t.Helper()
	var err error
	if oursDir == "" {
		if oursDir, err = os.MkdirTemp("", "rtps-peer"); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(oursDir, "ours")
	if out, err := exec.Command("go", "build", "-C", filepath.Join(peerSource, "ours"), "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return []string{path}
}

func foxgloveCommand(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed (Debian: nodejs)")
	}
	dir := filepath.Join(peerSource, "foxglove")
	for _, module := range []string{"@foxglove/rtps", "avl"} {
		if _, err := os.Stat(filepath.Join(dir, "node_modules", module)); err != nil {
			t.Skipf("%s is not installed: npm ci --prefix test/peer/dds/foxglove", module)
		}
	}
	return []string{"node", filepath.Join(dir, "peer.js")}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if oursDir != "" {
		os.RemoveAll(oursDir)
	}
	os.Exit(code)
}

// Configurations of Cyclone, which others ignore: on the loopback interface, with multicast or with
// the well-known ports alone.
var (
	cycloneMulticast = withRoom(ddspeer.Multicast)
	cycloneUnicast   = withRoom(ddspeer.Unicast)
)

// cycloneLossy, put into one of them, loses 50 of 1000 datagrams that it sends.
const cycloneLossy = `<Internal><Test><XmitLossiness>50</XmitLossiness></Test></Internal>`

// withRoom makes room for more settings, where %s stands.
func withRoom(config string) string { return strings.Replace(config, "</General>", "</General>%s", 1) }

// place is where a peer runs: the zero value means here, on loopback.
type place struct {
	namespace string // of the network
	name      string // of its network interface
	address   string
	peers     string // for ours: addresses to look at instead of multicast
}

// command runs the given one in the place, with a configuration of Cyclone.
func (at place) command(config string, args ...string) *exec.Cmd {
	if at.namespace != "" {
		args = append([]string{"ip", "netns", "exec", at.namespace}, args...)
	}
	if at.name != "" {
		config = strings.ReplaceAll(config, `name="lo"`, `name="`+at.name+`"`)
	}
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), "CYCLONEDDS_URI="+strings.ReplaceAll(config, "%s", ""))
	if at.address != "" {
		c.Env = append(c.Env, "PEER_ADDRESS="+at.address, "PEERS="+at.peers)
	}
	return c
}

// peer is a running program of a vendor.
type peer struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	ended chan struct{} // closed at the end of its output
	mu    sync.Mutex
	words []string // what it says of itself
	lines []string // one per sample
}

func startPeer(t *testing.T, v vendor, config string, args ...string) *peer {
	t.Helper()
	return startPeerAt(t, place{}, v, config, args...)
}

func startPeerAt(t *testing.T, at place, v vendor, config string, args ...string) *peer {
	t.Helper()
	cmd := at.command(config, append(append(v.command(t), fmt.Sprint(testDomain)), args...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &peer{cmd: cmd, stdin: in, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.add(s.Text())
		}
	}()
	t.Cleanup(func() {
		in.Close()
		late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		<-p.ended
		cmd.Wait()
		late.Stop()
	})
	eventually(t, "peer ready", func() bool { return p.said("ready") })
	return p
}

// matched waits until the peer knows us too.
func (p *peer) matched(t *testing.T) {
	t.Helper()
	eventually(t, "match at the peer", func() bool { return p.said("matched") })
}

// begin lets a pub write, once it and r know each other.
func (p *peer) begin(t *testing.T, r *Reader) {
	t.Helper()
	eventually(t, "match", func() bool { return r.Matched() == 1 })
	p.matched(t)
	p.start(t)
}

// start lets a pub write.
func (p *peer) start(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(p.stdin, "go\n"); err != nil {
		t.Fatal(err)
	}
}

func (p *peer) add(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line != "" && line[0] >= '0' && line[0] <= '9' {
		p.lines = append(p.lines, line)
	} else {
		p.words = append(p.words, line)
	}
}

// said reports whether the peer has printed word.
func (p *peer) said(word string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.words, word)
}

// len is how many samples the peer has printed.
func (p *peer) len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.lines)
}

// leave lets the peer end and waits until it has: the next one would take it for its other side.
func (p *peer) leave(t *testing.T) {
	t.Helper()
	p.stdin.Close()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatalf("the peer is still there %v after the end of its input", patience)
	}
}

// receives waits until the peer has printed n samples, and says which those are that it has where
// some do not come.
func (p *peer) receives(t *testing.T, n int) {
	t.Helper()
	for end := time.Now().Add(patience); p.len() < n; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			p.mu.Lock()
			defer p.mu.Unlock()
			t.Fatalf("%d of %d samples within %v: %.20q …; it says %q", len(p.lines), n, patience, p.lines, p.words)
		}
	}
}

// numbers is the CDR form of the peer's type: a number and an array 0, 1, 2, ….
func numbers(number, length int) []byte {
	b := []byte{0, 1, 0, 0}
	b = binary.LittleEndian.AppendUint64(b, uint64(number))
	b = binary.LittleEndian.AppendUint32(b, uint32(length))
	b = binary.LittleEndian.AppendUint32(b, 0) // doubles start at multiples of eight
	for i := range length {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(i)))
	}
	return b
}

// numbers lists those of the samples that the peer printed, which must have
// arrays of the given length.
func (p *peer) numbers(t *testing.T, length int) (all []int) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		first, _, _ := strings.Cut(l, " ")
		k, err := strconv.Atoi(first)
		if err != nil {
			t.Fatalf("peer printed %q: %v", l, err)
		}
		if want := fmt.Sprintf("%d %d %.17g", k, length, float64(length)*float64(length-1)/2); l != want {
			t.Fatalf("peer printed %q, not %q", l, want)
		}
		all = append(all, k)
	}
	return all
}

// numbers lists those of the samples, which must have arrays of the given length.
func (b *box) numbers(t *testing.T, length int) (all []int) {
	t.Helper()
	for i, s := range b.samples() {
		if len(s.Payload) < 12 {
			t.Fatalf("sample %d is %x", i, s.Payload)
		}
		k := int(binary.LittleEndian.Uint64(s.Payload[4:]))
		if !bytes.Equal(s.Payload, numbers(k, length)) {
			t.Fatalf("sample %d has %d bytes and differs", i, len(s.Payload))
		}
		all = append(all, k)
	}
	return all
}

func peerWriter(t *testing.T, p *Participant, topic string, q QoS) *Writer {
	t.Helper()
	w, err := p.NewWriter(WriterOptions{Topic: topic, Type: peerType, QoS: q})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func peerReader(t *testing.T, p *Participant, topic string, q QoS) (*Reader, *box) {
	t.Helper()
	b := new(box)
	r, err := p.NewReader(ReaderOptions{Topic: topic, Type: peerType, QoS: q, Receive: b.receive})
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}
