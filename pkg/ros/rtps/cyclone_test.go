package rtps

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The tests of this file talk to Cyclone DDS. The source of the other side is
// in test/dds.
const (
	peerSource = "../../../test/dds"
	peerType   = "peer::dds_::Numbers_"
)

// built is the directory of the peer's program, once it has been made.
var built string

// buildPeer makes the peer's program; the test is skipped where its tools are
// not installed.
func buildPeer(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"idlc", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed (Debian: cyclonedds-tools, cyclonedds-dev, gcc)", tool)
		}
	}
	if built != "" {
		return filepath.Join(built, "peer")
	}
	dir, err := os.MkdirTemp("", "rtps-peer")
	if err != nil {
		t.Fatal(err)
	}
	built = dir
	source, err := filepath.Abs(peerSource)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"idlc", "-x", "final", filepath.Join(source, "numbers.idl")},
		{"cc", "-O1", "-I.", filepath.Join(source, "peer.c"), "numbers.c", "-lddsc", "-o", "peer"},
	} {
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, out)
		}
	}
	return filepath.Join(dir, "peer")
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// Configurations of Cyclone: on the loopback interface, with multicast or with
// the well-known ports alone.
const (
	cycloneMulticast = `<CycloneDDS><Domain><General><AllowMulticast>true</AllowMulticast><Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces></General>%s</Domain></CycloneDDS>`
	cycloneUnicast   = `<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast><Interfaces><NetworkInterface name="lo"/></Interfaces></General>` +
		`<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address="localhost"/></Peers></Discovery>%s</Domain></CycloneDDS>`
	// loses 50 of 1000 datagrams that it sends
	cycloneLossy = `<Internal><Test><XmitLossiness>50</XmitLossiness></Test></Internal>`
)

// peer is a running program on Cyclone DDS.
type peer struct {
	cmd   *exec.Cmd
	stdin io.Closer
	mu    sync.Mutex
	lines []string
}

func startPeer(t *testing.T, config string, args ...string) *peer {
	t.Helper()
	cmd := exec.Command(buildPeer(t), append([]string{fmt.Sprint(testDomain)}, args...)...)
	cmd.Env = append(os.Environ(), "CYCLONEDDS_URI="+config)
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
	p := &peer{cmd: cmd, stdin: in}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.mu.Lock()
			p.lines = append(p.lines, s.Text())
			p.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		in.Close()
		late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		<-read
		cmd.Wait()
		late.Stop()
	})
	eventually(t, "peer ready", func() bool { return len(p.got("ready")) == 1 })
	return p
}

// got lists the lines that start with word, or the samples when it is empty.
func (p *peer) got(word string) (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		isWord := l[0] > '9'
		if word != "" && strings.HasPrefix(l, word) || word == "" && !isWord {
			all = append(all, l)
		}
	}
	return all
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

// line is what the peer prints for numbers(number, length).
func line(number, length int) string {
	return fmt.Sprintf("%d %d %.17g", number, length, float64(length)*float64(length-1)/2)
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

func TestCyclone(t *testing.T) {
	const n, period, length = 1000, time.Millisecond, 3
	var dropped atomic.Int64
	lossyWrap := func(l link) link { return lossy{l, func() bool { return rand.Float64() < 0.05 }, &dropped} }
	for name, c := range map[string]struct {
		config string
		o      Options
		qos    string
		q      QoS
	}{
		"multicast":            {fmt.Sprintf(cycloneMulticast, ""), Options{}, "rv1000", reliable},
		"unicast":              {fmt.Sprintf(cycloneUnicast, ""), Options{NoMulticast: true}, "rv1000", reliable},
		"best effort":          {fmt.Sprintf(cycloneMulticast, ""), Options{}, "bv1000", bestEffort},
		"5 % lost in each way": {fmt.Sprintf(cycloneMulticast, cycloneLossy), Options{wrap: lossyWrap}, "rv1000", reliable},
	} {
		t.Run(name+" out", func(t *testing.T) {
			us := join(t, c.o)
			w := peerWriter(t, us, "rt/out", c.q)
			them := startPeer(t, c.config, "sub", "rt/out", c.qos)
			matched(t, w, 1)
			time.Sleep(200 * time.Millisecond) // a volatile reader must know us too
			for i := range n {
				write(t, w, numbers(i, length))
				time.Sleep(period)
			}
			eventually(t, "all samples", func() bool { return len(them.got("")) >= n })
			if c.o.wrap != nil && (dropped.Load() == 0 || us.Stats().Resent == 0) {
				t.Fatal("nothing was lost: the test tested nothing")
			}
			for i, l := range them.got("") {
				if l != line(i, length) {
					t.Fatalf("sample %d is %q, not %q", i, l, line(i, length))
				}
			}
		})
		t.Run(name+" in", func(t *testing.T) {
			us := join(t, c.o)
			_, got := peerReader(t, us, "rt/in", c.q)
			them := startPeer(t, c.config, "pub", "rt/in", c.qos, fmt.Sprint(n), fmt.Sprint(period.Microseconds()), fmt.Sprint(length))
			eventually(t, "all written", func() bool { return len(them.got("written")) == 1 })
			eventually(t, "all samples", func() bool { return got.len() >= n })
			for i, s := range got.samples() {
				if string(s.Payload) != string(numbers(i, length)) {
					t.Fatalf("sample %d is %x", i, s.Payload)
				}
			}
		})
	}
}

func TestCycloneLateJoiner(t *testing.T) {
	config := fmt.Sprintf(cycloneMulticast, "")
	q := QoS{Reliable: true, TransientLocal: true, Depth: 2}
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/latched", q)
	for i := range 5 {
		write(t, w, numbers(i, 1))
	}
	them := startPeer(t, config, "sub", "rt/latched", "rt2")
	eventually(t, "kept samples", func() bool { return len(them.got("")) == 2 })
	if got := them.got(""); got[0] != line(3, 1) || got[1] != line(4, 1) {
		t.Errorf("late Cyclone reader got %q", got)
	}

	writer := startPeer(t, config, "pub", "rt/latched2", "rt2", "5", "0", "1")
	eventually(t, "all written", func() bool { return len(writer.got("written")) == 1 })
	_, got := peerReader(t, us, "rt/latched2", q)
	eventually(t, "kept samples", func() bool { return got.len() == 2 })
	if s := got.samples(); string(s[0].Payload) != string(numbers(3, 1)) || string(s[1].Payload) != string(numbers(4, 1)) {
		t.Errorf("late reader got %x", s)
	}
}

// TestCycloneLarge sends 100,000 doubles, 800 kB, in fragments.
func TestCycloneLarge(t *testing.T) {
	const n, length = 20, 100_000
	us := join(t, Options{})
	for name, config := range map[string]string{"no loss": fmt.Sprintf(cycloneMulticast, ""), "5 % lost": fmt.Sprintf(cycloneMulticast, cycloneLossy)} {
		t.Run(name, func(t *testing.T) {
			q := QoS{Reliable: true, Depth: n}
			w := peerWriter(t, us, "rt/large_out", q)
			them := startPeer(t, config, "sub", "rt/large_out", "rv20")
			matched(t, w, 1)
			time.Sleep(200 * time.Millisecond)
			for i := range n {
				write(t, w, numbers(i, length))
				time.Sleep(20 * time.Millisecond)
			}
			eventually(t, "samples at Cyclone", func() bool { return len(them.got("")) == n })
			for i, l := range them.got("") {
				if l != line(i, length) {
					t.Fatalf("sample %d is %q", i, l)
				}
			}
			_, got := peerReader(t, us, "rt/large_in", q)
			startPeer(t, config, "pub", "rt/large_in", "rv20", fmt.Sprint(n), "20000", fmt.Sprint(length))
			eventually(t, "samples from Cyclone", func() bool { return got.len() == n })
			for i, s := range got.samples() {
				if string(s.Payload) != string(numbers(i, length)) {
					t.Fatalf("sample %d has %d bytes and differs", i, len(s.Payload))
				}
			}
			w.Close()
		})
	}
}

// TestCycloneReturns kills the peer without good-bye and starts it again: data
// must be back within 3 s.
func TestCycloneReturns(t *testing.T) {
	const limit = 3 * time.Second
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/return", reliable)
	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				w.Write(numbers(i, 1))
			}
		}
	})
	defer writing.Wait()
	defer close(stop)
	for range 2 {
		start := time.Now()
		them := startPeer(t, fmt.Sprintf(cycloneMulticast, ""), "sub", "rt/return", "rv100")
		eventually(t, "data", func() bool { return len(them.got("")) > 10 })
		if d := time.Since(start); d > limit {
			t.Errorf("data came after %v", d)
		}
		them.cmd.Process.Kill()
	}
}

// TestCycloneFour talks to four peers at once and sees them go.
func TestCycloneFour(t *testing.T) {
	const n = 300
	us := join(t, Options{})
	w := peerWriter(t, us, "rt/four", reliable)
	var all []*peer
	for range 4 {
		all = append(all, startPeer(t, fmt.Sprintf(cycloneUnicast, ""), "sub", "rt/four", "rv1000"))
	}
	matched(t, w, 4)
	time.Sleep(200 * time.Millisecond)
	for i := range n {
		write(t, w, numbers(i, 2))
		time.Sleep(time.Millisecond)
	}
	for k, p := range all {
		eventually(t, fmt.Sprintf("samples at peer %d", k), func() bool { return len(p.got("")) == n })
		p.stdin.Close() // says good-bye
	}
	eventually(t, "good-byes", func() bool { return w.Matched() == 0 && len(us.Remotes()) == 0 })
}
