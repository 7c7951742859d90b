package run

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

// guardOf is set where a program is started as the guard of another: the number of that
// process and the priority of its loop.
const guardOf = "SINEW_GUARD_OF"

// Files of a guard besides the usual three.
const (
	guardMemory = 3 + iota
	guardSays
)

// Looks of the guard at the loop come every 8 to 12 ms, so that they do not keep step with
// periods, and whether it keeps up is judged at every fifth. A loop that is freed is no
// higher than the threads for which it waits for freeFor.
const (
	shortestLook = 8 * time.Millisecond
	lookSpread   = 4 * time.Millisecond
	looksAtHog   = 5
	freeFor      = time.Millisecond
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
			guardSay(text)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// guardSay tells the guarded process.
func guardSay(line string) { _, _ = unix.Write(guardSays, []byte(line+"\n")) } // it may have ended

// guardProcess guards until the guarded process ends or its priority is given up. All threads
// have one priority, so that whoever waits for another with sched_yield lets it run.
func guardProcess(of string) error {
	var parent int
	var p realtime
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
	s := sentinel{page: page, parent: parent, priority: p}
	if err := s.open(os.Getpid(), unix.Gettid()); err != nil { // is there such a file, and does it tell?
		return err
	}
	if cpu, _, err := s.used(); err != nil {
		return err
	} else if cpu == 0 {
		return errors.New("the kernel counts no processor time (schedstat)")
	}
	s.stat.Close()
	guardSay(guardReady)
	return s.run()
}

// sentinel looks at a loop.
type sentinel struct {
	page     *guardPage
	parent   int // process
	priority realtime

	thread int64    // whose statistics are open; 0: the loop has no priority yet
	stat   *os.File // processor time and turns of the loop's thread
	buffer [96]byte

	period  int64 // that the loop was in at the last look
	looked  time.Time
	spin    spin
	rested  time.Time // when the loop was last seen not to spin
	hog     hog
	judged  time.Time
	planned time.Duration // how long the guard meant to sleep since
}

// run looks until the loop or the guarded process has ended or its priority is given up.
func (s *sentinel) run() error {
	for n := 1; os.Getppid() == s.parent; n++ {
		wait := shortestLook + rand.N(lookSpread)
		pause(wait)
		s.planned += wait
		if s.thread == 0 {
			if err := s.begin(); err != nil {
				return err
			}
			continue
		}
		keepsUp, err := s.look(n%looksAtHog == 0)
		if errors.Is(err, unix.ESRCH) {
			return nil // the loop has ended
		}
		if err != nil {
			return err
		}
		if !keepsUp {
			if !lowerAll(s.parent) {
				return errors.New("the loop cannot keep up, and its priority cannot be taken from it")
			}
			guardSay(guardGaveUp)
			return nil
		}
	}
	return nil
}

// begin opens the statistics of the loop's thread once it has priority.
func (s *sentinel) begin() (err error) {
	if s.thread = s.page.thread.Load(); s.thread != 0 {
		err = s.open(s.parent, int(s.thread))
	}
	s.looked = time.Now()
	s.rested, s.judged, s.planned = s.looked, s.looked, 0
	return err
}

// open opens the statistics of a thread of a process.
func (s *sentinel) open(process, thread int) (err error) {
	s.stat, err = os.Open(fmt.Sprintf("/proc/%d/task/%d/schedstat", process, thread))
	return err
}

// look frees a loop that stands still, and reports whether it keeps up, if that is to be
// judged now. A loop that has begun another period needs no look at its thread.
func (s *sentinel) look(judge bool) (keepsUp bool, err error) {
	now := time.Now()
	since := now.Sub(s.looked)
	s.looked = now
	period := s.page.begun.Load()
	goesOn := period != s.period // begun or ended
	s.period = period
	if goesOn && !judge {
		s.rested = now
		s.spin.forget()
		return true, nil
	}
	cpu, turns, err := s.used()
	if err != nil {
		return false, err
	}
	age := s.age(period)
	if spins := s.spin.look(cpu, turns, since); spins && !goesOn {
		if err := s.free(age); err != nil {
			return false, err
		}
	} else {
		s.rested = now
	}
	if !judge {
		return true, nil
	}
	since = now.Sub(s.judged)
	late := since - s.planned
	s.judged, s.planned = now, 0
	return !s.hog.look(max(age, now.Sub(s.rested)), cpu, since, late), nil
}

// free lets the threads run for which the loop may be waiting, whose period under way has an
// age (0: none is, so that it does wait for one).
func (s *sentinel) free(age time.Duration) error {
	thread := int(s.thread)
	if others := s.priority.others(); others > realtimeOff {
		_ = setFIFO(thread, others, unix.SCHED_FLAG_RESET_ON_FORK) // it may have ended
	} else {
		_ = setNormal(thread, max(0, processNice(s.parent)))
	}
	pause(freeFor)
	if err := setFIFO(thread, s.priority, unix.SCHED_FLAG_RESET_ON_FORK); err != nil {
		return fmt.Errorf("the loop does not get its priority back: %w", err)
	}
	if age == 0 {
		guardSay(guardFreed)
	}
	return nil
}

// age is how long a control period takes so far, 0 between periods.
func (s *sentinel) age(period int64) time.Duration {
	if period <= 0 {
		return 0
	}
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // it cannot fail
	return max(0, time.Duration(now.Nano()+s.page.ahead.Load()-period))
}

// used is the processor time that the loop's thread has used and how often it got a processor,
// as /proc tells, which brings the first up to date at each tick of the kernel.
func (s *sentinel) used() (cpu time.Duration, turns int64, err error) {
	n, _, number := unix.RawSyscall6(unix.SYS_PREAD64, s.stat.Fd(), uintptr(unsafe.Pointer(&s.buffer)), uintptr(len(s.buffer)), 0, 0, 0)
	if number != 0 {
		return 0, 0, fmt.Errorf("%s: %w", s.stat.Name(), number)
	}
	f, ok := threeNumbers(s.buffer[:n])
	if !ok {
		return 0, 0, fmt.Errorf("%s is %q", s.stat.Name(), s.buffer[:n])
	}
	return time.Duration(f[0]), f[2], nil
}

// threeNumbers reads a line of three numbers. It does not allocate: the guard never collects.
func threeNumbers(line []byte) (f [3]int64, ok bool) {
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

// pause sleeps in the kernel, or less after a signal. The Go runtime does not know of it,
// whose monitor of system calls would wake each time: 5 % of a processor.
func pause(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&ts)), 0, 0)
}
