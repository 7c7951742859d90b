package scheduling

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guardOf is the environment variable of a program that was started as the guard of another:
// the id of that process and the priority of its loop.
const guardOf = "SINEW_GUARD_OF"

// File descriptors of a guard besides the usual three.
const (
	guardMemory = 3 + iota
	guardOutput
)

// The guard samples the loop every 8 to 12 ms, at random so that samples do not fall into
// step with periods, and at every fifth sample it checks for starvation. A loop that is freed
// has the priority of the threads that it waits for during freeFor.
const (
	shortestInterval = 8 * time.Millisecond
	intervalSpread   = 4 * time.Millisecond
	checkEvery       = 5 // samples
	freeFor          = time.Millisecond
)

func init() {
	if of := os.Getenv(guardOf); of != "" {
		if !strings.HasPrefix(of, strconv.Itoa(os.Getppid())+" ") {
			fmt.Fprintf(os.Stderr, "%s=%s is set, which only a program sets that starts this one as its guard: unset it\n", guardOf, of)
			os.Exit(2)
		}
		if err := guardProcess(of); err != nil {
			text := err.Error()
			if errors.Is(err, unix.EPERM) {
				text = guardRefused
			}
			guardSend(text)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// guardSend sends a message to the guarded process.
func guardSend(line string) { _, _ = unix.Write(guardOutput, []byte(line+"\n")) } // it may have ended

// guardProcess guards until the guarded process ends or its priority is given up. All threads
// have the same priority, so that a thread that waits for another with sched_yield lets it run.
func guardProcess(of string) error {
	var parent int
	var p Priority
	if _, err := fmt.Sscan(of, &parent, &p); err != nil {
		return err
	}
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // there is next to nothing to collect
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGTSTP)
	page, err := mapPage(guardMemory)
	if err != nil {
		return err
	}
	if err := setFIFO(0, p+1, 0); err != nil { // first, as it tells whether that is permitted
		return err
	}
	forEachThread(os.Getpid(), func(id int) error { return setFIFO(id, p+1, 0) })
	m := monitor{page: page, parent: parent, priority: p}
	if err := m.open(os.Getpid(), unix.Gettid()); err != nil { // does the file exist, and does the kernel count?
		return err
	}
	if cpu, _, err := m.used(); err != nil {
		return err
	} else if cpu == 0 {
		return errors.New("the kernel counts no processor time (schedstat)")
	}
	m.stat.Close()
	guardSend(guardReady)
	return m.run()
}

// monitor samples the thread of a loop.
type monitor struct {
	page     *guardPage
	parent   int // process
	priority Priority

	thread int64    // thread id whose statistics are open; 0: the loop has no priority yet
	stat   *os.File // schedstat of the loop's thread: processor time and times scheduled
	buffer [96]byte

	period     int64     // value of page.begun at the last sample
	sampled    time.Time // when the last sample was taken
	spin       spinDetector
	notSpun    time.Time // when a sample last saw the loop not spinning
	starvation starvationDetector
	checked    time.Time     // when starvation was last checked
	planned    time.Duration // how long the guard meant to sleep since then
}

// run samples until the loop or the guarded process has ended or its priority is given up.
func (m *monitor) run() error {
	for n := 1; os.Getppid() == m.parent; n++ {
		interval := shortestInterval + rand.N(intervalSpread)
		nanosleep(interval)
		m.planned += interval
		if m.thread == 0 {
			if err := m.begin(); err != nil {
				return err
			}
			continue
		}
		keepsUp, err := m.sample(n%checkEvery == 0)
		if errors.Is(err, unix.ESRCH) {
			return nil // the loop has ended
		}
		if err != nil {
			return err
		}
		if !keepsUp {
			if !lowerAll(m.parent) {
				return errors.New("the loop cannot keep up, and its priority cannot be taken from it")
			}
			guardSend(guardGaveUp)
			return nil
		}
	}
	return nil
}

// begin opens the statistics of the loop's thread once it has priority.
func (m *monitor) begin() (err error) {
	if m.thread = m.page.thread.Load(); m.thread != 0 {
		err = m.open(m.parent, int(m.thread))
	}
	m.sampled = time.Now()
	m.notSpun, m.checked, m.planned = m.sampled, m.sampled, 0
	return err
}

// open opens the statistics of a thread of a process.
func (m *monitor) open(process, thread int) (err error) {
	m.stat, err = os.Open(fmt.Sprintf("/proc/%d/task/%d/schedstat", process, thread))
	return err
}

// sample frees a loop that spins. If check is set it reports whether the loop keeps up,
// otherwise true. It reads no statistics of a loop that has begun or ended a period since
// the last sample.
func (m *monitor) sample(check bool) (keepsUp bool, err error) {
	now := time.Now()
	since := now.Sub(m.sampled)
	m.sampled = now
	period := m.page.begun.Load()
	advanced := period != m.period // a period has begun or ended
	m.period = period
	if advanced && !check {
		m.notSpun = now
		m.spin.reset()
		return true, nil
	}
	cpu, switches, err := m.used()
	if err != nil {
		return false, err
	}
	age := m.age(period)
	if spins := m.spin.sample(cpu, switches, since); spins && !advanced {
		if err := m.free(age); err != nil {
			return false, err
		}
	} else {
		m.notSpun = now
	}
	if !check {
		return true, nil
	}
	since = now.Sub(m.checked)
	late := since - m.planned
	m.checked, m.planned = now, 0
	return !m.starvation.sample(max(age, now.Sub(m.notSpun)), cpu, since, late), nil
}

// free lowers the priority of the loop's thread for freeFor, so that the threads run that it
// may wait for. age is that of its period under way; at 0 no period is under way, so that the
// loop certainly waits, and the guarded process is notified.
func (m *monitor) free(age time.Duration) error {
	thread := int(m.thread)
	if others := m.priority.others(); others > Off {
		_ = setFIFO(thread, others, unix.SCHED_FLAG_RESET_ON_FORK) // it may have ended
	} else {
		_ = setNormal(thread, max(0, processNice(m.parent)))
	}
	nanosleep(freeFor)
	if err := setFIFO(thread, m.priority, unix.SCHED_FLAG_RESET_ON_FORK); err != nil {
		return fmt.Errorf("the loop does not get its priority back: %w", err)
	}
	if age == 0 {
		guardSend(guardFreed)
	}
	return nil
}

// age returns how long a control period has taken so far, and 0 between periods.
func (m *monitor) age(period int64) time.Duration {
	if period <= 0 {
		return 0
	}
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // it cannot fail
	return max(0, time.Duration(now.Nano()+m.page.ahead.Load()-period))
}

// used returns the processor time that the loop's thread has used and the number of times
// that it was scheduled, from /proc, which updates the first at each tick of the kernel.
func (m *monitor) used() (cpu time.Duration, switches int64, err error) {
	n, _, number := unix.RawSyscall6(unix.SYS_PREAD64, m.stat.Fd(), uintptr(unsafe.Pointer(&m.buffer)), uintptr(len(m.buffer)), 0, 0, 0)
	if number != 0 {
		return 0, 0, fmt.Errorf("%s: %w", m.stat.Name(), number)
	}
	f, ok := parseSchedstat(m.buffer[:n])
	if !ok {
		return 0, 0, fmt.Errorf("%s is %q", m.stat.Name(), m.buffer[:n])
	}
	return time.Duration(f[0]), f[2], nil
}

// parseSchedstat reads a line of three numbers. It does not allocate, because the guard
// collects no garbage.
func parseSchedstat(line []byte) (f [3]int64, ok bool) {
	k := 0
	for _, c := range line {
		switch {
		case c >= '0' && c <= '9' && k < len(f):
			f[k] = f[k]*10 + int64(c-'0')
		case c == ' ' || c == '\n':
			k++
		default:
			return f, false
		}
	}
	return f, k == len(f)
}

// nanosleep sleeps in the kernel, or less after a signal. It bypasses the Go runtime, whose
// monitor of system calls would wake up each time and use 5 % of a processor.
func nanosleep(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&ts)), 0, 0)
}
