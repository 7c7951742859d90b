package scheduling

import (
	"errors"
	"fmt"
	"strconv"
)

// Priority is the SCHED_FIFO priority of the loop's thread, or Off. The threads of its Guard
// are one above.
type Priority int

// The loop needs the processor for a fraction of each period, but at once. Auto is a low
// priority among those of real-time programs.
const (
	Off     Priority = 0
	Auto    Priority = 10
	Highest Priority = 98
)

// ErrNotPermitted is returned where this user may not set a priority above the loop's.
var ErrNotPermitted = errors.New("not permitted")

// others returns the priority of all threads of the process except those of its loops.
func (p Priority) others() Priority { return p / 2 }

// ParsePriority reads auto, off or a number from 1 to Highest. An empty text is auto.
func ParsePriority(text string) (Priority, error) {
	switch text {
	case "auto", "":
		return Auto, nil
	case "off":
		return Off, nil
	}
	n, err := strconv.Atoi(text)
	if p := Priority(n); err == nil && p > Off && p <= Highest {
		return p, nil
	}
	return 0, fmt.Errorf("allowed: auto, off, or a SCHED_FIFO priority from 1 to %d", Highest)
}
