package wire

import "errors"

var (
	errInline   = errors.New("rtps: in-line QoS outside its submessage")
	errFragment = errors.New("rtps: fragment outside its sample")
)

// Flags of Data and DataFrag.
const (
	flagInline  byte = 0x02
	flagData    byte = 0x04 // Data
	flagKey     byte = 0x08 // Data
	flagFragKey byte = 0x04 // DataFrag
)

// Data carries a sample or, when Key is set, what identifies an instance whose
// life ended (8.3.7.2).
type Data struct {
	Reader, Writer EntityID
	Sequence       int64
	Inline         Inline
	Key            bool
	Payload        []byte // the data with their encapsulation header; nil when there are none
}

// Data reads a sample.
func (s Submessage) Data() (Data, error) {
	c := s.cursor()
	var d Data
	if err := c.dataHead(s.Flags, 20, &d); err != nil {
		return d, err
	}
	if err := c.inlineQoS(s.Flags, &d.Inline); err != nil {
		return d, err
	}
	d.Key = s.Flags&flagKey != 0
	if s.Flags&(flagData|flagKey) != 0 {
		d.Payload = c.b
	}
	return d, nil
}

// dataHead reads what Data and DataFrag share and leaves the cursor after it,
// with what comes between it and the in-line QoS still to be read; fixed is the
// least distance that octetsToInlineQos may state.
func (c *cursor) dataHead(flags byte, fixed int, d *Data) error {
	c.u16() // extra flags
	toInline := int(c.u16())
	if toInline < fixed-4 || toInline > len(c.b) {
		return errInline
	}
	d.Reader, d.Writer, d.Sequence = c.entity(), c.entity(), c.pair()
	if c.short {
		return errShort
	}
	if d.Sequence < 1 || d.Sequence > highest {
		return errSequence
	}
	if fixed == 20 { // a later minor version may have put more before the QoS
		c.take(toInline - 16)
	}
	return nil
}

// DataFrag carries fragments of a sample (8.3.7.3).
type DataFrag struct {
	Data
	First  uint32 // number of the first fragment, from 1
	Count  uint16 // how many fragments Payload holds
	Size   uint16 // bytes in every fragment but the last of the sample
	Sample uint32 // bytes in the whole sample
}

// DataFrag reads fragments. The numbers are consistent: the payload lies within
// the sample.
func (s Submessage) DataFrag() (DataFrag, error) {
	c := s.cursor()
	var d DataFrag
	all := len(c.b)
	if err := c.dataHead(s.Flags, 32, &d.Data); err != nil {
		return d, err
	}
	head := cursor{b: s.Body[2:], big: c.big}
	toInline := int(head.u16())
	d.First, d.Count, d.Size, d.Sample = c.u32(), c.u16(), c.u16(), c.u32()
	c.take(toInline + 4 - (all - len(c.b)))
	if c.short {
		return d, errShort
	}
	if err := c.inlineQoS(s.Flags, &d.Inline); err != nil {
		return d, err
	}
	d.Key = s.Flags&flagFragKey != 0
	if d.First < 1 || d.Count < 1 || d.Size < 1 || d.Sample < 1 {
		return d, errFragment
	}
	from := uint64(d.First-1) * uint64(d.Size)
	to := min(from+uint64(d.Count)*uint64(d.Size), uint64(d.Sample))
	if from >= uint64(d.Sample) || uint64(len(c.b)) < to-from {
		return d, errFragment
	}
	// what is beyond is padding to four bytes
	d.Payload = c.b[:to-from]
	return d, nil
}

// Data appends a sample. Its in-line QoS is written when it is not empty. A
// payload whose length is not a multiple of four is padded and says so.
func (b *Builder) Data(d Data) {
	flags := flag(!d.Inline.empty(), flagInline)
	switch {
	case d.Key:
		flags |= flagKey
	case d.Payload != nil:
		flags |= flagData
	}
	b.begin(KindData, flags)
	b.dataHead(&d, 16)
	b.inlineQoS(&d.Inline)
	at := len(b.Bytes)
	b.Bytes = append(b.Bytes, d.Payload...)
	if pad := byte(-len(d.Payload) & paddingBits); pad != 0 && len(d.Payload) >= lengthOfEncapsulation {
		b.Bytes[at+3] = b.Bytes[at+3]&^paddingBits | pad
	}
	b.end()
}

// paddingBits of the last byte of an encapsulation header say how many bytes
// were added to the payload to fill its submessage (DDS-XTypes 1.3, 7.6.3.1).
const paddingBits = 3

// Unpad takes off what was added to a payload, which it may change, to fill its
// submessage. Senders that do not say how much they added leave it on; it is at
// most three bytes.
func Unpad(payload []byte) []byte {
	if len(payload) <= lengthOfEncapsulation || len(payload)%4 != 0 {
		return payload
	}
	pad := int(payload[3] & paddingBits)
	payload[3] &^= paddingBits
	return payload[:len(payload)-pad]
}

func (b *Builder) dataHead(d *Data, toInline uint16) {
	b.u16(0)
	b.u16(toInline)
	b.entities(d.Reader, d.Writer)
	b.pair(d.Sequence)
}

// DataFrag appends fragments of a sample.
func (b *Builder) DataFrag(d DataFrag) {
	b.begin(KindDataFrag, flag(!d.Inline.empty(), flagInline)|flag(d.Key, flagFragKey))
	b.dataHead(&d.Data, 28)
	b.u32(d.First)
	b.u16(d.Count)
	b.u16(d.Size)
	b.u32(d.Sample)
	b.inlineQoS(&d.Inline)
	b.Bytes = append(b.Bytes, d.Payload...)
	b.end()
}
