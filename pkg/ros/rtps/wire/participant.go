package wire

import (
	"bytes"
	"errors"
	"time"
)

// Bounds of discovery data. More than this is an error: no peer needs it, and
// what is kept per participant and endpoint must have a bound.
const (
	MaxName     = 256  // bytes in a topic, type or entity name
	MaxUserData = 4096 // bytes
)

var (
	errUserData = errors.New("rtps: user data longer than 4096 bytes")
	errNoGUID   = errors.New("rtps: discovery data without GUID")
)

// ParticipantData is the announcement of a participant (8.5.3.2).
type ParticipantData struct {
	GUID        GUID
	Version     Version
	Vendor      Vendor
	Domain      uint32 // NoDomain when it is not said
	Name        string
	UserData    []byte
	Builtin     uint32 // built-in endpoints, bits Has…
	Metatraffic []Locator
	Default     []Locator
	Lease       time.Duration
}

// NoDomain stands for a domain that was not given.
const NoDomain = 1<<32 - 1

// defaultLease holds when a participant gives none (9.6.2).
const defaultLease = 100 * time.Second

// ParseParticipant reads the payload of an SPDP sample. Nothing in the result
// refers to payload.
func ParseParticipant(payload []byte) (ParticipantData, error) {
	d := ParticipantData{Domain: NoDomain, Lease: defaultLease}
	c, err := encapsulated(payload)
	if err != nil {
		return d, err
	}
	if err := c.parameters(d.parameter); err != nil {
		return d, err
	}
	if d.GUID.Entity != EntityParticipant {
		return d, errNoGUID
	}
	return d, nil
}

func (d *ParticipantData) parameter(id uint16, v cursor) error {
	switch id &^ mustUnderstand {
	case pidParticipantGUID:
		d.GUID = v.guid()
	case pidVersion:
		copy(d.Version[:], v.take(2))
	case pidVendor:
		copy(d.Vendor[:], v.take(2))
	case pidDomainID:
		d.Domain = v.u32()
	case pidEntityName:
		d.Name = v.text(MaxName)
	case pidUserData:
		return v.userData(&d.UserData)
	case pidBuiltinEndpointSet:
		d.Builtin = v.u32()
	case pidMetatrafficUnicast:
		v.appendLocator(&d.Metatraffic)
	case pidDefaultUnicast:
		v.appendLocator(&d.Default)
	case pidLease:
		d.Lease = v.duration()
	}
	return v.err()
}

func (c *cursor) userData(to *[]byte) error {
	v := c.bytes()
	if len(v) > MaxUserData {
		return errUserData
	}
	*to = bytes.Clone(v)
	return c.err()
}

// appendLocator keeps the first maxLocators; the rest could not be of use.
func (c *cursor) appendLocator(to *[]Locator) {
	if l := c.locator(); len(*to) < maxLocators && !c.short {
		*to = append(*to, l)
	}
}

// Participant appends the payload of an SPDP sample.
func (b *Builder) Participant(d *ParticipantData) {
	b.encapsulation()
	b.parameter(pidVersion, func() { b.Bytes = append(b.Bytes, d.Version[:]...) })
	b.parameter(pidVendor, func() { b.Bytes = append(b.Bytes, d.Vendor[:]...) })
	b.parameterGUID(pidParticipantGUID, d.GUID)
	if d.Domain != NoDomain {
		b.parameterU32(pidDomainID, d.Domain)
	}
	b.parameterU32(pidBuiltinEndpointSet, d.Builtin)
	b.parameter(pidLease, func() { b.duration(d.Lease) })
	for _, l := range d.Metatraffic {
		b.parameter(pidMetatrafficUnicast, func() { b.locator(l) })
	}
	for _, l := range d.Default {
		b.parameter(pidDefaultUnicast, func() { b.locator(l) })
	}
	if d.Name != "" {
		b.parameterText(pidEntityName, d.Name)
	}
	if len(d.UserData) > 0 {
		b.parameterBytes(pidUserData, d.UserData)
	}
	b.sentinel()
}

// ParticipantKey appends the key of an SPDP sample: what a good-bye carries.
func (b *Builder) ParticipantKey(g GUID) {
	b.encapsulation()
	b.parameterGUID(pidParticipantGUID, g)
	b.sentinel()
}

// EndpointKey appends the key of an SEDP sample.
func (b *Builder) EndpointKey(g GUID) {
	b.encapsulation()
	b.parameterGUID(pidEndpointGUID, g)
	b.sentinel()
}

// ParseKey reads the key of an SPDP or SEDP sample.
func ParseKey(payload []byte) (GUID, error) {
	c, err := encapsulated(payload)
	if err != nil {
		return GUID{}, err
	}
	var participant, endpoint GUID
	err = c.parameters(func(id uint16, v cursor) error {
		switch id &^ mustUnderstand {
		case pidParticipantGUID:
			participant = v.guid()
		case pidEndpointGUID:
			endpoint = v.guid()
		}
		return v.err()
	})
	switch {
	case err != nil:
		return GUID{}, err
	case endpoint != GUID{}:
		return endpoint, nil
	case participant != GUID{}:
		return participant, nil
	}
	return GUID{}, errNoGUID
}
