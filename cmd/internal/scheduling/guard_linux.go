package scheduling

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"sinew/pkg/sim"
)

// Guard is the handle of a guard: a process of its own, above the priority of the loop, that
// keeps the loop from starving all other programs.
//
// It must be another process. Threads of the Go runtime wait for one another in loops of
// sched_yield. A thread of high priority that waits in this way for a thread that it has
// preempted waits for ever if the other processors are occupied by threads that do the
// same. Two such threads, a loop and a guard, are enough, and all goroutines of the process
// then stop.
type Guard struct {
	page     *guardPage
	cmd      *exec.Cmd
	output   *os.File       // messages of the guard process, one per line
	messages *bufio.Scanner // of output
	stopOnce sync.Once
}

// guardPage is memory that the loop writes and its guard reads.
type guardPage struct {
	begun  atomic.Int64 // when the control period under way began, as sim.Options.Begun
	ahead  atomic.Int64 // that clock minus CLOCK_MONOTONIC, ns
	thread atomic.Int64 // thread id of the loop; 0 while it has no priority
}

// The messages of a guard process.
const (
	guardReady   = "ready"
	guardFreed   = "freed"
	guardGaveUp  = "gave up"
	guardRefused = "not permitted"
)

// guardStartTimeout is the longest time from the start of a guard to its first message.
const guardStartTimeout = 2 * time.Second

// StartGuard starts the guard of a loop of priority p. Await reports whether it works.
func StartGuard(p Priority) (*Guard, error) {
	memory, err := unix.MemfdCreate("guard", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	shared := os.NewFile(uintptr(memory), "guard")
	defer shared.Close()
	if err := shared.Truncate(int64(os.Getpagesize())); err != nil {
		return nil, err
	}
	page, err := mapPage(memory)
	if err != nil {
		return nil, err
	}
	output, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer input.Close()
	cmd := &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        []string{os.Args[0] + " (guard of the loop)"},
		Env:         []string{fmt.Sprintf("%s=%d %d", guardOf, os.Getpid(), p), "GODEBUG=asyncpreemptoff=1"},
		ExtraFiles:  []*os.File{shared, input},
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true}, // Ctrl-C is for the program
	}
	if err := cmd.Start(); err != nil {
		output.Close()
		return nil, err
	}
	return &Guard{page: page, cmd: cmd, output: output, messages: bufio.NewScanner(output)}, nil
}

// mapPage maps the memory that both processes share. The mapping stays until the process ends.
func mapPage(file int) (*guardPage, error) {
	memory, err := unix.Mmap(file, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return (*guardPage)(unsafe.Pointer(&memory[0])), nil
}

// Await returns nil once the guard runs above the priority of the loop, and otherwise why it
// does not.
func (g *Guard) Await() error {
	_ = g.output.SetReadDeadline(time.Now().Add(guardStartTimeout))
	defer g.output.SetReadDeadline(time.Time{})
	received := g.messages.Scan()
	switch message := g.messages.Text(); {
	case errors.Is(g.messages.Err(), os.ErrDeadlineExceeded):
		return fmt.Errorf("did not start within %v", guardStartTimeout)
	case !received:
		return errors.New("ended")
	case message == guardReady:
		return nil
	case message == guardRefused:
		return ErrNotPermitted
	default:
		return errors.New(message)
	}
}

// Begun returns where the loop stores when its present control period began.
func (g *Guard) Begun() *atomic.Int64 { return &g.page.begun }

// Watch makes the guard monitor the thread of the loop, which stores times of clock.
func (g *Guard) Watch(thread int, clock sim.Clock) {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // it cannot fail
	g.page.ahead.Store(int64(clock.Now()) - now.Nano())
	g.page.thread.Store(int64(thread))
}

// Log writes the guard's messages to log until the guard ends. Without a guard there is no
// priority: if it ends before done is closed, Log lowers the priority of all threads.
func (g *Guard) Log(done <-chan struct{}, log *zap.Logger) {
	var next time.Time
	freed, why := 0, "killed"
	defer g.Stop() // it is waited for
	for g.messages.Scan() {
		switch g.messages.Text() {
		case guardFreed:
			freed++
			if now := time.Now(); now.After(next) {
				next = now.Add(time.Minute)
				log.Warn("the loop kept its processor for some milliseconds between two periods, as one does that waits for a thread which it has pushed off: others of this program were let run", zap.Int("times", freed))
			}
		case guardGaveUp:
			log.Warn("the loop cannot keep up: real-time priority is given up, for the sake of everything else on this computer")
			return
		default:
			why = g.messages.Text()
		}
	}
	select {
	case <-done:
	default:
		lowerAll(os.Getpid())
		log.Warn("real-time priority is given up: the process that guards the loop has ended", zap.String("why", why))
	}
}

// Stop ends the guard. It may be called several times.
func (g *Guard) Stop() {
	g.stopOnce.Do(func() {
		_ = g.cmd.Process.Kill() // it may have ended
		_ = g.cmd.Wait()
		g.output.Close()
	})
}
