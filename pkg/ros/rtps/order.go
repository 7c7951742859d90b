package rtps

import "sync"

// Order has readers receive from one goroutine, one sample after the other, in the order in
// which these came from the network, whichever reader they are for. Each reader keeps what
// waits for itself, so that a flood for one does not push out what came for another.
type Order struct {
	wake chan struct{} // capacity 1

	mu      sync.Mutex
	readers []*Reader
	running bool
}

// NewOrder returns an Order without readers.
func NewOrder() *Order { return &Order{wake: make(chan struct{}, 1)} }

// add has a reader receive through o.
func (o *Order) add(r *Reader) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.readers = append(o.readers, r)
	if !o.running {
		o.running = true
		go o.run()
	}
}

// notify tells that samples have come or a reader has ended.
func (o *Order) notify() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run takes what arrives, until all readers have ended.
func (o *Order) run() {
	for {
		r, ended := o.next()
		switch {
		case ended:
			return
		case r == nil:
			<-o.wake
		default:
			if s, ok := r.inbox.Take(); ok { // Close may have removed it
				r.receive(s)
			}
		}
	}
}

// next returns the reader of the oldest sample that waits, nil when none does, and forgets
// readers that have ended. ended reports whether all have.
func (o *Order) next() (oldest *Reader, ended bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.oldest()
	// an older sample than what was found may have come for a reader that had been looked
	// at: it is there now
	if oldest = o.oldest(); oldest == nil && len(o.readers) == 0 {
		o.running = false
		return nil, true
	}
	return oldest, false
}

func (o *Order) oldest() (oldest *Reader) {
	least, left := uint64(0), o.readers[:0]
	for _, r := range o.readers {
		s, waits, ended := r.inbox.Oldest()
		if ended {
			continue
		}
		left = append(left, r)
		if waits && (oldest == nil || s.place < least) {
			oldest, least = r, s.place
		}
	}
	clear(o.readers[len(left):])
	o.readers = left
	return oldest
}
