package wire

import (
	"errors"
	"time"
)

// Reliability of an endpoint, as on the wire.
type Reliability uint32

// Durability of an endpoint, as on the wire. Transient and persistent ones,
// which need a service beside the writer, are ordered above the two that are
// named here.
type Durability uint32

// Values of Reliability and Durability (9.3.2).
const (
	BestEffort Reliability = 1
	Reliable   Reliability = 2

	Volatile       Durability = 0
	TransientLocal Durability = 1
)

// Bounds of the lists in endpoint data.
const (
	maxPartitions      = 16
	maxRepresentations = 8
)

var (
	errQoS   = errors.New("rtps: QoS value out of range")
	errNames = errors.New("rtps: endpoint without topic or type name")
)

// EndpointData is what a participant says of one of its writers or readers
// (8.5.4.4): only the policies that decide about a match are read.
type EndpointData struct {
	GUID            GUID
	Topic, Type     string
	UserData        []byte
	Unicast         []Locator // none means the locators of the participant
	Reliability     Reliability
	Durability      Durability
	Depth           uint32        // depth of a keep-last history
	Deadline        time.Duration // Forever when there is none
	Liveliness      uint32        // 0 is automatic
	LivelinessLease time.Duration
	Lifespan        time.Duration // of the samples of a writer; Forever without bound
	Exclusive       bool          // ownership
	Partitions      []string
	Representations []int16 // none: XCDR1; 0 is XCDR1, 2 is XCDR2
	ExpectsInline   bool    // a reader that wants QoS in every sample
}

// NewEndpointData returns the defaults of the DDS specification for absent parameters:
// writers are reliable, readers are not.
func NewEndpointData(writer bool) EndpointData {
	d := EndpointData{Reliability: BestEffort, Depth: 1, Deadline: Forever, LivelinessLease: Forever, Lifespan: Forever}
	if writer {
		d.Reliability = Reliable
	}
	return d
}

// ParseEndpoint reads the payload of an SEDP sample about a writer or a reader.
// Nothing in the result refers to payload.
func ParseEndpoint(payload []byte, writer bool) (EndpointData, error) {
	d := NewEndpointData(writer)
	c, err := encapsulated(payload)
	if err != nil {
		return d, err
	}
	if err := c.parameters(d.parameter); err != nil {
		return d, err
	}
	e := d.GUID.Entity
	switch {
	case writer && !e.IsWriter(), !writer && !e.IsReader():
		return d, errNoGUID
	case d.Topic == "" || d.Type == "":
		return d, errNames
	}
	return d, nil
}

func (d *EndpointData) parameter(id uint16, v cursor) error {
	switch id &^ mustUnderstand {
	case pidEndpointGUID:
		d.GUID = v.guid()
	case pidTopicName:
		d.Topic = v.text(MaxName)
	case pidTypeName:
		d.Type = v.text(MaxName)
	case pidUserData:
		return v.userData(&d.UserData)
	case pidUnicastLocator:
		v.appendLocator(&d.Unicast)
	default:
		return d.policy(id&^mustUnderstand, v)
	}
	return v.err()
}

func (d *EndpointData) policy(id uint16, v cursor) error {
	switch id {
	case pidReliability:
		d.Reliability = Reliability(v.u32())
		if d.Reliability != BestEffort && d.Reliability != Reliable && v.err() == nil {
			return errQoS
		}
	case pidDurability:
		if d.Durability = Durability(v.u32()); d.Durability > 3 {
			return errQoS
		}
	case pidHistory:
		v.u32()
		d.Depth = v.u32()
	case pidDeadline:
		d.Deadline = v.duration()
	case pidLiveliness:
		d.Liveliness = v.u32()
		d.LivelinessLease = v.duration()
	case pidLifespan:
		d.Lifespan = v.duration()
	case pidOwnership:
		d.Exclusive = v.u32() != 0
	case pidExpectsInlineQoS:
		b := v.take(1)
		d.ExpectsInline = len(b) == 1 && b[0] != 0
	case pidPartition:
		d.Partitions = v.partitions()
	case pidDataRepresentation:
		d.Representations = v.representations()
	}
	return v.err()
}

func (c *cursor) partitions() (all []string) {
	n := c.u32()
	if n > maxPartitions {
		c.short = true
	}
	whole := len(c.b)
	for ; n > 0 && !c.short; n-- {
		c.take((4 - (whole-len(c.b))%4) % 4) // strings start at multiples of four
		all = append(all, c.text(MaxName))
	}
	return all
}

func (c *cursor) representations() (all []int16) {
	n := c.u32()
	if n > maxRepresentations {
		c.short = true
	}
	for ; n > 0 && !c.short; n-- {
		all = append(all, int16(c.u16()))
	}
	return all
}

// Endpoint appends the payload of an SEDP sample.
func (b *Builder) Endpoint(d *EndpointData) {
	b.encapsulation()
	b.parameterGUID(pidEndpointGUID, d.GUID)
	b.parameterGUID(pidParticipantGUID, GUID{d.GUID.Prefix, EntityParticipant})
	b.parameter(pidVersion, func() { b.Bytes = append(b.Bytes, ThisVersion[:]...) })
	b.parameter(pidVendor, func() { b.Bytes = append(b.Bytes, VendorUnknown[:]...) })
	b.parameterText(pidTopicName, d.Topic)
	b.parameterText(pidTypeName, d.Type)
	for _, l := range d.Unicast {
		b.parameter(pidUnicastLocator, func() { b.locator(l) })
	}
	b.policies(d)
	if len(d.UserData) > 0 {
		b.parameterBytes(pidUserData, d.UserData)
	}
	b.sentinel()
}

// maxBlocking is the time a DDS writer may block in write; ours never does, and
// readers ignore it.
const maxBlocking = 100 * time.Millisecond

func (b *Builder) policies(d *EndpointData) {
	b.parameter(pidReliability, func() {
		b.u32(uint32(d.Reliability))
		b.duration(maxBlocking)
	})
	b.parameterU32(pidDurability, uint32(d.Durability))
	b.parameter(pidHistory, func() {
		b.u32(0) // keep last
		b.u32(d.Depth)
	})
	b.parameter(pidDeadline, func() { b.duration(d.Deadline) })
	b.parameter(pidLiveliness, func() {
		b.u32(d.Liveliness)
		b.duration(d.LivelinessLease)
	})
	if d.Lifespan != Forever {
		b.parameter(pidLifespan, func() { b.duration(d.Lifespan) })
	}
	b.parameterU32(pidOwnership, uint32(flag(d.Exclusive, 1)))
	if len(d.Partitions) > 0 {
		b.parameter(pidPartition, func() {
			b.u32(uint32(len(d.Partitions)))
			from := len(b.Bytes)
			for _, p := range d.Partitions {
				b.align(from)
				b.u32(uint32(len(p) + 1))
				b.Bytes = append(append(b.Bytes, p...), 0)
			}
		})
	}
	if len(d.Representations) > 0 {
		b.parameter(pidDataRepresentation, func() {
			b.u32(uint32(len(d.Representations)))
			for _, r := range d.Representations {
				b.u16(uint16(r))
			}
		})
	}
	if d.ExpectsInline {
		b.parameter(pidExpectsInlineQoS, func() { b.Bytes = append(b.Bytes, 1) })
	}
}
