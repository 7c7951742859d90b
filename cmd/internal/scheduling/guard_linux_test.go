package scheduling

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
	"golang.org/x/sys/unix"

	"sinew/pkg/ros/wallclock"
)

// guarded starts a guard, or skips the test where this user may not have real-time priority.
func guarded(t *testing.T) *Guard {
	t.Helper()
	g, err := StartGuard(Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Stop)
	if err := g.Await(); errors.Is(err, ErrNotPermitted) {
		t.Skip("real-time priority is not permitted")
	} else if err != nil {
		t.Fatal(err)
	}
	return g
}

// pinned runs f on a thread of its own of real-time priority p on the first processor that
// this process may use.
func pinned(t *testing.T, p Priority, f func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // it ends with this goroutine
		var all, first unix.CPUSet
		if err := unix.SchedGetaffinity(0, &all); err != nil {
			t.Error(err)
		}
		for n := 0; first.Count() == 0; n++ {
			if all.IsSet(n) {
				first.Set(n)
			}
		}
		if err := errors.Join(unix.SchedSetaffinity(0, &first), setFIFO(0, p, unix.SCHED_FLAG_RESET_ON_FORK)); err != nil {
			t.Error(err)
			return
		}
		f()
	}()
	return done
}

// unpreempted runs the test in a process of its own in which the Go runtime takes no goroutine
// off its thread that calls nothing, as it takes none that waits in the runtime, and reports
// whether this is that process.
func unpreempted(t *testing.T) bool {
	const setting = "GODEBUG=asyncpreemptoff=1"
	if slices.Contains(os.Environ(), setting) {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), setting)
	out, err := cmd.CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
	if bytes.Contains(out, []byte("--- SKIP")) {
		t.Skip("real-time priority is not permitted")
	}
	return false
}

// TestGuardFreesTheLoop: a loop that waits, by turning round with sched_yield as the Go runtime
// does, for a thread that it keeps from its processor is let go on. Without a guard it never is.
func TestGuardFreesTheLoop(t *testing.T) {
	if !unpreempted(t) {
		return
	}
	g := guarded(t)
	const rounds, atMost = 5, time.Second
	var asked, answered, over atomic.Bool
	var worst time.Duration
	other := pinned(t, Auto.others(), func() {
		for !over.Load() {
			if asked.Swap(false) {
				answered.Store(true)
			}
			nanosleep(time.Millisecond)
		}
	})
	loop := pinned(t, Auto, func() {
		defer over.Store(true)
		g.Watch(unix.Gettid(), wallclock.New())
		var begun, now unix.Timespec
		used := func(t *unix.Timespec) {
			_, _, _ = unix.RawSyscall(unix.SYS_CLOCK_GETTIME, unix.CLOCK_THREAD_CPUTIME_ID, uintptr(unsafe.Pointer(t)), 0)
		}
		for range rounds {
			nanosleep(100 * time.Millisecond)
			asked.Store(true)
			used(&begun)
			for now = begun; !answered.Load() && now.Sec-begun.Sec < 5; used(&now) { // calls nothing that the runtime sees
				_, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
			}
			answered.Store(false)
			worst = max(worst, time.Duration(now.Nano()-begun.Nano()))
		}
	})
	<-loop
	<-other
	_ = g.cmd.Process.Kill()
	said, err := io.ReadAll(g.output)
	if err != nil {
		t.Fatal(err)
	}
	freed := strings.Count(string(said), guardFreed+"\n")
	t.Logf("freed %d times, at the latest after %v of its processor's time", freed, worst)
	if worst > atMost || freed < rounds-1 || len(said) != freed*len(guardFreed+"\n") {
		t.Errorf("freed within %v in %d rounds, allowed: %v; the guard said %q", worst, rounds, atMost, said)
	}
}

// TestGuardFindsStarvation: a control period that does not end costs the process its priority.
func TestGuardFindsStarvation(t *testing.T) {
	g := guarded(t)
	clock := wallclock.New()
	log, said := observer.New(zap.WarnLevel)
	logged := make(chan struct{})
	go func() {
		defer close(logged)
		g.Log(nil, zap.New(log))
	}()
	var policy uint32
	<-pinned(t, Auto, func() {
		g.Begun().Store(int64(clock.Now()))
		g.Watch(unix.Gettid(), clock)
		var begun, now unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &begun)
		for now = begun; now.Nano()-begun.Nano() < int64(20*longestPeriod); {
			_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now)
			if a, err := unix.SchedGetAttr(0, 0); err == nil && a.Policy == unix.SCHED_NORMAL {
				break
			}
		}
		if a, err := unix.SchedGetAttr(0, 0); err == nil {
			policy = a.Policy
		}
	})
	if policy != unix.SCHED_NORMAL {
		t.Errorf("policy %d after %v in one period", policy, 20*longestPeriod)
	}
	<-logged
	if said.FilterMessageSnippet("cannot keep up").Len() != 1 {
		t.Errorf("said: %v", said.All())
	}
}

// TestLoopWithoutGuard: priority ends with the guard, and is said to.
func TestLoopWithoutGuard(t *testing.T) {
	g := guarded(t)
	raised, ends := make(chan struct{}), make(chan struct{})
	var policy uint32
	loop := pinned(t, Auto, func() {
		g.Watch(unix.Gettid(), wallclock.New())
		close(raised)
		<-ends
		if a, err := unix.SchedGetAttr(0, 0); err == nil {
			policy = a.Policy
		}
	})
	<-raised
	log, said := observer.New(zap.WarnLevel)
	if err := g.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	g.Log(nil, zap.New(log))
	close(ends)
	<-loop
	if policy != unix.SCHED_NORMAL || said.FilterMessageSnippet("has ended").Len() != 1 {
		t.Errorf("policy %d, said: %v", policy, said.All())
	}
}

// TestPriorityIsGivenUpWithoutRights: the priority of a loop can be taken from it by a user who
// has no rights but to give it.
func TestPriorityIsGivenUpWithoutRights(t *testing.T) {
	guarded(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // it ends with this goroutine
		if err := setFIFO(0, Auto, unix.SCHED_FLAG_RESET_ON_FORK); err != nil {
			t.Error(err)
		}
		if os.Getuid() == 0 {
			const nobody = 65534
			if _, _, err := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody); err != 0 { // of this thread only
				t.Error(err)
			}
		}
		if err := setNormal(unix.Gettid(), max(0, processNice(os.Getpid()))); err != nil {
			t.Error(err)
		}
	}()
	<-done
}

// newMonitor returns a monitor, in this process, of the calling thread.
func newMonitor(t *testing.T) *monitor {
	t.Helper()
	m := &monitor{page: new(guardPage), parent: os.Getpid(), priority: Auto}
	m.page.thread.Store(int64(unix.Gettid()))
	if err := m.begin(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSamplesDoNotAllocate: a guard collects no garbage, so that its samples must leave none.
func TestSamplesDoNotAllocate(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := newMonitor(t)
	n := 0
	if got := testing.AllocsPerRun(1000, func() {
		n++
		m.spin.reset() // this thread is none to be freed
		if _, err := m.sample(n%checkEvery == 0); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations a sample", got)
	}
}

// TestPeriodsAreSeen: a loop that has begun or ended a period since the last sample is not taken
// for one that waits, however long the period was.
func TestPeriodsAreSeen(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m := newMonitor(t)
	for _, c := range []struct {
		period   int64
		advanced bool
	}{{1, true}, {-1, true}, {-1, false}, {2, true}, {2, false}, {-2, true}} {
		m.page.begun.Store(c.period)
		m.spin.valid = true
		if _, err := m.sample(false); err != nil {
			t.Fatal(err)
		}
		if c.advanced == m.spin.valid {
			t.Errorf("period %d: advanced: %t, want %t", c.period, !m.spin.valid, c.advanced)
		}
	}
}
