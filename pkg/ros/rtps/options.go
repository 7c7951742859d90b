package rtps

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Range is the range of discovery.
type Range uint8

// Ranges of discovery.
const (
	// Host discovers participants on this host and on Peers; datagrams from other addresses are
	// dropped unread.
	Host Range = iota
	// Subnet also uses the multicast group on the network interfaces, with one hop.
	Subnet
	// Off discovers no other participant.
	Off
)

// Options configure a participant. The zero value is a participant of domain 0 that discovers
// others on its own host.
type Options struct {
	Domain int // 0 to 232
	// ParticipantID is the first identifier to try, 0 to 119. It determines the ports. The first
	// identifier whose ports are free is taken.
	ParticipantID int
	Range         Range
	// NoMulticast restricts discovery to the well-known ports of this host and Peers.
	NoMulticast bool
	// Peers are addresses to announce to; see SetPeers. Port 0 stands for the well-known
	// ports of the first participants there.
	Peers []netip.AddrPort
	// Interfaces are names or IPv4 addresses of the network interfaces to use; none means all. They
	// may appear, disappear and return. The loopback interface is always used.
	Interfaces []string
	Name       string        // name that tools show, at most 256 bytes
	UserData   []byte        // USER_DATA of the participant, at most 4096 bytes
	Lease      time.Duration // other participants remove a silent one after this; 0 is 20 s
	Limits     Limits
	// Notify, if not nil, is called with events of the domain, from one goroutine at a time. It may
	// use the participant.
	Notify func(Event)

	wrap func(link) link // lets tests lose datagrams
}

// Limits bound what a participant stores for others. Zero fields mean the default.
type Limits struct {
	Participants int // remote participants; 256
	Endpoints    int // remote writers and readers together, of which one participant may have an eighth, as many as 50 robots of one program have; 40960
	Matches      int // remote endpoints that one writer or reader exchanges data with; 128
	SampleBytes  int // largest sample that is received; 16 MiB
	// BufferedBytes bounds samples that wait for earlier samples or for their own missing
	// fragments, of which one writer may use a quarter, and the samples that wait for the callback
	// of one reader. 64 MiB.
	BufferedBytes int
	BufferedCount int // such samples per writer; 4096
}

// Bounds of Options.
const (
	defaultLease     = 20 * time.Second
	minLease         = 100 * time.Millisecond
	maxLocal         = 1 << 14 // writers and readers of one participant, each
	maxPeers         = 64
	maxDepth         = 100_000
	wellKnownOthers  = 32 // well-known participants per host to which announcements are sent
	maxFragments     = 1 << 17
	maxAssemblies    = 8 // incomplete samples per writer
	maxGapIntervals  = 256
	maxLeaseAccepted = 10 * time.Minute
)

func (l Limits) filled() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Participants, 256)
	def(&l.Endpoints, 40960)
	def(&l.Matches, 128)
	def(&l.SampleBytes, 16<<20)
	def(&l.BufferedBytes, 64<<20)
	def(&l.BufferedCount, 4096)
	return l
}

// filled checks the options and sets defaults; the error lists all mistakes.
func (o Options) filled() (Options, error) {
	var errs []error
	wrong := func(format string, a ...any) { errs = append(errs, fmt.Errorf("rtps: "+format, a...)) }
	if o.Domain < 0 || o.Domain > wire.MaxDomain {
		wrong("domain %d is outside 0 to %d", o.Domain, wire.MaxDomain)
	}
	if o.ParticipantID < 0 || o.ParticipantID > wire.MaxParticipantID {
		wrong("participant identifier %d is outside 0 to %d", o.ParticipantID, wire.MaxParticipantID)
	}
	if o.Range > Off {
		wrong("range %d is unknown", o.Range)
	}
	if len(o.Name) > wire.MaxName {
		wrong("participant name has %d bytes, at most %d are allowed", len(o.Name), wire.MaxName)
	}
	if len(o.UserData) > wire.MaxUserData {
		wrong("participant user data has %d bytes, at most %d are allowed", len(o.UserData), wire.MaxUserData)
	}
	errs = append(errs, checkPeers(o.Peers))
	if o.Lease == 0 {
		o.Lease = defaultLease
	}
	if o.Lease < minLease {
		wrong("lease %v is below %v", o.Lease, minLease)
	}
	o.Limits = o.Limits.filled()
	return o, errors.Join(errs...)
}

func checkPeers(peers []netip.AddrPort) error {
	var errs []error
	if len(peers) > maxPeers {
		errs = append(errs, fmt.Errorf("rtps: %d peers are given, at most %d are allowed", len(peers), maxPeers))
	}
	for _, p := range peers {
		if !p.Addr().Unmap().Is4() || p.Addr().IsUnspecified() {
			errs = append(errs, fmt.Errorf("rtps: peer %v is not an IPv4 address", p))
		}
	}
	return errors.Join(errs...)
}
