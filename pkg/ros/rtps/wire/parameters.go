package wire

import "errors"

// Parameter identifiers that are read or written (9.6.2, 9.6.3).
const (
	pidPad                = 0x0000
	pidSentinel           = 0x0001
	pidLease              = 0x0002
	pidTopicName          = 0x0005
	pidTypeName           = 0x0007
	pidDomainID           = 0x000f
	pidVersion            = 0x0015
	pidVendor             = 0x0016
	pidReliability        = 0x001a
	pidLiveliness         = 0x001b
	pidDurability         = 0x001d
	pidOwnership          = 0x001f
	pidDeadline           = 0x0023
	pidPartition          = 0x0029
	pidLifespan           = 0x002b
	pidUserData           = 0x002c
	pidUnicastLocator     = 0x002f
	pidDefaultUnicast     = 0x0031
	pidMetatrafficUnicast = 0x0032
	pidHistory            = 0x0040
	pidExpectsInlineQoS   = 0x0043
	pidParticipantGUID    = 0x0050
	pidBuiltinEndpointSet = 0x0058
	pidEndpointGUID       = 0x005a
	pidEntityName         = 0x0062
	pidKeyHash            = 0x0070
	pidStatusInfo         = 0x0071
	pidDataRepresentation = 0x0073
	pidRelatedSample      = 0x0083 // DDS-RPC 1.0, 7.8.2
	pidRelatedSampleOld   = 0x800f // what Fast DDS and Connext sent in its place at first
	mustUnderstand        = 0x4000
	encapsulationPLBig    = 0x0002
	encapsulationPLLittle = 0x0003
	lengthOfEncapsulation = 4
	maxParameters         = 512 // in one list; real ones have about 40
)

var (
	errParameters    = errors.New("rtps: parameter list without end")
	errEncapsulation = errors.New("rtps: discovery data is not a parameter list")
)

// parameters calls each for every parameter up to the sentinel and leaves the
// cursor after it. Padding is skipped.
func (c *cursor) parameters(each func(id uint16, value cursor) error) error {
	for range maxParameters {
		id, n := c.u16(), int(c.u16())
		if c.short {
			return errParameters
		}
		if id == pidSentinel {
			return nil
		}
		v := c.take(n)
		if c.short {
			return errParameters
		}
		if id == pidPad {
			continue
		}
		if err := each(id, cursor{b: v, big: c.big}); err != nil {
			return err
		}
	}
	return errParameters
}

// encapsulated opens a parameter list that is the payload of a sample (10.5).
func encapsulated(payload []byte) (cursor, error) {
	if len(payload) < lengthOfEncapsulation {
		return cursor{}, errEncapsulation
	}
	c := cursor{b: payload[lengthOfEncapsulation:]}
	switch uint16(payload[0])<<8 | uint16(payload[1]) {
	case encapsulationPLBig:
		c.big = true
	case encapsulationPLLittle:
	default:
		return cursor{}, errEncapsulation
	}
	return c, nil
}

func (b *Builder) encapsulation() {
	if b.Big {
		b.Bytes = append(b.Bytes, 0, encapsulationPLBig, 0, 0)
	} else {
		b.Bytes = append(b.Bytes, 0, encapsulationPLLittle, 0, 0)
	}
}

// parameter appends a parameter whose value write appends; its length is padded
// to four bytes.
func (b *Builder) parameter(id uint16, write func()) {
	b.u16(id)
	at := len(b.Bytes)
	b.u16(0)
	write()
	b.align(at + 2)
	n := uint16(len(b.Bytes) - at - 2)
	if b.Big {
		b.Bytes[at], b.Bytes[at+1] = byte(n>>8), byte(n)
	} else {
		b.Bytes[at], b.Bytes[at+1] = byte(n), byte(n>>8)
	}
}

func (b *Builder) sentinel() {
	b.u16(pidSentinel)
	b.u16(0)
}

func (b *Builder) parameterU32(id uint16, v uint32) { b.parameter(id, func() { b.u32(v) }) }

func (b *Builder) parameterGUID(id uint16, g GUID) { b.parameter(id, func() { b.guid(g) }) }

func (b *Builder) parameterText(id uint16, s string) {
	b.parameter(id, func() {
		b.u32(uint32(len(s) + 1))
		b.Bytes = append(append(b.Bytes, s...), 0)
	})
}

func (b *Builder) parameterBytes(id uint16, v []byte) {
	b.parameter(id, func() {
		b.u32(uint32(len(v)))
		b.Bytes = append(b.Bytes, v...)
	})
}
