package wire

// Inline holds the members of the in-line QoS of a sample that are read.
type Inline struct {
	Status  uint32 // StatusDisposed, StatusUnregistered
	KeyHash [16]byte
	HasKey  bool // KeyHash is present
	// Related is the sample that this one answers, or where its answer shall go.
	Related SampleIdentity
}

// Bits of Inline.Status (9.6.3.9).
const (
	StatusDisposed     uint32 = 1
	StatusUnregistered uint32 = 2
)

func (i *Inline) empty() bool {
	return i.Status == 0 && !i.HasKey && i.Related == (SampleIdentity{})
}

// Ended reports whether the sample says that its instance is no more.
func (i Inline) Ended() bool { return i.Status&(StatusDisposed|StatusUnregistered) != 0 }

// GUID is the key hash of discovery data: the GUID of what it describes.
func (i Inline) GUID() GUID {
	return GUID{Prefix(i.KeyHash[:12]), EntityID(i.KeyHash[12:])}
}

func (c *cursor) inlineQoS(flags byte, i *Inline) error {
	if flags&flagInline == 0 {
		return nil
	}
	return c.parameters(func(id uint16, v cursor) error {
		switch id &^ mustUnderstand {
		case pidStatusInfo:
			// four octets, the flags in the last, whatever the byte order
			if b := v.take(4); b != nil {
				i.Status = uint32(b[3])
			}
		case pidKeyHash:
			i.HasKey = len(v.b) >= 16
			copy(i.KeyHash[:], v.take(16))
		case pidRelatedSample:
			i.Related = SampleIdentity{v.guid(), v.pair()}
		case pidRelatedSampleOld:
			// of two, that of the specification counts; other vendors may mean
			// something else by this number
			if i.Related == (SampleIdentity{}) && len(v.b) == 24 {
				i.Related = SampleIdentity{v.guid(), v.pair()}
			}
		}
		return v.err()
	})
}

func (b *Builder) inlineQoS(i *Inline) {
	if i.empty() {
		return
	}
	if i.HasKey {
		b.parameter(pidKeyHash, func() { b.Bytes = append(b.Bytes, i.KeyHash[:]...) })
	}
	if i.Status != 0 {
		b.parameter(pidStatusInfo, func() { b.Bytes = append(b.Bytes, 0, 0, 0, byte(i.Status)) })
	}
	if i.Related != (SampleIdentity{}) {
		// Fast DDS up to 2.9 reads only the old number, later ones rely on the other
		for _, id := range [...]uint16{pidRelatedSample, pidRelatedSampleOld} {
			b.u16(id)
			b.u16(24)
			b.guid(i.Related.Writer)
			b.pair(i.Related.Sequence)
		}
	}
	b.sentinel()
}

// KeyHashOf is the key hash of discovery data about g.
func KeyHashOf(g GUID) (h [16]byte) {
	copy(h[:], g.Prefix[:])
	copy(h[12:], g.Entity[:])
	return h
}
