package run

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

// guard is what this process has of its guard: a process of its own, above the priority of
// the loop, that keeps the loop from taking the processors from everybody. It must be outside,
// because the Go runtime makes threads wait for one another, by turning round with sched_yield:
// a thread above others that waits for one of them which it has pushed off its processor waits
// for ever when the other processors do the same, and with two such threads, a loop and a guard,
// they do. All goroutines of the process then stand still.
type guard struct {
	page  *guardPage
	cmd   *exec.Cmd
	said  *os.File       // what the guard says, a line each
	lines *bufio.Scanner // of that
	over  sync.Once
}

// guardPage is memory that the loop writes and its guard reads.
type guardPage struct {
	begun  atomic.Int64 // when the control period under way began, as sim.Options.Begun
	ahead  atomic.Int64 // how far that clock is ahead of CLOCK_MONOTONIC, ns
	thread atomic.Int64 // of the loop; 0 while it has no priority
}

// What a guard says.
const (
	guardReady   = "ready"
	guardFreed   = "freed"
	guardGaveUp  = "gave up"
	guardRefused = "not permitted"
)

// guardPatience is how long a guard may take to be ready.
const guardPatience = 2 * time.Second

// startGuard starts the guard of a loop of priority p; await tells whether it works.
func startGuard(p realtime) (*guard, error) {
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
	said, says, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer says.Close()
	cmd := &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        []string{os.Args[0] + " (guard of the loop)"},
		Env:         []string{fmt.Sprintf("%s=%d %d", guardOf, os.Getpid(), p), "GODEBUG=asyncpreemptoff=1"},
		ExtraFiles:  []*os.File{shared, says},
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true}, // Ctrl-C is for the program
	}
	if err := cmd.Start(); err != nil {
		said.Close()
		return nil, err
	}
	return &guard{page: page, cmd: cmd, said: said, lines: bufio.NewScanner(said)}, nil
}

// mapPage maps the memory that both processes have. It stays until the process ends.
func mapPage(file int) (*guardPage, error) {
	memory, err := unix.Mmap(file, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return (*guardPage)(unsafe.Pointer(&memory[0])), nil
}

// await returns when the guard is above the loop that it will guard, or why it is not.
func (g *guard) await() error {
	_ = g.said.SetReadDeadline(time.Now().Add(guardPatience))
	defer g.said.SetReadDeadline(time.Time{})
	said := g.lines.Scan()
	switch line := g.lines.Text(); {
	case errors.Is(g.lines.Err(), os.ErrDeadlineExceeded):
		return fmt.Errorf("did not start within %v", guardPatience)
	case !said:
		return errors.New("ended")
	case line == guardReady:
		return nil
	case line == guardRefused:
		return errNotPermitted
	default:
		return errors.New(line)
	}
}

// begun is where the loop says when its present control period began.
func (g *guard) begun() *atomic.Int64 { return &g.page.begun }

// watch begins with the thread of the loop, whose time is that of clock.
func (g *guard) watch(thread int, clock sim.Clock) {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // it cannot fail
	g.page.ahead.Store(int64(clock.Now()) - now.Nano())
	g.page.thread.Store(int64(thread))
}

// tell logs what the guard does. Without a guard there is no priority: when it ends before
// done is closed, priority is given up.
func (g *guard) tell(done <-chan struct{}, log *zap.Logger) {
	var next time.Time
	freed, why := 0, "killed"
	defer g.stop() // it is waited for
	for g.lines.Scan() {
		switch g.lines.Text() {
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
			why = g.lines.Text()
		}
	}
	select {
	case <-done:
	default:
		lowerAll(os.Getpid())
		log.Warn("real-time priority is given up: the process that guards the loop has ended", zap.String("why", why))
	}
}

// stop ends the guard, once.
func (g *guard) stop() {
	g.over.Do(func() {
		_ = g.cmd.Process.Kill() // it may have ended
		_ = g.cmd.Wait()
		g.said.Close()
	})
}
