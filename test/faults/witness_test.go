package faults_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/test/peer/rospeer"
)

// witness is a subscriber of the poses that has nothing to do with the fault, in a process
// of its own, above the program in priority: it sees each pose when it comes, whatever this
// test and the fault make of the processors.
type witness struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

// testimony is what a witness has seen, by its own clock whatever the stamps say.
type testimony struct {
	All     int // poses, since it began to listen
	Came    int // of them, since the test said begin
	From    time.Duration
	Silence time.Duration // longest without a pose since then
	Ago     time.Duration // the newest pose
	Stamp   time.Duration // of it
	Back    int           // poses that were stamped before the one that came before
}

// begin is the line upon which a witness counts anew.
const begin = "begin"

func (b *bench) newWitness(kind string) *witness {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	w := &witness{t: b.t, cmd: exec.Command(self)}
	w.cmd.Env, w.cmd.Stderr = append(b.env, asPeer+"="+kind), os.Stderr
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		b.t.Fatal(err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	w.out = json.NewDecoder(out)
	if err := w.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		_ = w.in.Close()
		if err := w.cmd.Wait(); err != nil {
			b.t.Error(err)
		}
	})
	return w
}

// tells asks a witness.
func (w *witness) tells(question string) (x testimony) {
	w.t.Helper()
	_, err := fmt.Fprintln(w.in, question)
	if err == nil {
		err = w.out.Decode(&x)
	}
	if err != nil {
		w.t.Fatalf("witness: %v", err)
	}
	return x
}

// seen is what the witness has seen.
func (w *witness) seen() testimony { w.t.Helper(); return w.tells("") }

// missed is how many poses should have come since begin and how many of them did not.
func (x *testimony) missed() (expected, lost int) {
	expected = int(math.Round(x.From.Seconds() * poseHz))
	return expected, max(0, expected-x.Came)
}

// testify is the witness: it answers each line.
func testify(node ros.Transport, in io.Reader, out io.Writer) error {
	var mu sync.Mutex
	var x testimony
	from, last := time.Now(), time.Now()
	if err := node.Subscribe(ros.Topic{Name: poseTopic, Type: geometry_msgs.PoseStampedType}, func(got ros.Received) {
		mu.Lock()
		defer mu.Unlock()
		now, stamp := time.Now(), time.Duration(got.Message.(*geometry_msgs.PoseStamped).Header.Stamp)
		x.All++
		x.Came++
		x.Silence = max(x.Silence, now.Sub(last))
		if stamp <= x.Stamp {
			x.Back++
		}
		last, x.Stamp = now, stamp
	}); err != nil {
		return err
	}
	answers := json.NewEncoder(out)
	for lines := bufio.NewScanner(in); lines.Scan(); {
		mu.Lock()
		if lines.Text() == begin {
			x.Came, x.Silence, x.Back, from, last = 0, 0, 0, time.Now(), time.Now()
		}
		now := x
		now.From, now.Ago = time.Since(from), time.Since(last)
		now.Silence = max(now.Silence, now.Ago)
		mu.Unlock()
		if err := answers.Encode(now); err != nil {
			return err
		}
	}
	return nil
}

// poseTopic is what witnesses subscribe to.
const poseTopic = "/tendonsim/measured_cp"

// poses counts those that a peer gets from now on.
func poses(s *rospeer.Peer) *atomic.Int64 {
	n := new(atomic.Int64)
	s.Subscribe(poseTopic, geometry_msgs.PoseStampedType, func(ros.Received) { n.Add(1) })
	return n
}
