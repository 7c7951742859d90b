package rtps

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// ErrClosed is the error of calls after Close.
var ErrClosed = errors.New("rtps: closed")

// Participant is a member of a DDS domain. Its methods may be called from any
// goroutine.
type Participant struct {
	guid    GUID
	id      int
	e       *engine
	udp     *udp
	own     *atomic.Pointer[host]
	stats   counters
	once    sync.Once
	closing chan struct{} // closed when Close begins
	done    chan struct{} // closed when the engine has ended
}

// NewParticipant joins a domain and announces itself. The caller must close it.
func NewParticipant(o Options) (*Participant, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	p := &Participant{closing: make(chan struct{}), done: make(chan struct{}), own: new(atomic.Pointer[host])}
	// by 9.3.1 the first two bytes are those of the vendor; ours has no identifier
	_, _ = rand.Read(p.guid.Prefix[2:])
	p.guid.Entity = wire.EntityParticipant
	h := surveyHost(o.Interfaces)
	h.peers = o.Peers
	p.own.Store(&h) // before the first datagram
	accepts := func(a netip.Addr) bool { return accepted(&o, p.own.Load(), a) }
	if p.udp, err = openUDP(o.Domain, o.ParticipantID, &p.stats, accepts); err != nil {
		return nil, err
	}
	p.id = p.udp.id
	p.e = p.newEngine(o, h)
	p.e.joinGroups()
	p.e.startSEDP() // before another participant can be discovered
	p.udp.start()
	go func() {
		p.e.run()
		close(p.done)
	}()
	_ = p.call(p.e.announce)
	go p.followInterfaces()
	return p, nil
}

func (p *Participant) newEngine(o Options, h host) *engine {
	h.peers = o.Peers
	e := &engine{
		opts: o, guid: p.guid, id: p.id, host: h, announced: h.reach, link: p.udp, stats: &p.stats,
		remotes: map[wire.Prefix]*remote{},
		writers: map[wire.EntityID]*localWriter{},
		readers: map[wire.EntityID]*localReader{},
		packets: p.udp.packets, dirty: dirty{wake: make(chan struct{}, 1)},
		calls: make(chan func()), quit: make(chan struct{}),
		notifier: newNotifier(o.Notify),
		now:      time.Now(),
	}
	e.survey = func(h *host) { p.own.Store(h) }
	e.join = func(a netip.Addr) error { return p.udp.join(o.Domain, a) }
	e.part = func(a netip.Addr) { p.udp.part(a) }
	if o.wrap != nil {
		e.link = o.wrap(e.link)
	}
	e.spdp.timer.fire = e.announce
	return e
}

// accepted reports whether datagrams from a are read.
func accepted(o *Options, h *host, a netip.Addr) bool {
	switch o.Range {
	case Subnet:
		return len(o.Interfaces) == 0 || h.isOwn(a) || h.isNear(a) || h.isPeer(a)
	case Host:
		return h.isOwn(a) || h.isPeer(a)
	}
	return false
}

// call runs f in the engine and waits for it.
func (p *Participant) call(f func()) error {
	ran := make(chan struct{})
	select {
	case p.e.calls <- func() { f(); close(ran) }:
		<-ran
		return nil
	case <-p.done:
		return ErrClosed
	}
}

// GUID returns the identifier of the participant in the domain.
func (p *Participant) GUID() GUID { return p.guid }

// ID returns the participant identifier, which determines the ports.
func (p *Participant) ID() int { return p.id }

// Stats returns the counters of the participant.
func (p *Participant) Stats() Stats { return p.stats.stats() }

// Limits returns what the participant stores for others at most.
func (p *Participant) Limits() Limits { return p.e.opts.Limits }

// Remote describes another participant.
type Remote struct {
	GUID     GUID
	Name     string
	UserData []byte // read only
	Vendor   wire.Vendor
	Address  netip.AddrPort // address to which data for it is sent
}

// Remotes lists the other participants that are discovered now.
func (p *Participant) Remotes() (all []Remote) {
	_ = p.call(func() {
		for _, r := range p.e.remotes {
			if d := &r.data; d.GUID != p.guid {
				all = append(all, Remote{d.GUID, d.Name, d.UserData, d.Vendor, r.user})
			}
		}
	})
	return all
}

// Close announces the departure of the participant and closes it with its writers and readers. It
// does not wait for a call of Receive or Notify that is running.
func (p *Participant) Close() error {
	err := ErrClosed
	p.once.Do(func() {
		err = nil
		_ = p.call(func() {
			p.e.drain()
			p.e.goodbye()
		})
		p.end()
	})
	return err
}

// end stops everything without an announcement.
func (p *Participant) end() {
	close(p.closing)
	close(p.e.quit)
	<-p.done
	p.udp.close()
	for _, r := range p.e.readers {
		if r.handle != nil {
			r.handle.discard()
		}
	}
	p.e.notifier.close()
}

// newEndpoint checks what writers and readers have in common.
func checkEndpoint(topic, typeName string, userData []byte, q QoS) (QoS, error) {
	q, err := q.check()
	errs := []error{err}
	for _, n := range []struct{ what, name string }{{"topic", topic}, {"type", typeName}} {
		if n.name == "" || len(n.name) > wire.MaxName {
			errs = append(errs, fmt.Errorf("rtps: %s name %.40q has %d bytes, 1 to %d are allowed", n.what, n.name, len(n.name), wire.MaxName))
		}
	}
	if len(userData) > wire.MaxUserData {
		errs = append(errs, fmt.Errorf("rtps: endpoint user data has %d bytes, at most %d are allowed", len(userData), wire.MaxUserData))
	}
	return q, errors.Join(errs...)
}
