package faults

import (
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// machineFaults are those of the computer.
func machineFaults() []fault {
	return []fault{
		{
			name: "program stopped for two seconds", network: "both", cause: "SIGSTOP and SIGCONT to the program, as a debugger or a suspended computer does",
			run: stopped, after: []sign{diagnoses("… periods were skipped: the program stood still for … s")},
			recovers: "poses of now; what was missed is skipped, not made up for", within: time.Second, lost: 1, silence: 3 * time.Second,
		},
		{
			name: "no file descriptors left", network: "ROS 1", cause: "the limit of open files (RLIMIT_NOFILE) is lowered to those that are open, and a new node subscribes",
			run: noDescriptors, sees: []sign{logs("connection not accepted…too many open files")},
			recovers: "the new node has poses, once there are descriptors again", within: 8 * time.Second,
		},
	}
}

func stopped(b *bench) {
	b.start(b.run()...)
	pid := b.node.PID()
	send := func(s syscall.Signal) {
		if err := syscall.Kill(pid, s); err != nil {
			b.t.Error(err)
		}
	}
	b.begin(func() { send(syscall.SIGSTOP) })
	time.Sleep(2 * time.Second)
	b.end(func() { send(syscall.SIGCONT) })
	b.recovers(func() bool {
		stamp, ago := b.witnesses[0].newest()
		return time.Now().UnixNano()-int64(stamp) < int64(fresh*1e9) && ago < 10*time.Millisecond
	})
}

func noDescriptors(b *bench) {
	b.start(b.run()...)
	pid := b.node.PID()
	open, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/fd")
	if err != nil {
		b.t.Fatal(err)
	}
	var usual unix.Rlimit
	var other *witness
	b.begin(func() {
		if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &usual); err != nil {
			b.t.Fatal(err)
		}
		less := unix.Rlimit{Cur: uint64(len(open)), Max: usual.Max}
		if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &less, nil); err != nil {
			b.t.Fatal(err)
		}
		other = newWitness(b.second("/lab/b"))
	})
	b.end(func() {
		if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &usual, nil); err != nil {
			b.t.Fatal(err)
		}
	})
	b.recovers(func() bool { return other.count() > 0 })
}
