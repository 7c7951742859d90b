package viewer

import (
	"encoding/binary"
	"fmt"
)

// Opcodes of binary messages.
const (
	opMessage = 1 // both ways
	opTime    = 2 // to viewers
	opCall    = 2 // from viewers
	opReply   = 3
	opAsset   = 4
)

// appendMessage appends message data.
func appendMessage(dst []byte, subscription uint32, f frame) []byte {
	dst = append(dst, opMessage)
	dst = binary.LittleEndian.AppendUint32(dst, subscription)
	dst = binary.LittleEndian.AppendUint64(dst, f.stamp)
	return append(dst, f.data...)
}

// appendTime appends the server's time.
func appendTime(dst []byte, now uint64) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, opTime), now)
}

// appendReply appends the response to a call.
func appendReply(dst []byte, c call, data []byte) []byte {
	dst = append(dst, opReply)
	dst = binary.LittleEndian.AppendUint32(dst, c.service)
	dst = binary.LittleEndian.AppendUint32(dst, c.id)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(c.encoding)))
	return append(append(dst, c.encoding...), data...)
}

// appendNoAsset appends the refusal of an asset.
func appendNoAsset(dst []byte, request uint32, why string) []byte {
	dst = append(dst, opAsset)
	dst = binary.LittleEndian.AppendUint32(dst, request)
	dst = append(dst, 1)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(why)))
	return append(dst, why...)
}

// published is a message of a viewer.
type published struct {
	channel uint32 // of the viewer's numbering
	data    []byte
}

// call is a request to a service.
type call struct {
	service, id uint32
	encoding    string
	data        []byte
}

// parseBinary reads what a viewer sends: a published, a call or a PlaybackRequest. Their data are part of b.
func parseBinary(b []byte) (any, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("an empty binary message")
	}
	op, rest := b[0], b[1:]
	switch op {
	case opMessage:
		if len(rest) < 4 {
			return nil, fmt.Errorf("message data of %d bytes; at least 5", len(b))
		}
		return published{binary.LittleEndian.Uint32(rest), rest[4:]}, nil
	case opControl:
		return parseControl(rest)
	case opCall:
		if len(rest) < 12 {
			return nil, fmt.Errorf("a service call of %d bytes; at least 13", len(b))
		}
		n := binary.LittleEndian.Uint32(rest[8:])
		c := call{service: binary.LittleEndian.Uint32(rest), id: binary.LittleEndian.Uint32(rest[4:])}
		rest = rest[12:]
		if uint64(n) > uint64(len(rest)) {
			return nil, fmt.Errorf("a service call with an encoding of %d bytes, of which %d are there", n, len(rest))
		}
		c.encoding, c.data = string(rest[:n]), rest[n:]
		return c, nil
	}
	return nil, fmt.Errorf("a binary message with the opcode %d; allowed: %d, %d", op, opMessage, opCall)
}
