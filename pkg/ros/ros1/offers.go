package ros1

import (
	"cmp"
	"net"
	"slices"
	"sync"
	"sync/atomic"

	"sinew/pkg/ros/bounded"
)

// offer is a topic or a service that other nodes may connect to.
type offer struct {
	name, kind, md5 string
	service         bool
	users           atomic.Int32 // connections that goroslib has accepted
}

// relayed is a connection of another node to an offer.
type relayed struct {
	id     int
	caller string
	offer  *offer
	peer   net.Conn
	queue  *bounded.Queue[[]byte] // of a topic: messages for the peer; nil for services
	bytes  atomic.Uint64          // sent to the peer
	sent   atomic.Uint64          // messages
}

// offers is what this node offers and who uses it.
type offers struct {
	mu      sync.Mutex
	all     map[string]*offer // by key
	users   map[*relayed]struct{}
	last    int    // id given
	dropped uint64 // by connections that have ended
}

func newOffers() *offers {
	return &offers{all: map[string]*offer{}, users: map[*relayed]struct{}{}}
}

// key keeps topics and services of the same name apart.
func key(name string, service bool) string {
	if service {
		return "service " + name
	}
	return "topic " + name
}

func (o *offers) add(f *offer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all[key(f.name, f.service)] = f
}

func (o *offers) find(name string, service bool) *offer {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all[key(name, service)]
}

// join gives a new connection its number; leave forgets it.
func (o *offers) join(r *relayed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	r.id = o.last
	o.users[r] = struct{}{}
}

func (o *offers) leave(r *relayed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.users, r)
	if r.queue != nil {
		o.dropped += r.queue.Dropped()
	}
}

// connections lists the connections to topics in the order they came.
func (o *offers) connections() []*relayed {
	o.mu.Lock()
	defer o.mu.Unlock()
	var list []*relayed
	for r := range o.users {
		if !r.offer.service {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *relayed) int { return cmp.Compare(a.id, b.id) })
	return list
}

// lost counts the messages dropped because subscribers were too slow.
func (o *offers) lost() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := o.dropped
	for r := range o.users {
		if r.queue != nil {
			n += r.queue.Dropped()
		}
	}
	return n
}
