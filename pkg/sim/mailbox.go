package sim

import "sync"

// Mailbox passes the newest commands of one group of ports to the loop: for each
// value the newest one that is not Keep. Any goroutine may Put, and writers wait
// for one another for the time of a copy. Take and Read never wait; only one
// goroutine may call them.
type Mailbox struct {
	byValue bool

	writers sync.Mutex
	latest  []entry // by value
	serial  uint64  // number of commands put

	newest  tripleBuffer
	buffers [3][]entry

	seen, before uint64 // serial at the last Take and the one before
}

// entry is one commanded value.
type entry struct {
	port   int     // the port that commanded it
	value  float64 // in the units of the port
	serial uint64  // the number of the command, from 1
}

// newMailbox returns an empty Mailbox for g.
func newMailbox(g *group) *Mailbox {
	m := &Mailbox{byValue: g.byValue, latest: make([]entry, g.width)}
	m.newest.init()
	for i := range m.buffers {
		m.buffers[i] = make([]entry, g.width)
	}
	return m
}

// Put copies the command v for a port of the group into the mailbox.
func (m *Mailbox) Put(port int, v []float64) {
	m.writers.Lock()
	defer m.writers.Unlock()
	m.serial++
	if !m.byValue && m.latest[0].port != port {
		for i := range m.latest {
			m.latest[i] = entry{port: port}
		}
	}
	for i, x := range v {
		if !IsKeep(x) {
			m.latest[i] = entry{port, x, m.serial}
		}
	}
	copy(m.buffers[m.newest.back], m.latest)
	m.newest.publish()
}

// Take empties the mailbox for Read. It reports false if nothing came since the
// last Take.
func (m *Mailbox) Take() bool {
	if !m.newest.take() {
		return false
	}
	m.before = m.seen
	for _, e := range m.buffers[m.newest.front] {
		m.seen = max(m.seen, e.serial)
	}
	return true
}

// Read writes to dst, of the width of the port, what Take found for a port. Values
// that were not commanded, or last by another port, are Keep. Read reports whether
// there is any value that is not Keep.
func (m *Mailbox) Read(port int, dst []float64) bool {
	any := false
	for i, e := range m.buffers[m.newest.front][:len(dst)] {
		dst[i] = Keep
		if e.port == port && e.serial > m.before {
			dst[i] = e.value
			any = true
		}
	}
	return any
}
