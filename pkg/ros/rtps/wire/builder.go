package wire

import (
	"encoding/binary"
	"time"
)

// Builder appends to Bytes. The zero value writes little endian, as every
// submessage flag and encapsulation it writes then says.
type Builder struct {
	Bytes []byte
	Big   bool // big endian

	open int // offset of the submessage that end closes
}

func (b *Builder) u16(v uint16) {
	if b.Big {
		b.Bytes = binary.BigEndian.AppendUint16(b.Bytes, v)
	} else {
		b.Bytes = binary.LittleEndian.AppendUint16(b.Bytes, v)
	}
}

func (b *Builder) u32(v uint32) {
	if b.Big {
		b.Bytes = binary.BigEndian.AppendUint32(b.Bytes, v)
	} else {
		b.Bytes = binary.LittleEndian.AppendUint32(b.Bytes, v)
	}
}

func (b *Builder) pair(v int64) {
	b.u32(uint32(v >> 32))
	b.u32(uint32(v))
}

func (b *Builder) time(t Time) {
	b.u32(uint32(t >> 32))
	b.u32(uint32(t))
}

func (b *Builder) duration(d time.Duration) {
	switch {
	case d == Forever || d/time.Second >= 1<<31-1:
		b.u32(1<<31 - 1)
		b.u32(1<<32 - 1)
	default:
		b.u32(uint32(d / time.Second))
		b.u32(uint32((uint64(d%time.Second)<<32 + 999_999_999) / 1_000_000_000))
	}
}

func (b *Builder) guid(g GUID) {
	b.Bytes = append(append(b.Bytes, g.Prefix[:]...), g.Entity[:]...)
}

func (b *Builder) locator(l Locator) {
	b.u32(uint32(l.Kind))
	b.u32(l.Port)
	b.Bytes = append(b.Bytes, l.Address[:]...)
}

// align pads with zeros to a multiple of four from offset from.
func (b *Builder) align(from int) {
	for (len(b.Bytes)-from)%4 != 0 {
		b.Bytes = append(b.Bytes, 0)
	}
}

// begin starts a submessage; end writes its length.
func (b *Builder) begin(kind, flags byte) {
	b.open = len(b.Bytes)
	if !b.Big {
		flags |= flagLittleEndian
	}
	b.Bytes = append(b.Bytes, kind, flags, 0, 0)
}

// end pads the submessage to a multiple of four and sets its length. One that
// is too long for the 16-bit length gets 0, which stands for "to the end of the
// message" and is right only for the last submessage (8.3.3.2.3).
func (b *Builder) end() {
	b.align(b.open)
	n := len(b.Bytes) - b.open - 4
	if n > 0xffff {
		n = 0
	}
	at := b.Bytes[b.open+2:]
	if b.Big {
		binary.BigEndian.PutUint16(at, uint16(n))
	} else {
		binary.LittleEndian.PutUint16(at, uint16(n))
	}
}
