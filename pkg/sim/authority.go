package sim

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Source is the sender of a command: a node of a network, or a part of this program.
type Source struct {
	// ID distinguishes sources where it is not zero; otherwise Name does.
	ID [16]byte
	// Name is for people. It may become known later than the ID.
	Name string
	// Topic is the topic of the command. A source that leaves releases a group only if its
	// newest command came through that topic. Topic does not distinguish sources.
	Topic string
	// Yields lets the next command of any other source take over, also while this source is
	// active.
	Yields bool
}

// is reports whether two values mean the same source.
func (a Source) is(b Source) bool {
	if a.ID != b.ID {
		return false
	}
	return a.ID != [16]byte{} || a.Name == b.Name
}

// SourceCount is a number of commands of one source.
type SourceCount struct {
	Name  string
	Count uint64
}

// maxRefusedSources is how many refused sources of a group are counted by name.
const maxRefusedSources = 16

// otherSources is the name under which the refused sources beyond maxRefusedSources are
// counted.
const otherSources = "others"

// commandAuthority decides which source may command: in each group one source at a time, its
// owner, until the owner is silent for the timeout, leaves, or is released by TakeCommand.
// With the policy newest every source may command. In lock-step the timeout is simulated
// time, which stands still while no command comes, as for the watchdogs. Goroutines that post
// wait for one another for the time of a copy; the loop only calls releaseAll and never waits.
type commandAuthority struct {
	newest  bool
	timeout time.Duration // 0: never
	epoch   atomic.Uint64 // incremented when all groups are released

	mu     sync.Mutex
	groups []groupAuthority
}

// groupAuthority is the ownership of one group.
type groupAuthority struct {
	owner     Source
	port      int           // of the owner's newest command
	owned     bool          // whether there is an owner, in this epoch
	epoch     uint64        // when the owner took the group
	newest    time.Duration // time of the owner's newest command
	offered   bool          // the next command of another source takes over
	handovers uint64        // number of takeovers from an owner that was still active
	previous  string        // name of the source before the owner
	refused   []refusedSource
}

// refusedSource counts the refused commands of one source.
type refusedSource struct {
	source Source
	count  uint64
}

func newCommandAuthority(groups int, o Options) *commandAuthority {
	a := &commandAuthority{groups: make([]groupAuthority, groups)}
	a.configure(o)
	return a
}

// configure sets the policy and the timeout.
func (a *commandAuthority) configure(o Options) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.newest, a.timeout = o.NewestCommander, time.Duration(o.CommandTimeoutS*float64(time.Second))
}

// admits reports whether a source may command a group now, and counts a command that it
// refuses. The caller holds mu.
func (a *commandAuthority) admits(g int, from Source, now time.Duration) bool {
	m := &a.groups[g]
	if !a.active(m, now) || m.owner.is(from) || a.newest || m.offered || m.owner.Yields {
		return true
	}
	if !from.Yields {
		m.refuse(from)
	}
	return false
}

// claim makes a source that was admitted, and whose command was taken, the owner of a
// group. The caller holds mu.
func (a *commandAuthority) claim(g, port int, from Source, now time.Duration) {
	m := &a.groups[g]
	active := a.active(m, now)
	switch {
	case !active:
		m.offered = false
	case !m.owner.is(from):
		m.handovers++
		m.previous, m.offered = m.owner.Name, false
	}
	m.owner, m.port, m.owned, m.epoch, m.newest = from, port, true, a.epoch.Load(), now
}

// refuse counts a command of a source that does not own the group.
func (m *groupAuthority) refuse(from Source) {
	i := slices.IndexFunc(m.refused, func(r refusedSource) bool { return r.source.is(from) })
	switch {
	case i >= 0:
		m.refused[i].source.Name = from.Name
	case len(m.refused) < maxRefusedSources:
		i = len(m.refused)
		m.refused = append(m.refused, refusedSource{source: from})
	default:
		i = maxRefusedSources - 1
		m.refused[i].source = Source{Name: otherSources}
	}
	m.refused[i].count++
}

// releaseAll releases all groups. It never waits.
func (a *commandAuthority) releaseAll() { a.epoch.Add(1) }

// leave releases a group that a source owns through a port and a topic.
func (a *commandAuthority) leave(g, port int, from Source) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m := &a.groups[g]; m.owner.is(from) && m.port == port && m.owner.Topic == from.Topic {
		m.owned = false
	}
}

// offer lets the next command of another source take over each group, and returns the names
// of the present owners.
func (a *commandAuthority) offer(now time.Duration) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var names []string
	for g := range a.groups {
		if m := &a.groups[g]; a.active(m, now) {
			m.offered = true
			names = append(names, m.owner.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// active reports whether a group has an owner that is not silent. The caller holds mu.
func (a *commandAuthority) active(m *groupAuthority, now time.Duration) bool {
	return m.owned && m.epoch == a.epoch.Load() && (a.timeout <= 0 || now-m.newest <= a.timeout)
}

// owner returns the name of the source that owns a group, or "".
func (a *commandAuthority) owner(g int, now func() time.Duration) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m := &a.groups[g]; a.active(m, now()) {
		return m.owner.Name
	}
	return ""
}

// read writes the owner of a group and its refused sources to dst.
func (a *commandAuthority) read(g int, now time.Duration, dst *GroupStats) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := &a.groups[g]
	if a.active(m, now) {
		dst.Commander = m.owner.Name
	}
	dst.Last, dst.Handovers, dst.Previous = m.owner.Name, m.handovers, m.previous
	for _, r := range m.refused {
		dst.Refused = append(dst.Refused, SourceCount{r.source.Name, r.count})
	}
	slices.SortFunc(dst.Refused, func(a, b SourceCount) int { return cmp.Compare(a.Name, b.Name) })
}

// takeCommand does the verb TakeCommand.
func (s *Simulator) takeCommand() Reply {
	r := Reply{OK: true, SimTime: s.SimTime()}
	switch names := s.intake.authority.offer(s.commandTime()); {
	case s.Options().NewestCommander:
		r.Message = "command_policy is newest: every command takes effect"
	case len(names) == 0:
		r.Message = "no source is in command: the next command takes effect"
	default:
		r.Message = "in every group the next command of another source takes over; in command now: " + strings.Join(names, ", ")
	}
	return r
}
