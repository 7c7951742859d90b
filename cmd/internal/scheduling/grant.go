package scheduling

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Grant is what the operating system has granted to the loop's thread.
type Grant struct {
	Thread    int      // thread id in the operating system
	Priority  Priority // SCHED_FIFO priority, or Off
	Unguarded error    // why the thread has no guard and therefore no real-time priority; nil: it has one
	Nice      int      // nice value that all threads got instead of a priority; 0: unchanged
	Processor int      // isolated processor that the thread is bound to; -1: none
	Locked    bool     // whether the memory of the process is locked
}

// String describes the grant for the log.
func (g Grant) String() string {
	text := "normal"
	switch {
	case g.Priority != Off:
		text = fmt.Sprintf("SCHED_FIFO %d", g.Priority)
		if o := g.Priority.others(); o > Off {
			text += fmt.Sprintf(", other threads %d", o)
		}
	case g.Nice < 0:
		text = fmt.Sprintf("nice %d", g.Nice)
	}
	if g.Processor >= 0 {
		text += fmt.Sprintf(" on isolated processor %d", g.Processor)
	}
	if g.Locked {
		text += ", memory locked"
	}
	return text
}

// Missing lists what a loop that asked for priority p was not granted and what the computer
// lacks, each with how to get it. root is the root of the file system.
func (g Grant) Missing(p Priority, root fs.FS) (list []string) {
	if g.Unguarded != nil && !errors.Is(g.Unguarded, ErrNotPermitted) {
		list = append(list, fmt.Sprintf("a guard of the loop: %v", g.Unguarded))
	} else if g.Priority == Off {
		list = append(list, fmt.Sprintf("permission for SCHED_FIFO %d, one above the loop (rtprio in /etc/security/limits.conf, or setcap cap_sys_nice+ep on the program)", p+1))
	}
	if !g.Locked {
		list = append(list, "permission to lock memory (memlock unlimited in /etc/security/limits.conf, or setcap cap_ipc_lock+ep on the program)")
	}
	const governor = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
	if text, err := fs.ReadFile(root, governor); err == nil && strings.TrimSpace(string(text)) != "performance" {
		list = append(list, fmt.Sprintf("governor performance, it is %s (cpupower frequency-set -g performance)", strings.TrimSpace(string(text))))
	}
	if g.Processor < 0 {
		list = append(list, "an isolated processor (isolcpus=N of the kernel; the loop goes there)")
	}
	return list
}
