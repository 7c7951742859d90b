package wire

import (
	"encoding/hex"
	"net/netip"
	"time"
)

// Prefix names a participant; it is the first part of the GUID of each of its
// entities.
type Prefix [12]byte

// EntityID names an entity within its participant: a key of three bytes and a
// kind.
type EntityID [4]byte

// GUID names an entity in the whole domain.
type GUID struct {
	Prefix Prefix
	Entity EntityID
}

// String returns the form in which DDS tools print GUIDs.
func (g GUID) String() string {
	b := hex.AppendEncode(make([]byte, 0, 33), g.Prefix[:])
	return string(hex.AppendEncode(append(b, '.'), g.Entity[:]))
}

// SampleIdentity names a sample in the whole domain. The zero value names none.
type SampleIdentity struct {
	Writer   GUID
	Sequence int64 // SequenceUnknown where only the writer counts
}

// SequenceUnknown is no sequence number (9.3.2).
const SequenceUnknown int64 = -1 << 32

// Entity kinds, the last byte of an EntityID (9.3.1.2).
const (
	KindWriterWithKey byte = 0x02
	KindWriterNoKey   byte = 0x03
	KindReaderNoKey   byte = 0x04
	KindReaderWithKey byte = 0x07
)

// IsWriter reports whether the identifier names a writer, built in or not.
func (e EntityID) IsWriter() bool {
	k := e[3] & 0x3f
	return k == KindWriterWithKey || k == KindWriterNoKey
}

// IsReader reports whether the identifier names a reader, built in or not.
func (e EntityID) IsReader() bool {
	k := e[3] & 0x3f
	return k == KindReaderNoKey || k == KindReaderWithKey
}

// Identifiers of the built-in entities (9.3.1.3).
var (
	EntityUnknown     = EntityID{}
	EntityParticipant = EntityID{0, 0, 1, 0xc1}
	SPDPWriter        = EntityID{0, 1, 0, 0xc2}
	SPDPReader        = EntityID{0, 1, 0, 0xc7}
	SEDPPubWriter     = EntityID{0, 0, 3, 0xc2}
	SEDPPubReader     = EntityID{0, 0, 3, 0xc7}
	SEDPSubWriter     = EntityID{0, 0, 4, 0xc2}
	SEDPSubReader     = EntityID{0, 0, 4, 0xc7}
	MessageWriter     = EntityID{0, 2, 0, 0xc2} // BuiltinParticipantMessageWriter
	MessageReader     = EntityID{0, 2, 0, 0xc7}
)

// Bits of ParticipantData.Builtin: the built-in endpoints a participant has.
const (
	HasSPDPWriter    uint32 = 1 << 0
	HasSPDPReader    uint32 = 1 << 1
	HasSEDPPubWriter uint32 = 1 << 2
	HasSEDPPubReader uint32 = 1 << 3
	HasSEDPSubWriter uint32 = 1 << 4
	HasSEDPSubReader uint32 = 1 << 5
	HasMessageWriter uint32 = 1 << 10
	HasMessageReader uint32 = 1 << 11
)

// Time counts seconds since 1970 (high 32 bits) and fractions of 2⁻³² s.
type Time uint64

// TimeInvalid is the time of a sample whose source gave none.
const TimeInvalid Time = 1<<64 - 1

// TimeOf converts t, to the nanosecond.
func TimeOf(t time.Time) Time {
	ns := uint64(t.Nanosecond())
	// rounded up, so that converting back truncates to the same nanosecond
	return Time(uint64(uint32(t.Unix()))<<32 | (ns<<32+999_999_999)/1_000_000_000)
}

// Time converts t; the zero time.Time stands for TimeInvalid.
func (t Time) Time() time.Time {
	if t == TimeInvalid {
		return time.Time{}
	}
	return time.Unix(int64(t>>32), int64(uint64(uint32(t))*1_000_000_000>>32))
}

// Forever is the infinite Duration of the specification.
const Forever = time.Duration(1<<63 - 1)

// LocatorUDPv4 is the kind of the only locators that are used.
const LocatorUDPv4 int32 = 1

// Locator is a network address.
type Locator struct {
	Kind    int32
	Port    uint32
	Address [16]byte
}

// LocatorOf returns the locator of an IPv4 address and port.
func LocatorOf(a netip.AddrPort) Locator {
	l := Locator{Kind: LocatorUDPv4, Port: uint32(a.Port())}
	v4 := a.Addr().As4()
	copy(l.Address[12:], v4[:])
	return l
}

// AddrPort returns the address of a UDPv4 locator; false for any other locator
// and for addresses that nothing can be sent to.
func (l Locator) AddrPort() (netip.AddrPort, bool) {
	if l.Kind != LocatorUDPv4 || l.Port == 0 || l.Port > 65535 {
		return netip.AddrPort{}, false
	}
	a := netip.AddrFrom4([4]byte(l.Address[12:]))
	return netip.AddrPortFrom(a, uint16(l.Port)), !a.IsUnspecified()
}

// Version is a protocol version: major, minor.
type Version [2]byte

// Vendor is a vendor identifier given out by the OMG.
type Vendor [2]byte

// What this implementation says of itself. It has no vendor identifier of its
// own and says so, as 8.3.3.1 provides.
var (
	ThisVersion   = Version{2, 3}
	VendorUnknown = Vendor{0, 0}
	VendorFastDDS = Vendor{1, 15}
	VendorCyclone = Vendor{1, 16}
	VendorRustDDS = Vendor{1, 18}
)
