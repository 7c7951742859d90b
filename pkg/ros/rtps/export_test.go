package rtps

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
	"sinew/test/peer/ddspeer"
)

// Unexported names for the external tests.
const (
	AskAgain     = askAgain
	AwaitReader  = awaitReader
	FragmentSize = fragmentSize
	OvertakenFor = overtakenFor
	ResendPause  = resendPause
	RetryFirst   = retryFirst
	RetryLast    = retryLast
)

var (
	Loopback = loopback
	NewInbox = newInbox
)

// PoseBytes is the size of a PoseStamped in CDR with its header.
const PoseBytes = 84

var (
	Reliable   = QoS{Reliable: true, Depth: 1000}
	Latched    = QoS{Reliable: true, TransientLocal: true, Depth: 1}
	BestEffort = QoS{Depth: 1000}
)

// Exchange is one way to talk to a vendor.
type Exchange struct {
	Vendor VendorInTest
	Config string
	O      Options
	Qos    string
	Q      QoS
	Period time.Duration // from one sample to the next
}

// Length is that of the arrays in small samples.
const Length = 3

// Out writes to a peer.
func (c Exchange) Out(t *testing.T) {
	us := Join(t, c.O)
	w := PeerWriter(t, us, "rt/out", c.Q)
	them := StartPeer(t, c.Vendor, c.Config, "sub", "rt/out", c.Qos)
	MatchedInTest(t, w, 1)
	them.Matched(t)
	sent := 0
	if c.O.wrap != nil {
		// What told them where to begin may have been lost; a volatile reader
		// then begins with a later sample.
		Eventually(t, "a sample", func() bool {
			Write(t, w, Numbers(sent, Length))
			sent++
			return them.Len() > 0
		})
	}
	start := time.Now()
	// what is lost on purpose of few datagrams may be nothing
	for i := 0; i < c.Count() || i < 100*c.Count() && c.O.wrap != nil && us.Stats().Resent == 0; i++ {
		Write(t, w, Numbers(sent, Length))
		sent++
		time.Sleep(time.Until(start.Add(time.Duration(i+1) * c.Period)))
	}
	first := 0
	if c.O.wrap != nil {
		first = them.Numbers(t, Length)[0]
		if us.Stats().Resent == 0 {
			t.Error("nothing was sent again: the test tested nothing")
		}
	}
	c.Arrive(t, us, them, first, sent, them, Length)
}

// In reads from a peer.
func (c Exchange) In(t *testing.T) {
	us := Join(t, c.O)
	r, got := PeerReader(t, us, "rt/in", c.Q)
	n := c.Count()
	them := StartPeer(t, c.Vendor, c.Config, "pub", "rt/in", c.Qos, fmt.Sprint(n), fmt.Sprint(c.Period.Microseconds()), fmt.Sprint(Length))
	them.Begin(t, r)
	Eventually(t, "all written", func() bool { return them.Said("written") })
	c.Arrive(t, us, them, 0, n, got, Length)
}

// sink is where samples arrive: a box of ours or a peer.
type sink interface {
	Len() int
	Numbers(t *testing.T, length int) []int
}

// Arrive waits for the numbers from first to before end: in order and each
// once. A best-effort reader that knows its writer, and is known, may lack as
// many as the kernel dropped for want of room.
func (c Exchange) Arrive(t *testing.T, us *Participant, them *Peer, first, end int, at sink, length int) {
	t.Helper()
	drops := func() int { return 0 }
	if !c.Q.Reliable {
		drops = func() int { return kernelDrops(t, os.Getpid(), them.Cmd.Process.Pid) }
	}
	defer func() {
		if t.Failed() {
			t.Logf("%d of %d samples arrived; we: %+v", at.Len(), end-first, us.Stats())
		}
	}()
	Eventually(t, "all samples", func() bool { return at.Len()+drops() >= end-first })
	last := first - 1
	for i, k := range at.Numbers(t, length) {
		if k <= last || c.Q.Reliable && k != last+1 || k >= end {
			t.Fatalf("sample %d has number %d, after %d", i, k, last)
		}
		last = k
	}
	if n := us.Stats().Overwritten; n != 0 {
		t.Errorf("%d samples were overwritten before they were received", n)
	}
}

// Events collects what Notify tells.
type Events struct {
	mu  sync.Mutex
	all []Event
}

func (e *Events) Notify(v Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, v)
}

func (e *Events) Of(k EventKind) (all []Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, v := range e.all {
		if v.Kind == k {
			all = append(all, v)
		}
	}
	return all
}

func ReaderID(i byte) wire.EntityID { return wire.EntityID{1, 0, i, wire.KindReaderNoKey} }
func WriterID(i byte) wire.EntityID { return wire.EntityID{1, 0, i, wire.KindWriterNoKey} }

// The tests of interoperability run programs on DDS implementations of others
// as the other side; see package ddspeer. Their sources are in test/peer/dds.
const (
	peerSource = "../../../test/peer/dds"
	peerType   = "peer::dds_::Numbers_"
)

// VendorInTest is a DDS implementation and the command that runs its program; a test is
// skipped where it cannot be had.
type VendorInTest struct {
	Name    string
	Command func(t *testing.T) []string
}

var (
	Cyclone  = VendorInTest{"Cyclone", func(t *testing.T) []string { return []string{ddspeer.Cyclone.Path(t)} }}
	Fast     = VendorInTest{"Fast DDS", func(t *testing.T) []string { return []string{ddspeer.FastDDS.Path(t)} }}
	Ours     = VendorInTest{"ours", oursCommand}
	Foxglove = VendorInTest{"Foxglove", foxgloveCommand}
)

// OursDir is where our own program is built, once.
var OursDir string

func oursCommand(t *testing.T) []string {
	t.Helper()
	var err error
	if OursDir == "" {
		if OursDir, err = os.MkdirTemp("", "rtps-peer"); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(OursDir, "ours")
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

// Configurations of Cyclone, which others ignore: on the loopback interface, with multicast or with
// the well-known ports alone.
var (
	CycloneMulticast = withRoom(ddspeer.Multicast)
	CycloneUnicast   = withRoom(ddspeer.Unicast)
)

// CycloneLossy, put into one of them, loses 50 of 1000 datagrams that it sends.
const CycloneLossy = `<Internal><Test><XmitLossiness>50</XmitLossiness></Test></Internal>`

// withRoom makes room for more settings, where %s stands.
func withRoom(config string) string { return strings.Replace(config, "</General>", "</General>%s", 1) }

// Place is where a peer runs: the zero value means here, on loopback.
type Place struct {
	Namespace string // of the network
	Name      string // of its network interface
	Address   string
	Peers     string // for ours: addresses to look at instead of multicast
}

// command runs the given one in the place, with a configuration of Cyclone.
func (at Place) command(config string, args ...string) *exec.Cmd {
	if at.Namespace != "" {
		args = append([]string{"ip", "netns", "exec", at.Namespace}, args...)
	}
	if at.Name != "" {
		config = strings.ReplaceAll(config, `name="lo"`, `name="`+at.Name+`"`)
	}
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), "CYCLONEDDS_URI="+strings.ReplaceAll(config, "%s", ""))
	if at.Address != "" {
		c.Env = append(c.Env, "PEER_ADDRESS="+at.Address, "PEERS="+at.Peers)
	}
	return c
}

// Peer is a running program of a vendor.
type Peer struct {
	Cmd   *exec.Cmd
	Stdin io.WriteCloser
	ended chan struct{} // closed at the end of its output
	mu    sync.Mutex
	words []string // what it says of itself
	lines []string // one per sample
}

func StartPeer(t *testing.T, v VendorInTest, config string, args ...string) *Peer {
	t.Helper()
	return StartPeerAt(t, Place{}, v, config, args...)
}

func StartPeerAt(t *testing.T, at Place, v VendorInTest, config string, args ...string) *Peer {
	t.Helper()
	cmd := at.command(config, append(append(v.Command(t), fmt.Sprint(Domain)), args...)...)
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
	p := &Peer{Cmd: cmd, Stdin: in, ended: make(chan struct{})}
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
	Eventually(t, "peer ready", func() bool { return p.Said("ready") })
	return p
}

// Matched waits until the peer knows us too.
func (p *Peer) Matched(t *testing.T) {
	t.Helper()
	Eventually(t, "match at the peer", func() bool { return p.Said("matched") })
}

// Begin lets a pub write, once it and r know each other.
func (p *Peer) Begin(t *testing.T, r *Reader) {
	t.Helper()
	Eventually(t, "match", func() bool { return r.Matched() == 1 })
	p.Matched(t)
	p.Start(t)
}

// Start lets a pub write.
func (p *Peer) Start(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(p.Stdin, "go\n"); err != nil {
		t.Fatal(err)
	}
}

func (p *Peer) add(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line != "" && line[0] >= '0' && line[0] <= '9' {
		p.lines = append(p.lines, line)
	} else {
		p.words = append(p.words, line)
	}
}

// Said reports whether the peer has printed word.
func (p *Peer) Said(word string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.words, word)
}

// Len is how many samples the peer has printed.
func (p *Peer) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.lines)
}
