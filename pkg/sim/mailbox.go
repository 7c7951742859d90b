package sim

import "sync"

// Mailbox passes the newest command of one group of ports to the loop. Any
// goroutine may Put; those that do wait for one another for the time of a copy.
// Take never waits and is for one goroutine.
type Mailbox struct {
	writers sync.Mutex
	newest  triple
	letters [3]letter
}

// letter is a command: values for a port.
type letter struct {
	port   int
	n      int
	values []float64 // n of them count
}

func (l *letter) write(port int, v []float64) {
	l.port = port
	l.n = copy(l.values, v)
}

func (l *letter) read() (port int, v []float64) { return l.port, l.values[:l.n] }

// NewMailbox makes a Mailbox for commands of up to width values.
func NewMailbox(width int) *Mailbox {
	m := new(Mailbox)
	m.newest.init()
	for i := range m.letters {
		m.letters[i].values = make([]float64, width)
	}
	return m
}

// Put replaces the command in the mailbox. v is copied.
func (m *Mailbox) Put(port int, v []float64) {
	m.writers.Lock()
	m.letters[m.newest.back].write(port, v)
	m.newest.publish()
	m.writers.Unlock()
}

// Take empties the mailbox: it returns the newest command since the last Take,
// if any. v is valid until the next Take.
func (m *Mailbox) Take() (port int, v []float64, ok bool) {
	if !m.newest.take() {
		return 0, nil, false
	}
	port, v = m.letters[m.newest.front].read()
	return port, v, true
}
