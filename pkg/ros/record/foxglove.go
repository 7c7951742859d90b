package record

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"sinew/msgs"
	"sinew/msgs/foxglove_msgs"
	"sinew/msgs/geometry_msgs"
)

// foxgloveTypes are the types of Foxglove's own schemas that are read from protobuf and JSON, by the names of their schemas.
var foxgloveTypes = map[string]*msgs.Type{"foxglove.PoseInFrame": foxglove_msgs.PoseInFrameType}

var errProtobuf = errors.New("no message of foxglove.PoseInFrame in protobuf")

// parseFoxglove parses a message of one of foxgloveTypes.
func parseFoxglove(m msgs.Message, e encoding, data []byte) error {
	p, ok := m.(*foxglove_msgs.PoseInFrame)
	switch {
	case !ok:
		return fmt.Errorf("no encoding of Foxglove is known for %s", m.Type().Name)
	case e == encodingJSON:
		return poseFromJSON(p, data)
	}
	return protobuf(data, func(field int, v protobufValue) error {
		switch field {
		case 1: // timestamp
			var s, ns int64
			err := protobuf(v.bytes, func(field int, v protobufValue) error {
				switch field {
				case 1:
					s = int64(v.number)
				case 2:
					ns = int64(v.number)
				}
				return nil
			})
			p.Timestamp = msgs.At(time.Duration(s)*time.Second + time.Duration(ns))
			return err
		case 2:
			p.FrameID = string(v.bytes)
		case 3:
			return protobuf(v.bytes, func(field int, v protobufValue) error {
				q := &p.Pose.Orientation
				at := &p.Pose.Position
				switch field {
				case 1:
					return doubles(v.bytes, &at.X, &at.Y, &at.Z)
				case 2:
					return doubles(v.bytes, &q.X, &q.Y, &q.Z, &q.W)
				}
				return nil
			})
		}
		return nil
	})
}

// jsonNumber is a number in JSON. Null, which JavaScript writes for NaN and which package json reads
// as 0, is NaN; a field that is left out is 0, as in protobuf.
type jsonNumber float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *jsonNumber) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = jsonNumber(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// poseFromJSON parses the JSON of Foxglove.
func poseFromJSON(p *foxglove_msgs.PoseInFrame, data []byte) error {
	var v struct {
		Timestamp struct{ Sec, Nsec int64 }
		FrameID   string `json:"frame_id"`
		Pose      *struct {
			Position    struct{ X, Y, Z jsonNumber }
			Orientation struct{ X, Y, Z, W jsonNumber }
		}
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if v.Pose == nil {
		return errors.New("a foxglove.PoseInFrame without a pose")
	}
	p.Timestamp, p.FrameID = msgs.At(time.Duration(v.Timestamp.Sec)*time.Second+time.Duration(v.Timestamp.Nsec)), v.FrameID
	at, q := v.Pose.Position, v.Pose.Orientation
	p.Pose = geometry_msgs.Pose{
		Position:    geometry_msgs.Point{X: float64(at.X), Y: float64(at.Y), Z: float64(at.Z)},
		Orientation: geometry_msgs.Quaternion{X: float64(q.X), Y: float64(q.Y), Z: float64(q.Z), W: float64(q.W)},
	}
	return nil
}

// protobufValue is a field of a message in protobuf: a number, or the bytes of a message or a text.
type protobufValue struct {
	number uint64
	bytes  []byte
}

// protobuf visits the fields of a message.
func protobuf(b []byte, visit func(field int, v protobufValue) error) error {
	const number, fixed64, bytes, fixed32 = 0, 1, 2, 5 // wire types
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errProtobuf
		}
		c := cursor{b: b[n:]}
		var v protobufValue
		switch key & 7 {
		case number:
			v.number = c.uvarint()
		case fixed64:
			v.number = c.u64()
		case bytes:
			v.bytes = c.take(c.uvarint())
		case fixed32:
			v.number = uint64(c.u32())
		default:
			return errProtobuf
		}
		if c.short {
			return errProtobuf
		}
		if err := visit(int(key>>3), v); err != nil {
			return err
		}
		b = c.b
	}
	return nil
}

// uvarint reads a number of variable length.
func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.short = true
		return 0
	}
	c.take(uint64(n))
	return v
}

// doubles reads a message whose fields are doubles, from 1 on; those that are 0 are not in it.
func doubles(b []byte, to ...*float64) error {
	return protobuf(b, func(field int, v protobufValue) error {
		if field >= 1 && field <= len(to) {
			*to[field-1] = math.Float64frombits(v.number)
		}
		return nil
	})
}
