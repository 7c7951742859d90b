package faults_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// machineFaults are those of the computer.
func machineFaults() []fault {
	const late = "… periods of the last second began late"
	return []fault{
		{
			name: "neighbours need all processors", network: "both", cause: "two busy processes for each processor, for two seconds; the program has real-time priority (`--realtime auto`)",
			run: besidePriority, alone: true, recovers: "nothing has to: poses come at 1 kHz", within: 2 * time.Second,
		},
		{
			name: "starved by neighbours", network: "both", cause: "eight for each processor, for two seconds; the program has no real-time priority (`--realtime off`)",
			run: starved, alone: true, sees: []sign{diagnoses(late)}, recovers: "poses come at 1 kHz again", within: 5 * time.Second, lost: 0.95, silence: 2 * time.Second,
		},
		{
			name: "program stopped for two seconds", network: "both", cause: "SIGSTOP and SIGCONT to the program, as a debugger or a suspended computer does",
			run: stopped, after: []sign{diagnoses("… periods were skipped: the program stood still for … s")}, keeps: "the real-time priority",
			recovers: "poses of now; what was missed is skipped, not made up for", within: time.Second, lost: 1, silence: 3 * time.Second,
		},
		{
			name: "no file descriptors left", network: "ROS 1", cause: "the limit of open files (RLIMIT_NOFILE) is lowered to those that are open, and a new node subscribes",
			run: noDescriptors, sees: []sign{logs("connection not accepted…too many open files")},
			recovers: "the new node has poses, once there are descriptors again", within: 8 * time.Second,
		},
	}
}

// atRate reports whether poses come at 1 kHz, but for the usual loss and what the computer
// takes, for a tenth of a second.
func (b *bench) atRate() bool {
	b.t.Helper()
	const window = 100 * time.Millisecond
	w := b.witnesses[0]
	taken, before := b.share.time(), w.seen()
	time.Sleep(window)
	after := w.seen()
	expected := (after.From - before.From).Seconds() * poseHz
	lost := expected - float64(after.Came-before.Came)
	return lost <= usualLoss*expected+allowance(int((b.share.time()-taken).Seconds()*poseHz), int(expected))
}

// besides runs busy processes, so many for each processor, for two seconds.
func (b *bench) besides(each int) {
	b.t.Helper()
	var stops []func()
	b.begin(func() {
		for range each * runtime.NumCPU() {
			stops = append(stops, b.startPeer(busyProcess).Kill)
		}
	})
	time.Sleep(2 * time.Second)
	b.end(func() {
		for _, stop := range stops {
			stop()
		}
	})
	b.recovers(b.atRate)
}

func besidePriority(b *bench) {
	b.start(b.run()...)
	if len(b.realTime()) == 0 {
		b.t.Skip("real-time priority is not permitted")
	}
	b.besides(2)
}

func starved(b *bench) {
	b.start(b.run("--realtime", "off")...)
	b.besides(8)
}

// realTime are the real-time priorities of the program's threads, sorted, each once.
func (b *bench) realTime() (all []uint32) {
	b.t.Helper()
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(b.node.PID()) + "/task/*")
	if err != nil || len(tasks) == 0 {
		b.t.Fatalf("threads: %v", err)
	}
	for _, task := range tasks {
		id, _ := strconv.Atoi(filepath.Base(task))
		if a, err := unix.SchedGetAttr(id, 0); err == nil && a.Policy == unix.SCHED_FIFO {
			all = append(all, a.Priority)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func stopped(b *bench) {
	b.start(b.run()...)
	pid, before := b.node.PID(), b.realTime()
	send := func(s syscall.Signal) {
		if err := syscall.Kill(pid, s); err != nil {
			b.t.Error(err)
		}
	}
	b.begin(func() { send(syscall.SIGSTOP) })
	time.Sleep(2 * time.Second)
	b.end(func() { send(syscall.SIGCONT) })
	b.recovers(func() bool {
		x := b.witnesses[0].seen()
		return time.Now().UnixNano()-int64(x.Stamp) < int64(fresh*1e9) && x.Ago < 10*time.Millisecond
	})
	if after := b.realTime(); !slices.Equal(after, before) || strings.Contains(b.node.Output(), "given up") {
		b.t.Errorf("real-time priorities %v, before %v\n%s", after, before, b.node.Output())
	}
}

func noDescriptors(b *bench) {
	b.start(b.run()...)
	pid := b.node.PID()
	open, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/fd")
	if err != nil {
		b.t.Fatal(err)
	}
	var usual unix.Rlimit
	var other *atomic.Int64
	b.begin(func() {
		if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &usual); err != nil {
			b.t.Fatal(err)
		}
		less := unix.Rlimit{Cur: uint64(len(open)), Max: usual.Max}
		if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &less, nil); err != nil {
			b.t.Fatal(err)
		}
		other = poses(b.second("/lab/b"))
	})
	b.end(func() {
		if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &usual, nil); err != nil {
			b.t.Fatal(err)
		}
	})
	b.recovers(func() bool { return other.Load() > 0 })
}
