package ros2

import (
	"bytes"
	"errors"
	"fmt"

	"sinew/msgs"
	"sinew/msgs/cdr"
	"sinew/pkg/ros/rtps"
)

// Mapping is how a request and its reply say on the wire that they belong
// together. Implementations of ROS 2 differ in that.
type Mapping uint8

const (
	// Enhanced is that of Fast DDS and Connext, the enhanced profile of DDS-RPC: the
	// reply has the identity of the request in its in-line QoS.
	Enhanced Mapping = iota
	// Cyclone is that of Cyclone DDS: before the message, in both, stand eight bytes
	// of the client and a number of eight bytes.
	Cyclone
	// Basic is the basic profile of DDS-RPC, which Connext can be switched to: before
	// the message, in both, stand the identity of the request and, in a request, the
	// name of an instance, in a reply, the code of an exception.
	Basic
)

// Lengths of headers in bytes; that of a request in the basic profile is with an empty name.
const (
	cycloneHeaderBytes = 8 + 8
	basicHeaderBytes   = 16 + 8 + 4 + 1
	basicReplyBytes    = 16 + 8 + 4
)

// isDetached reports whether alignment begins anew behind the header of the basic
// profile, as ros2-client has it.
func isDetached(v rtps.Vendor) bool { return v == rtps.VendorRustDDS }

// detached reads a message that is aligned with itself, behind a header of so many bytes.
func detached(payload []byte, header int) cdr.Reader {
	return cdr.NewReader(append(payload[:cdr.HeaderSize:cdr.HeaderSize], payload[cdr.HeaderSize+header:]...))
}

// call is what the reply to one request needs.
type call struct {
	mapping  Mapping
	related  rtps.SampleIdentity
	client   uint64    // of the header of Cyclone, whose number is related.Sequence
	detached bool      // alignment begins anew behind the header of the basic profile
	to       rtps.GUID // the reader or participant that gets the reply
}

// bodied is a message as generated: it can be a part of a sample.
type bodied interface {
	msgs.Message
	ReadCDR(*cdr.Reader)
	WriteCDR(*cdr.Writer)
}

var errShortRequest = errors.New("shorter than the header of its mapping")

// parseRequest reads a request and finds out its mapping: from the vendor, and
// where that does not tell, as with ros2-client, which speaks all of them, from a
// header that names the sender.
func parseRequest(t *msgs.Type, s rtps.Sample) (call, bodied, error) {
	m := t.New().(bodied)
	c := call{to: rtps.GUID{Prefix: s.Writer.Prefix}}
	body := s.Payload[min(cdr.HeaderSize, len(s.Payload)):]
	switch {
	case s.Vendor == rtps.VendorCyclone:
		return c, m, c.parseCyclone(m, s.Payload)
	case len(body) >= basicHeaderBytes && bytes.HasPrefix(body, s.Writer.Prefix[:]):
		c.detached = isDetached(s.Vendor)
		return c, m, c.parseBasic(m, s.Payload)
	case len(body) >= cycloneHeaderBytes && bytes.HasPrefix(body, lastHalf(s.Writer)):
		return c, m, c.parseCyclone(m, s.Payload)
	}
	c.related = rtps.SampleIdentity{Writer: s.Writer, Sequence: s.Sequence}
	// Fast DDS names the reader of its replies; only the sender's own may be named
	if reader := s.Related.Writer; reader.Prefix == s.Writer.Prefix {
		c.related.Writer = reader
		if reader.Entity.IsReader() {
			c.to = reader
		}
	}
	err := m.ParseCDR(s.Payload)
	if err != nil && len(body) >= cycloneHeaderBytes {
		// Connext can be switched to the header of Cyclone
		other := call{to: rtps.GUID{Prefix: s.Writer.Prefix}}
		if n := t.New().(bodied); other.parseCyclone(n, s.Payload) == nil {
			return other, n, nil
		}
	}
	return c, m, err
}

// lastHalf is what Rust programs put into the header of Cyclone for a client.
func lastHalf(g rtps.GUID) []byte {
	return append(append(make([]byte, 0, 8), g.Prefix[8:]...), g.Entity[:]...)
}

// parseCyclone reads a message behind the header of Cyclone, whose length leaves
// the alignment as it is.
func (c *call) parseCyclone(m bodied, payload []byte) error {
	c.mapping = Cyclone
	if len(payload) < cdr.HeaderSize+cycloneHeaderBytes {
		return errShortRequest
	}
	r := cdr.NewReader(payload)
	c.client, c.related.Sequence = r.Uint64(), r.Int64()
	m.ReadCDR(&r)
	return r.Finish(m.Type().ROS2Name)
}

// parseBasic reads a message behind the header of the basic profile.
func (c *call) parseBasic(m bodied, payload []byte) error {
	c.mapping = Basic
	r := cdr.NewReader(payload)
	c.related = readIdentity(&r)
	instance := r.String()
	if c.detached {
		header := basicHeaderBytes + len(instance)
		if r.Err() != nil || cdr.HeaderSize+header > len(payload) {
			return errShortRequest
		}
		r = detached(payload, header)
	}
	m.ReadCDR(&r)
	// what is left is padding: the header has said whose request it is
	if err := r.Err(); err != nil {
		return fmt.Errorf("%s: %w", m.Type().ROS2Name, err)
	}
	return nil
}

func readIdentity(r *cdr.Reader) (id rtps.SampleIdentity) {
	r.Uint8s(id.Writer.Prefix[:])
	r.Uint8s(id.Writer.Entity[:])
	high := r.Int32()
	id.Sequence = int64(high)<<32 | int64(r.Uint32())
	return id
}

func writeIdentity(w *cdr.Writer, id rtps.SampleIdentity) {
	w.Uint8s(id.Writer.Prefix[:])
	w.Uint8s(id.Writer.Entity[:])
	w.Int32(int32(id.Sequence >> 32))
	w.Uint32(uint32(id.Sequence))
}

// requestForms are the forms of a request, by mapping, and the basic one for ros2-client.
func requestForms(m bodied, id rtps.SampleIdentity) [][]byte {
	plain := m.AppendCDR(nil)
	cyclone, basic, alone := cdr.NewWriter(nil), cdr.NewWriter(nil), cdr.NewWriter(nil)
	cyclone.Uint8s(lastHalf(id.Writer))
	cyclone.Int64(id.Sequence)
	m.WriteCDR(&cyclone)
	for _, w := range [...]*cdr.Writer{&basic, &alone} {
		writeIdentity(w, id)
		w.String("") // name of an instance
	}
	m.WriteCDR(&basic)
	return [][]byte{
		Enhanced: plain, Cyclone: cyclone.Bytes(), Basic: basic.Bytes(),
		detachedForm: append(alone.Bytes(), plain[cdr.HeaderSize:]...),
	}
}

// reply gives a response the form that the client understands.
func (c *call) reply(m bodied) (rtps.WriteOptions, []byte) {
	o := rtps.WriteOptions{To: c.to}
	if c.mapping == Enhanced {
		o.Related = c.related
		return o, m.AppendCDR(nil)
	}
	w := cdr.NewWriter(nil)
	if c.mapping == Cyclone {
		w.Uint64(c.client)
		w.Int64(c.related.Sequence)
	} else {
		writeIdentity(&w, c.related)
		w.Uint32(0) // no exception
		if c.detached {
			return o, append(w.Bytes(), m.AppendCDR(nil)[cdr.HeaderSize:]...)
		}
	}
	m.WriteCDR(&w)
	return o, w.Bytes()
}
