package faults

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"sinew/test/subprocess"
)

var write = flag.Bool("write", false, "write the table of docs/reliability.md anew")

// fault is a row of the table.
type fault struct {
	name    string
	network string // of the program and of those who watch it: ROS 1, ROS 2 or both
	cause   string // how it is brought about
	run     func(*bench)

	// sees are what tells the user while the fault lasts, after what tells him of its
	// end. Without any, the fault must not show: diagnostics stay OK.
	sees, after []sign
	keeps       string // what goes on besides the poses
	recovers    string // what is as before, or how the program ends
	within      time.Duration

	// lost is the largest share of the poses that may be missing while the fault lasts and
	// until it is over, silence the longest time without any. 0 is usualLoss and usualSilence.
	lost    float64
	silence time.Duration
}

// What a machine of two processors that others use takes from any program now and then.
const (
	usualLoss    = 0.05
	usualSilence = 250 * time.Millisecond
)

// mostLost is lost or the usual share.
func (f *fault) mostLost() float64 {
	if f.lost == 0 {
		return usualLoss
	}
	return f.lost
}

// longestSilence is silence or the usual one.
func (f *fault) longestSilence() time.Duration {
	if f.silence == 0 {
		return usualSilence
	}
	return f.silence
}

// faults are the rows in their order.
func faults() []fault {
	return slices.Concat(ros1Faults(), commandFaults("ROS 1"), commandFaults("ROS 2"), ros2Faults(), recordingFaults(), machineFaults(), fileFaults())
}

// outcome is what one run of a fault gave.
type outcome struct {
	took    time.Duration // to recover, or to end
	ended   bool          // the program has, as it should
	poses   int           // that should have come
	lost    int           // of them, at the worse of the subscribers
	silence time.Duration
}

// TestFaults brings the faults about and writes the table, with -args -write: for four
// minutes it needs a computer that others leave alone.
func TestFaults(t *testing.T) {
	if !*write {
		return // the table is compared by TestTableOfFaults
	}
	outcomes := map[string]outcome{}
	for _, f := range faults() {
		t.Run(f.title(), func(t *testing.T) {
			b := newBench(t, &f)
			f.run(b)
			b.finish()
			t.Log(b.outcome.String(&f))
			if !t.Failed() && !b.outcome.exceeds(&f) { // on a busy computer it may, in the table not
				outcomes[f.title()] = b.outcome
			}
		})
	}
	if *write {
		if err := writeTable(outcomes); err != nil {
			t.Fatal(err)
		}
	}
}

// title names the fault among all.
func (f *fault) title() string { return f.name + ", " + f.network }

// programs is where the programs under test are built.
var programs string

func TestMain(m *testing.M) {
	if kind := os.Getenv(asPeer); kind != "" {
		if err := peer(kind); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(func() int {
		var err error
		if programs, err = os.MkdirTemp("", "faults"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(programs)
		return m.Run()
	}())
}

var tendonsim = sync.OnceValues(func() (string, error) { return subprocess.Build(programs, "tendonsim") })
