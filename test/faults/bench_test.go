package faults_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sinew/pkg/ros/masterclient"
	"sinew/test/peer/rospeer"
	"sinew/test/subprocess"
)

// Times of the bench.
const (
	startTime = time.Minute // for the program and those who watch it, on a busy computer too
	signTime  = time.Minute // for all that the user should see
	endTime   = time.Second // within which the program ends when it is asked to
	poll      = 2 * time.Millisecond
)

// poseHz is the rate at which the robot's poses are published.
const poseHz = 1000

// Each bench has a domain of ROS 2 to itself.
const firstDomain, domains = 20, 80

var nextDomain = func() *atomic.Uint32 {
	n := new(atomic.Uint32)
	n.Store(rand.Uint32N(domains))
	return n
}()

// bench is one run of a fault.
type bench struct {
	t     *testing.T
	fault *fault

	uri    string // of the master
	domain int    // of ROS 2
	env    []string

	node       *subprocess.Process
	ros1, ros2 *rospeer.Peer // nil in networks that the fault has nothing to do with
	witnesses  []*witness
	share      *share // what the computer takes

	mark         int // where the program's output was when the fault began, then when it ended
	begun, ended time.Time
	settled      bool // recovered, or the program has ended as it should
	outcome      outcome
}

func newBench(t *testing.T, f *fault) *bench {
	t.Helper()
	b := &bench{t: t, fault: f, domain: firstDomain + int(nextDomain.Add(1))%domains, share: newShare(t)}
	b.uri = fmt.Sprintf("http://127.0.0.1:%d/", subprocess.FreePort(t))
	b.env = subprocess.Environment(t, b.uri)
	b.env = append(b.env, "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST", fmt.Sprint("ROS_DOMAIN_ID=", b.domain))
	return b
}

// robot is the path of the robot file of the bench.
func (b *bench) robot() string {
	b.t.Helper()
	path, err := filepath.Abs("../testdata/ros1_robot.yaml")
	if err != nil {
		b.t.Fatal(err)
	}
	return path
}

// program is the path of the program that ships.
func (b *bench) program() string {
	b.t.Helper()
	path, err := tendonsim()
	if err != nil {
		b.t.Fatal(err)
	}
	return path
}

// start runs the program in the networks of the fault, with its own master unless a
// rosmaster runs, and waits until those who watch it see its poses.
func (b *bench) start(args ...string) {
	b.t.Helper()
	b.startOn(b.program(), args...)
}

// startOn is start by a program that starts ours.
func (b *bench) startOn(program string, args ...string) {
	b.t.Helper()
	b.node = subprocess.Start(b.t, b.env, program, append(args, "--ros", b.networks())...)
	b.watch()
}

// networks is the fault's network as --ros has it.
func (b *bench) networks() string {
	return strings.ToLower(strings.ReplaceAll(b.fault.network, " ", ""))
}

// holds is for how long commands hold: one that a busy computer keeps for a moment from sending, or
// from being heard, stays in command.
const holds = 2 * time.Second

// run are the arguments that run the robot of the bench.
func (b *bench) run(more ...string) []string {
	return append([]string{"run", "--config", b.robot(), fmt.Sprintf("_command_timeout_s:=%g", holds.Seconds())}, more...)
}

// watch sets up peers and undisturbed subscribers in the networks of the fault.
func (b *bench) watch() {
	b.t.Helper()
	if b.fault.network != "ROS 2" {
		b.until("a master", startTime, b.answers)
		b.ros1 = rospeer.ROS1(b.t, b.uri, "/lab/a")
		b.witnesses = append(b.witnesses, b.newWitness(witnessROS1))
	}
	if b.fault.network != "ROS 1" {
		b.ros2 = rospeer.ROS2(b.t, b.domain, "/lab/a")
		b.witnesses = append(b.witnesses, b.newWitness(witnessROS2))
	}
	for _, w := range b.witnesses {
		b.until("poses", startTime, func() bool { return w.seen().All > poseHz/4 })
	}
	b.observer().Await("diagnostics", func(s rospeer.Observation) bool { return len(s.Diagnosis) > 0 && s.State != "" })
}

// observer is one that sees the robot.
func (b *bench) observer() *rospeer.Peer {
	if b.ros1 != nil {
		return b.ros1
	}
	return b.ros2
}

// second is another node beside the robot.
func (b *bench) second(name string) *rospeer.Peer {
	b.t.Helper()
	if b.fault.network == "ROS 2" {
		return rospeer.ROS2(b.t, b.domain, name)
	}
	return rospeer.ROS1(b.t, b.uri, name)
}

// master calls the master as the test.
func (b *bench) master() masterclient.Client { return masterclient.Client{URI: b.uri, Caller: "/test"} }

// answers reports whether the master does.
func (b *bench) answers() bool { _, err := b.master().PID(b.t.Context()); return err == nil }

// until waits for a condition, and longer for as long as the computer took, from a probe
// above the program in priority or from one beside this test.
func (b *bench) until(what string, limit time.Duration, reached func() bool) {
	b.t.Helper()
	taken, w := b.share.time(), subprocess.NewStopwatch()
	defer w.Stop()
	for begun := time.Now(); !reached(); time.Sleep(poll) {
		if since := time.Since(begun); since > limit && w.Read() > limit && since > limit+b.share.time()-taken {
			b.t.Fatalf("%s: not within %v\n%s", what, limit, b.observations())
		}
	}
}

// observations are what the observer and the node have reported, for a test that has failed.
func (b *bench) observations() string {
	text := ""
	if b.ros1 != nil || b.ros2 != nil {
		text = fmt.Sprintf("seen: %+v\n", b.observer().Observed())
	}
	if b.node != nil {
		text += b.node.Output()
	}
	return text
}

// begin brings the fault about.
func (b *bench) begin(cause func()) {
	b.t.Helper()
	b.mark = len(b.node.Output())
	for _, w := range b.witnesses {
		w.tells(begin)
	}
	b.share.begin()
	b.begun = time.Now()
	cause()
}

// end waits until the user sees the fault, and takes its cause away.
func (b *bench) end(relief func()) {
	b.t.Helper()
	b.see(b.fault.sees)
	b.mark = len(b.node.Output())
	relief()
	b.ended = time.Now()
}

// see waits for signs.
func (b *bench) see(signs []sign) {
	b.t.Helper()
	for _, s := range signs {
		b.until("the user sees: "+s.String(), signTime, func() bool {
			return s.shown(b.node.Output()[b.mark:], b.observer().Observed())
		})
	}
}

// recovers waits until all is as before and notes the time that it took since the end of
// the cause.
func (b *bench) recovers(asBefore func() bool) {
	b.t.Helper()
	b.until(b.fault.recovers, b.fault.within, asBefore)
	b.outcome.took = time.Since(b.ended)
	b.settled = true
	b.glance()
	b.count()
	b.see(b.fault.after)
}

// glance fails the test when a fault that is over has taken more of its poses than the share and a
// few: of two seconds, all poses of a short one would be less than the share.
func (b *bench) glance() {
	b.t.Helper()
	b.share.look()
	for _, w := range b.witnesses {
		x := w.seen()
		expected, lost := x.missed()
		if float64(lost) > aFew+b.fault.mostLost()*float64(expected)+allowance(b.share.periods(), expected) {
			b.t.Errorf("%s: %d of %d poses lost when it was over, the computer took %d\n%s", b.fault.title(), lost, expected, b.share.periods(), b.observations())
		}
	}
}

// count notes what the undisturbed subscribers have missed since the fault began, and what
// the computer has taken meanwhile.
func (b *bench) count() {
	b.t.Helper()
	time.Sleep(time.Until(b.begun.Add(leastCounted)))
	back := 0
	for _, w := range b.witnesses {
		x := w.seen()
		expected, lost := x.missed()
		if lost >= b.outcome.lost {
			b.outcome.poses, b.outcome.lost = expected, lost
		}
		b.outcome.silence = max(b.outcome.silence, x.Silence)
		back += x.Back
	}
	b.share.look()
	b.outcome.taken, b.outcome.gap = b.share.periods(), b.share.silence
	if b.outcome.disturbed(b.fault) || back > 0 {
		b.t.Errorf("%v; %d stamps went back\n%s", b.outcome.String(b.fault), back, b.observations())
	}
}

// exits waits until the program has ended, with a code, and notes the time that it took
// since the fault began.
func (b *bench) exits(code int) {
	b.t.Helper()
	b.until("the end of the program", b.fault.within, func() bool { return !b.node.Running() })
	got := b.node.Wait(b.fault.within)
	b.outcome.took, b.outcome.ended, b.settled = time.Since(b.begun), true, true
	if got != code {
		b.t.Errorf("exit code %d, want %d\n%s", got, code, b.node.Output())
	}
	for _, s := range b.fault.sees {
		if !s.shown(b.node.Output()[b.mark:], rospeer.Observation{}) {
			b.t.Errorf("the user does not see %s\n%s", s, b.node.Output()[b.mark:])
		}
	}
}

// interrupt is Ctrl-C to the program itself: timeout(1) passes a signal on twice, and the
// second one ends a program that is at its end already.
func (b *bench) interrupt() {
	b.t.Helper()
	if err := syscall.Kill(b.node.PID(), syscall.SIGINT); err != nil {
		b.t.Error(err)
	}
}

// finish ends the program, which must have stayed whole.
func (b *bench) finish() {
	b.t.Helper()
	if !b.settled {
		b.t.Fatal("nothing says how it ended")
	}
	if b.node == nil {
		return
	}
	if !b.outcome.ended {
		if len(b.fault.sees)+len(b.fault.after) == 0 {
			b.quiet()
		}
		b.interrupt()
		b.until("the end after Ctrl-C", endTime, func() bool { return !b.node.Running() })
		if code := b.node.Wait(endTime); code != 0 {
			b.t.Errorf("exit code %d at the end:\n%s", code, b.node.Output())
		}
	}
	for _, word := range []string{"panic", "fatal error", "goroutine "} {
		if strings.Contains(b.node.Output(), word) {
			b.t.Errorf("the program broke:\n%s", b.node.Output())
		}
	}
}

// timing are warnings of a computer that others use.
var timing = regexp.MustCompile("began late|slower than real time|snapshots were lost|periods were skipped")

// quiet fails the test when diagnostics told of a fault that must not show.
func (b *bench) quiet() {
	b.t.Helper()
	b.share.look()
	busy := b.share.lost > 0 // since the start, as warnings are
	for warning := range b.observer().Observed().Warnings {
		if !busy || !timing.MatchString(warning) {
			b.t.Errorf("diagnostics tell of a fault that must not show: %s\n%s", warning, b.observations())
		}
	}
}
