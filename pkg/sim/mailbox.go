package sim

import "sync"

// Mailbox passes the newest commands of one group of ports to the loop: for each
// value the newest one that is not Keep. Any goroutine may Put; those that do
// wait for one another for the time of a copy. Take and Read never wait and are
// for one goroutine.
type Mailbox struct {
	byValue bool

	writers sync.Mutex
	latest  []word
	serial  uint64 // commands put

	newest  triple
	letters [3][]word

	seen, before uint64 // serial at the last Take and the one before
}

// word is a value, who commanded it, and with which command of the mailbox.
type word struct {
	port   int
	value  float64
	serial uint64
}

// newMailbox makes an empty Mailbox for g.
func newMailbox(g *group) *Mailbox {
	m := &Mailbox{byValue: g.byValue, latest: make([]word, g.width)}
	m.newest.init()
	for i := range m.letters {
		m.letters[i] = make([]word, g.width)
	}
	return m
}

// Put adds the command v for a port of the group. v is copied.
func (m *Mailbox) Put(port int, v []float64) {
	m.writers.Lock()
	defer m.writers.Unlock()
	m.serial++
	if !m.byValue && m.latest[0].port != port {
		for i := range m.latest {
			m.latest[i] = word{port: port}
		}
	}
	for i, x := range v {
		if !IsKeep(x) {
			m.latest[i] = word{port, x, m.serial}
		}
	}
	copy(m.letters[m.newest.back], m.latest)
	m.newest.publish()
}

// Take empties the mailbox for Read. It reports false if nothing came since the
// last Take.
func (m *Mailbox) Take() bool {
	if !m.newest.take() {
		return false
	}
	m.before = m.seen
	for _, w := range m.letters[m.newest.front] {
		m.seen = max(m.seen, w.serial)
	}
	return true
}

// Read writes to dst, of the width of the port, what Take found for a port: Keep
// where nobody or another port had the last word. It reports whether there was
// anything.
func (m *Mailbox) Read(port int, dst []float64) bool {
	any := false
	for i, w := range m.letters[m.newest.front][:len(dst)] {
		dst[i] = Keep
		if w.port == port && w.serial > m.before {
			dst[i] = w.value
			any = true
		}
	}
	return any
}
