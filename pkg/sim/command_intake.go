package sim

import (
	"sync/atomic"
	"time"
)

// commandIntake takes the commands that any goroutine posts, refuses those of sources that do
// not own the group, and holds the others until the loop passes them to Inputs: in mailboxes
// of the newest values or, in lock-step, in a queue of all commands.
type commandIntake struct {
	now       func() time.Duration // time of commands
	groups    []group
	groupOf   []int         // group by port
	mailboxes []*Mailbox    // by group
	queue     *commandQueue // lock-step; otherwise nil
	authority *commandAuthority
	counts    [NumCommandStatuses]atomic.Uint64
	scratch   []float64 // a command, of the loop
}

// newCommandIntake returns an empty intake for the groups of in.
func newCommandIntake(in *Inputs, o Options, now func() time.Duration) *commandIntake {
	c := &commandIntake{now: now, groups: in.groups, groupOf: in.groupOf, authority: newCommandAuthority(len(in.groups), o)}
	widest := 0
	for i := range c.groups {
		c.mailboxes = append(c.mailboxes, newMailbox(&c.groups[i]))
		widest = max(widest, c.groups[i].width)
	}
	c.scratch = make([]float64, widest)
	if o.Lockstep {
		c.queue = newCommandQueue(widest)
	}
	return c
}

// put checks a command for a port with limits l and stores it for the loop, or only makes its source the owner of the group.
func (c *commandIntake) put(from Source, port int, v []float64, l *Limits, store bool) CommandStatus {
	status := l.Check(v)
	if !status.OK() {
		return status
	}
	// One lock covers the check of the owner and the storing, so that a command of a source
	// that has just been replaced is not stored after that of the new owner.
	c.authority.mu.Lock()
	defer c.authority.mu.Unlock()
	g, now := c.groupOf[port], c.now()
	switch {
	case !c.authority.admits(g, from, now):
		return NotInCommand
	case !store:
	case c.queue == nil:
		c.mailboxes[g].Put(port, v)
	case !c.queue.add(port, v):
		return Overflow
	}
	c.authority.claim(g, port, from, now)
	return status
}

// count counts a command by its status.
func (c *commandIntake) count(status CommandStatus) {
	if int(status) < NumCommandStatuses {
		c.counts[status].Add(1)
	}
}

// counted returns the numbers of commands by status.
func (c *commandIntake) counted() (n [NumCommandStatuses]uint64) {
	for i := range n {
		n[i] = c.counts[i].Load()
	}
	return n
}

// commander returns the name of the source that owns the group of an In port, or "".
func (c *commandIntake) commander(port int) string {
	return c.authority.owner(c.groupOf[port], c.now)
}

// leave releases the group of a port if the source owns it through that port and topic.
func (c *commandIntake) leave(from Source, port int) {
	c.authority.leave(c.groupOf[port], port, from)
}

// takeQueued makes the oldest command of the queue the target of its group, and returns the
// group, -1 without a command. It is for the loop.
func (c *commandIntake) takeQueued(in *Inputs) (group int) {
	if c.queue == nil {
		return -1
	}
	port, v, ok := c.queue.peek()
	if !ok {
		return -1
	}
	in.setTarget(port, v)
	c.queue.drop()
	return c.groupOf[port]
}

// takeMailbox empties the mailbox of a group and makes its values the targets of the group,
// unless they are to be discarded. It reports whether there was a command. It is for the
// loop.
func (c *commandIntake) takeMailbox(g int, in *Inputs, discard bool) bool {
	mailbox, found := c.mailboxes[g], false
	if !mailbox.Take() || discard {
		return false
	}
	for _, port := range c.groups[g].ports {
		if v := c.scratch[:in.limits[port].width()]; mailbox.Read(port, v) {
			in.setTarget(port, v)
			found = true
		}
	}
	return found
}

// discard drops all commands that the loop has not taken. It is for the loop.
func (c *commandIntake) discard() {
	for _, m := range c.mailboxes {
		m.Take()
	}
	if c.queue != nil {
		c.queue.clear()
	}
}
