package record

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/msgs/catalog"
)

// channelTable holds the channels of a file by their number in it.
type channelTable struct {
	channels map[uint32]*channel
	order    []*channel
}

// remappedFrom is the key, in the metadata of a channel of an .mcap and in the connection header of a .bag, of the name
// that a topic has in the node before remapping.
const remappedFrom = "remapped_from"

// channel describes the messages of one publisher on one topic.
type channel struct {
	topic    string
	original string     // its name before remapping; empty if it is topic
	typeName string     // name as ROS 1 writes it
	typ      *msgs.Type // nil if it cannot be read
	encoding encoding   // of its messages
	wanted   bool

	messages    int
	first, last time.Duration
}

// add adds a channel, if its number is new, and reports whether it is. typ is that of catalog, or
// nil.
func (t *channelTable) add(id uint32, c channel) (bool, error) {
	switch {
	case t.channels[id] != nil:
		return false, nil
	case len(t.channels) == maxChannels:
		return false, fmt.Errorf("more than %d channels", maxChannels)
	case len(c.topic) > maxName || len(c.original) > maxName || len(c.typeName) > maxName:
		return false, fmt.Errorf("a name of more than %d bytes", maxName)
	}
	if t.channels == nil {
		t.channels = make(map[uint32]*channel)
	}
	// a substring would keep all of its record
	c.topic, c.original, c.typeName = strings.Clone(c.topic), strings.Clone(c.original), strings.Clone(c.typeName)
	t.channels[id] = &c
	t.order = append(t.order, &c)
	return true, nil
}

// knownType returns the type with a name of either ROS version, nil if it is unknown.
func knownType(name string) *msgs.Type { return catalog.Find(ros1Name(name)) }

// ros1Name returns the name of a type in the form of ROS 1.
func ros1Name(name string) string { return strings.Replace(name, "/msg/", "/", 1) }

// parse decodes a message of the channel.
func (c *channel) parse(at time.Duration, data []byte) (Message, error) {
	m := c.typ.New()
	var err error
	switch c.encoding {
	case encodingCDR:
		err = m.ParseCDR(data)
	case encodingJSON, encodingProtobuf:
		err = parseFoxglove(m, c.encoding, data)
	case encodingROS1:
		err = m.ParseROS1(data)
	}
	if err != nil {
		return Message{}, fmt.Errorf("%s at %v since 1970: %w", c.topic, at, err)
	}
	return Message{Topic: c.topic, Type: c.typ, Time: at, Message: m}, nil
}

// encoding is how messages are serialised.
type encoding uint8

// The encodings.
const (
	encodingROS1 encoding = iota
	encodingCDR
	encodingJSON     // of Foxglove
	encodingProtobuf // of Foxglove
)

// count counts a message and its time.
func (c *channel) count(at time.Duration) {
	if c.messages == 0 || at < c.first {
		c.first = at
	}
	if c.messages == 0 || at > c.last {
		c.last = at
	}
	c.messages++
}

var errNoChannel = errors.New("a message of a channel that was not described before")
