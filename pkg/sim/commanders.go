package sim

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Source is who gives a command: a node of a network, or a part of this program.
type Source struct {
	// ID tells sources apart where it is not zero; otherwise Name does.
	ID [16]byte
	// Name is for people. It may become known later than the ID.
	Name string
	// Topic is what the source commands through: when it leaves, the newest command came
	// through that topic or the group stays its own. It tells no sources apart.
	Topic string
	// Yields says that any other source takes over at once.
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

// otherSources counts the refused sources beyond those that have a name of their own.
const otherSources = "others"

// commanders decides whose commands count: in each group those of one source at a
// time, until it is silent for the timeout, leaves, or is relieved. With policy
// newest every source may command. In lock-step the time of a silence is simulated: it
// stands while nobody commands, as that of the watchdogs does. Posting goroutines wait
// for one another for the time of a copy; the loop never waits, it only tells of changes
// of state by forget.
type commanders struct {
	newest  bool
	timeout time.Duration // 0 means for ever
	epoch   atomic.Uint64 // rises when all groups become free

	mu     sync.Mutex
	groups []commander
}

// commander is who commands one group.
type commander struct {
	owner     Source
	port      int           // of the owner's newest command
	held      bool          // whether the owner was ever set, in this epoch
	epoch     uint64        // when the owner took the group
	newest    time.Duration // when the owner commanded last
	relieved  bool          // the next command of another source takes over
	handovers uint64        // how often one source took over from another that still commanded
	previous  string        // name of the source before the owner
	refused   []refusedSource
}

// refusedSource counts what was refused of one source.
type refusedSource struct {
	source Source
	count  uint64
}

func newCommanders(groups int, o Options) *commanders {
	return &commanders{newest: o.NewestCommander, timeout: time.Duration(o.CommandTimeoutS * float64(time.Second)), groups: make([]commander, groups)}
}

// admits reports whether a source may command a group now, and counts who may not. The
// caller holds mu.
func (c *commanders) admits(g int, from Source, now time.Duration) bool {
	m := &c.groups[g]
	if !c.active(m, now) || m.owner.is(from) || c.newest || m.relieved || m.owner.Yields {
		return true
	}
	if !from.Yields {
		m.refuse(from)
	}
	return false
}

// claim makes a source that is admitted, and whose command has been taken, the owner of a
// group. The caller holds mu.
func (c *commanders) claim(g, port int, from Source, now time.Duration) {
	m := &c.groups[g]
	active := c.active(m, now)
	switch {
	case !active:
		m.relieved = false
	case !m.owner.is(from):
		m.handovers++
		m.previous, m.relieved = m.owner.Name, false
	}
	m.owner, m.port, m.held, m.epoch, m.newest = from, port, true, c.epoch.Load(), now
}

// refuse counts a command of a source that does not command.
func (m *commander) refuse(from Source) {
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

// set changes the policy and the timeout.
func (c *commanders) set(o Options) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.newest, c.timeout = o.NewestCommander, time.Duration(o.CommandTimeoutS*float64(time.Second))
}

// forget makes all groups free. It never waits.
func (c *commanders) forget() { c.epoch.Add(1) }

// leave frees a group that a source commands through a port and a topic.
func (c *commanders) leave(g, port int, from Source) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := &c.groups[g]; m.owner.is(from) && m.port == port && m.owner.Topic == from.Topic {
		m.held = false
	}
}

// relieve lets the next command of another source take over every group, and
// returns the names of those who command now.
func (c *commanders) relieve(now time.Duration) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for g := range c.groups {
		if m := &c.groups[g]; c.active(m, now) {
			m.relieved = true
			names = append(names, m.owner.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// active reports whether somebody commands a group. The caller holds mu.
func (c *commanders) active(m *commander, now time.Duration) bool {
	return m.held && m.epoch == c.epoch.Load() && (c.timeout <= 0 || now-m.newest <= c.timeout)
}

// read fills in who commands a group and who was refused.
func (c *commanders) read(g int, now time.Duration, dst *GroupStats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := &c.groups[g]
	if c.active(m, now) {
		dst.Commander = m.owner.Name
	}
	dst.Last, dst.Handovers, dst.Previous = m.owner.Name, m.handovers, m.previous
	for _, r := range m.refused {
		dst.Refused = append(dst.Refused, SourceCount{r.source.Name, r.count})
	}
	slices.SortFunc(dst.Refused, func(a, b SourceCount) int { return cmp.Compare(a.Name, b.Name) })
}

// commandTime is the time by which sources fall silent. It goes back only with the clock
// that is followed, and then nobody is in command.
func (s *Simulator) commandTime() time.Duration {
	if s.follower != nil {
		return s.FollowedTime()
	}
	if s.opt.Lockstep {
		return time.Duration(float64(s.meter.periods.Load()) / s.opt.ControlHz * float64(time.Second))
	}
	return s.clock.Now()
}

// takeCommand does the verb TakeCommand.
func (s *Simulator) takeCommand() Reply {
	r := Reply{OK: true, SimTime: s.Stats().SimTime}
	switch names := s.commanders.relieve(s.commandTime()); {
	case s.Options().NewestCommander:
		r.Message = "command_policy is newest: every command takes effect"
	case len(names) == 0:
		r.Message = "nobody commands: the next command takes effect"
	default:
		r.Message = "the next command of another source takes over from " + strings.Join(names, ", ")
	}
	return r
}

// Commander returns the name of the source that commands the group of an In port,
// empty when nobody does.
func (s *Simulator) Commander(port int) string {
	c := s.commanders
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := &c.groups[s.of[port]]; c.active(m, s.commandTime()) {
		return m.owner.Name
	}
	return ""
}

// Leave tells that a source commands an In port through its Topic no longer, because it
// publishes that no more. What it commanded stays until the watchdog expires or another
// source commands, which it now may.
func (s *Simulator) Leave(from Source, port int) { s.commanders.leave(s.of[port], port, from) }
