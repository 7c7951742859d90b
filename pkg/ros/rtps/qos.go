package rtps

import (
	"fmt"
	"slices"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// QoS is the quality of service that a writer offers or a reader requests. The
// zero value is best effort, volatile, depth 1.
type QoS struct {
	Reliable       bool // lost samples are retransmitted
	TransientLocal bool // late readers get the samples that the writer keeps
	// Depth is how many samples are kept: by a writer for retransmission, by a reader for a slow
	// callback. Newer samples replace older ones. 0 means 1.
	Depth int
	// Lifespan is how long a late reader may still get a sample of a writer; 0 means without limit.
	Lifespan time.Duration
}

func (q QoS) check() (QoS, error) {
	if q.Depth < 0 || q.Depth > maxDepth {
		return q, fmt.Errorf("rtps: history depth %d is outside 0 to %d", q.Depth, maxDepth)
	}
	if q.Lifespan < 0 {
		return q, fmt.Errorf("rtps: lifespan %v is less than 0", q.Lifespan)
	}
	q.Depth = max(q.Depth, 1)
	return q, nil
}

// describe returns the announcement of a local endpoint by SEDP.
func (q QoS) describe(g GUID, topic, typeName string, userData []byte) wire.EndpointData {
	d := wire.NewEndpointData(g.Entity.IsWriter())
	d.GUID, d.Topic, d.Type, d.UserData = g, topic, typeName, userData
	d.Reliability, d.Durability, d.Depth = wire.BestEffort, wire.Volatile, uint32(q.Depth)
	if q.Reliable {
		d.Reliability = wire.Reliable
	}
	if q.TransientLocal {
		d.Durability = wire.TransientLocal
	}
	if q.Lifespan > 0 && g.Entity.IsWriter() {
		d.Lifespan = q.Lifespan
	}
	return d
}

// Representation identifiers of DDS-XTypes 1.3, 7.6.3.1.
const xcdr1 int16 = 0

// incompatible compares the QoS that a writer offers with the QoS that a reader of the same topic
// requests (DDS 1.4, 2.2.3). It returns the first reason why they do not match, "" if they match.
func incompatible(w, r *wire.EndpointData) string {
	switch {
	case w.Type != r.Type:
		return fmt.Sprintf("type: writer has %q, reader %q", w.Type, r.Type)
	case w.Reliability < r.Reliability:
		return "reliability: writer offers best effort, reader requests reliable"
	case w.Durability < r.Durability:
		return fmt.Sprintf("durability: writer offers %s, reader requests %s", durabilityName(w), durabilityName(r))
	case w.Deadline > r.Deadline:
		return fmt.Sprintf("deadline: writer offers %s, reader requests %v", durationName(w.Deadline), r.Deadline)
	case w.Liveliness < r.Liveliness:
		return "liveliness: writer offers a less strict kind than the reader requests"
	case w.LivelinessLease > r.LivelinessLease:
		return fmt.Sprintf("liveliness: writer offers lease %s, reader requests %v", durationName(w.LivelinessLease), r.LivelinessLease)
	case w.Exclusive != r.Exclusive:
		return "ownership: one is shared, the other exclusive"
	case !samePartition(w.Partitions, r.Partitions):
		return fmt.Sprintf("partition: writer is in %q, reader in %q", w.Partitions, r.Partitions)
	case len(r.Representations) > 0 && !slices.Contains(r.Representations, representation(w)):
		return "data representation: reader does not take that of the writer"
	}
	return ""
}

// representation returns the data representation of a writer: the first in its list.
func representation(w *wire.EndpointData) int16 {
	if len(w.Representations) == 0 {
		return xcdr1
	}
	return w.Representations[0]
}

func durabilityName(d *wire.EndpointData) string {
	return [...]string{"volatile", "transient local", "transient", "persistent"}[min(d.Durability, 3)]
}

func durationName(d interface{ String() string }) string {
	if d == wire.Forever {
		return "none"
	}
	return d.String()
}
