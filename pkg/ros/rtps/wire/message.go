package wire

import (
	"errors"
	"io"
)

// HeaderSize is the length of a message header in bytes.
const HeaderSize = 20

// Header starts every message (8.3.6).
type Header struct {
	Version Version
	Vendor  Vendor
	Prefix  Prefix // participant that sends
}

// Submessage kinds (9.4.5).
const (
	KindPad             byte = 0x01
	KindAckNack         byte = 0x06
	KindHeartbeat       byte = 0x07
	KindGap             byte = 0x08
	KindInfoTimestamp   byte = 0x09
	KindInfoSource      byte = 0x0c
	KindInfoReplyIP4    byte = 0x0d
	KindInfoDestination byte = 0x0e
	KindInfoReply       byte = 0x0f
	KindNackFrag        byte = 0x12
	KindHeartbeatFrag   byte = 0x13
	KindData            byte = 0x15
	KindDataFrag        byte = 0x16
)

// flagLittleEndian is bit 0 of the flags of every submessage.
const flagLittleEndian byte = 0x01

var (
	errNotRTPS = errors.New("rtps: not an RTPS message")
	errVersion = errors.New("rtps: protocol version is not 2.x")
	errLength  = errors.New("rtps: submessage longer than its message")
)

// Submessage is one part of a message, its body unread.
type Submessage struct {
	Kind, Flags byte
	Body        []byte
}

func (s Submessage) cursor() cursor {
	return cursor{b: s.Body, big: s.Flags&flagLittleEndian == 0}
}

// Scanner walks through the submessages of a message.
type Scanner struct{ rest []byte }

// Open reads the header of a message.
func Open(message []byte) (Header, Scanner, error) {
	if len(message) < HeaderSize || string(message[:4]) != "RTPS" {
		return Header{}, Scanner{}, errNotRTPS
	}
	h := Header{
		Version: Version(message[4:6]),
		Vendor:  Vendor(message[6:8]),
		Prefix:  Prefix(message[8:20]),
	}
	if h.Version[0] != 2 {
		return h, Scanner{}, errVersion
	}
	return h, Scanner{message[HeaderSize:]}, nil
}

// Next returns the next submessage, io.EOF after the last one.
func (s *Scanner) Next() (Submessage, error) {
	if len(s.rest) == 0 {
		return Submessage{}, io.EOF
	}
	if len(s.rest) < 4 {
		return Submessage{}, errShort
	}
	m := Submessage{Kind: s.rest[0], Flags: s.rest[1]}
	head := cursor{b: s.rest[2:4], big: m.Flags&flagLittleEndian == 0}
	n, body := int(head.u16()), s.rest[4:]
	// 8.3.3.2.3: zero means "to the end", save for kinds that may be empty
	if n == 0 && m.Kind != KindPad && m.Kind != KindInfoTimestamp {
		n = len(body)
	}
	if n > len(body) {
		return Submessage{}, errLength
	}
	m.Body, s.rest = body[:n:n], body[n:]
	return m, nil
}

// Header appends a message header.
func (b *Builder) Header(h Header) {
	b.Bytes = append(b.Bytes, 'R', 'T', 'P', 'S', h.Version[0], h.Version[1], h.Vendor[0], h.Vendor[1])
	b.Bytes = append(b.Bytes, h.Prefix[:]...)
}
