package faults_test

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
	keeps       string // what continues besides the poses
	recovers    string // what is as before, or how the program ends
	within      time.Duration

	// alone says that the fault takes so much of the computer, or changes it so, that no other
	// may run beside it.
	alone bool

	// lost is the largest share of the poses that may be missing while the fault lasts and
	// until it is over, of two seconds at least, silence the longest time without any, both
	// beyond what the computer takes from a program that only sleeps. 0 is usualLoss and
	// usualSilence.
	lost    float64
	silence time.Duration
}

// What no user of the robot notices.
const (
	usualLoss    = 0.05
	usualSilence = 250 * time.Millisecond
)

// leastCounted is for how long poses are counted at the least: of the 40 of a fault that is over at
// once, two that come a moment later would be a share of 5 %.
const leastCounted = 2 * time.Second

// aFew is how many poses more than the share a shorter fault may take.
const aFew = 25

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
	return slices.Concat(ros1Faults(), commandFaults("ROS 1"), commandFaults("ROS 2"), ros2Faults(), networkFaults(), recordingFaults(), machineFaults(), clockFaults(), fileFaults())
}

// outcome is what one run of a fault gave.
type outcome struct {
	took    time.Duration // to recover, or to end
	ended   bool          // the program has, as it should
	poses   int           // that should have come
	lost    int           // of them, at the worse of the subscribers
	silence time.Duration

	taken int           // periods that the computer took from a program that only sleeps
	gap   time.Duration // its longest one
}

// besideTaken is how many poses may be missing for each period that the computer took from the
// probes, as in test/bench/realtime: a program with something to do in each period is late for one
// more, now and then, when the computer comes back. That is no more than the usual share.
const besideTaken = 1.5

// disturbed reports whether more poses were missing than the fault allows.
func (o *outcome) disturbed(f *fault) bool {
	return float64(o.lost) > f.mostLost()*float64(o.poses)+allowance(o.taken, o.poses) || o.silence-o.gap > f.longestSilence()
}

// allowance is how many of poses may be missing because the computer took periods.
func allowance(taken, poses int) float64 {
	return float64(taken) + min((besideTaken-1)*float64(taken), usualLoss*float64(poses))
}

// TestFaults brings the faults about, and with -args -write it writes the table.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two minutes")
	}
	var mu sync.Mutex
	outcomes := map[string]outcome{}
	t.Cleanup(func() { // after those in parallel
		if !*write {
			return
		}
		if err := writeTable(outcomes); err != nil {
			t.Error(err)
		}
	})
	for _, f := range faults() {
		t.Run(f.title(), func(t *testing.T) {
			if !f.alone && !*write { // what is written was measured alone
				t.Parallel()
			}
			b := newBench(t, &f)
			f.run(b)
			b.finish()
			t.Log(b.outcome.String(&f))
			if !t.Failed() && b.outcome.took <= f.within { // on a busy computer it may take longer, in the table not
				mu.Lock()
				defer mu.Unlock()
				outcomes[f.title()] = b.outcome
			}
		})
	}
}

// title names the fault among all.
func (f *fault) title() string { return f.name + ", " + f.network }

// programs is where the programs under test are built, programsIn the variable that says
// where they have been.
var programs string

const programsIn = "SINEW_FAULTS_PROGRAMS"

func TestMain(m *testing.M) {
	if kind := os.Getenv(asPeer); kind != "" {
		if err := peer(kind); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(func() int {
		flag.Parse()
		if programs = os.Getenv(programsIn); programs == "" {
			var err error
			if programs, err = os.MkdirTemp("", "faults"); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		defer os.RemoveAll(programs)
		if !testing.Short() {
			for _, build := range []func() (string, error){tendonsim, settable, attacker} { // which may take the network of others
				if _, err := build(); err != nil {
					fmt.Fprintln(os.Stderr, err)
					return 1
				}
			}
			enterNetwork()
		}
		return m.Run()
	}())
}

var tendonsim = sync.OnceValues(func() (string, error) { return subprocess.Build(programs, "tendonsim") })
