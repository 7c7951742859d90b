package faults

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// machineFaults are those of the computer.
func machineFaults() []fault {
	return []fault{
		{
			name: "no file descriptors left", network: "ROS 1", cause: "the limit of open files (RLIMIT_NOFILE) is lowered to those that are open, and a new node subscribes",
			run: noDescriptors, sees: []sign{logs("connection not accepted…too many open files")},
			recovers: "the new node has poses, once there are descriptors again", within: 8 * time.Second,
		},
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
