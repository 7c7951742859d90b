package run

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"go.uber.org/zap"

	"sinew/cmd/internal/exitcode"
)

// realtime is the SCHED_FIFO priority of the loop's thread, or realtimeOff. The thread that
// guards it is one above.
type realtime int

// The loop wants the processor for a fraction of each period, but at once; among real-time
// programs it is a low one.
const (
	realtimeOff  realtime = 0
	realtimeAuto realtime = 10
	realtimeMost realtime = 98
)

// errNotPermitted says that this user may not have real-time priority above the loop's.
var errNotPermitted = errors.New("not permitted")

// others is the priority of all threads but the loop's and its guard's.
func (p realtime) others() realtime { return p / 2 }

// parseRealtime reads the value of --realtime.
func parseRealtime(text string) (realtime, error) {
	switch text {
	case "auto", "":
		return realtimeAuto, nil
	case "off":
		return realtimeOff, nil
	}
	n, err := strconv.Atoi(text)
	if p := realtime(n); err == nil && p > realtimeOff && p <= realtimeMost {
		return p, nil
	}
	return 0, exitcode.Usagef("--realtime %.40q: allowed: auto, off, or a SCHED_FIFO priority from 1 to %d", text, realtimeMost)
}

// scheduling is what the loop's thread has got.
type scheduling struct {
	thread    int      // its number in the operating system
	unguarded error    // why nothing guards it: then it has no real-time priority
	priority  realtime // SCHED_FIFO
	nice      int      // of all threads instead, less than 0
	isolated  int      // processor that only it uses; -1: none
	locked    bool     // the memory of the program stays where it is
}

// String tells what the loop has.
func (s scheduling) String() string {
	text := "normal"
	switch {
	case s.priority != realtimeOff:
		text = fmt.Sprintf("SCHED_FIFO %d", s.priority)
		if o := s.priority.others(); o > realtimeOff {
			text += fmt.Sprintf(", other threads %d", o)
		}
	case s.nice < 0:
		text = fmt.Sprintf("nice %d", s.nice)
	}
	if s.isolated >= 0 {
		text += fmt.Sprintf(" on isolated processor %d", s.isolated)
	}
	if s.locked {
		text += ", memory locked"
	}
	return text
}

// missing lists what would make a loop that wants priority p more regular, each with how to get it. root is the
// root of the file system.
func (s scheduling) missing(p realtime, root fs.FS) (list []string) {
	if s.unguarded != nil && !errors.Is(s.unguarded, errNotPermitted) {
		list = append(list, fmt.Sprintf("a guard of the loop: %v", s.unguarded))
	} else if s.priority == realtimeOff {
		list = append(list, fmt.Sprintf("permission for SCHED_FIFO %d, one above the loop (rtprio in /etc/security/limits.conf, or setcap cap_sys_nice+ep on the program)", p+1))
	}
	if !s.locked {
		list = append(list, "permission to lock memory (memlock unlimited in /etc/security/limits.conf, or setcap cap_ipc_lock+ep on the program)")
	}
	const governor = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
	if g, err := fs.ReadFile(root, governor); err == nil && strings.TrimSpace(string(g)) != "performance" {
		list = append(list, fmt.Sprintf("governor performance, it is %s (cpupower frequency-set -g performance)", strings.TrimSpace(string(g))))
	}
	if s.isolated < 0 {
		list = append(list, "an isolated processor (isolcpus=N of the kernel; the loop goes there)")
	}
	return list
}

// isolatedProcessors are those that the kernel keeps free of all threads that do not ask for them.
func isolatedProcessors(root fs.FS) (list []int) {
	const most = 1024 // of a list that is nonsense
	text, err := fs.ReadFile(root, "sys/devices/system/cpu/isolated")
	if err != nil {
		return nil
	}
	for _, part := range strings.Split(strings.TrimSpace(string(text)), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil {
			return list
		}
		for n := first; n <= last && len(list) < most; n++ {
			list = append(list, n)
		}
	}
	return list
}

// isolatedFor is the processor that loop number i of several has for itself, -1 where there are not enough for all.
func isolatedFor(i, loops int, root fs.FS) int {
	if all := isolatedProcessors(root); len(all) >= loops {
		return all[i]
	}
	return -1
}

// tell logs in one line what the loop has got of what was asked for, and what is missing.
func (s scheduling) tell(asked string, p realtime, root fs.FS, log *zap.Logger) {
	fields := []zap.Field{zap.String("loop", s.String())}
	if p == realtimeOff {
		log.Info("scheduling", append(fields, zap.String("realtime", "off"))...)
		return
	}
	if list := s.missing(p, root); len(list) > 0 {
		fields = append(fields, zap.String("missing", strings.Join(list, "; ")))
	}
	if s.priority != p && asked != "auto" && asked != "" {
		log.Warn("--realtime "+asked+" is not permitted", fields...)
		return
	}
	log.Info("scheduling", fields...)
}
