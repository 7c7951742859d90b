package ros2

import (
	"bytes"
	"errors"
	"fmt"

	"sinew/msgs"
	"sinew/msgs/cdr"
	"sinew/pkg/ros/rtps"
)

// Mapping is the correlation of a request and its reply on the wire. Implementations of ROS 2 use
// different mappings.
type Mapping uint8

const (
	// Enhanced is the enhanced profile of DDS-RPC, which Fast DDS and Connext use: the in-line QoS
	// of the reply has the identity of the request.
	Enhanced Mapping = iota
	// Cyclone is the mapping of Cyclone DDS: request and reply begin with a header of eight bytes
	// that identify the client and a sequence number of eight bytes.
	Cyclone
	// Basic is the basic profile of DDS-RPC, which Connext can be configured to use: request and
	// reply begin with the identity of the request; then follows the name of an instance in a
	// request, and the code of an exception in a reply.
	Basic
)

// Lengths of headers in bytes. That of a request in the basic profile is for an empty name.
const (
	cycloneHeaderBytes = 8 + 8
	basicHeaderBytes   = 16 + 8 + 4 + 1
	basicReplyBytes    = 16 + 8 + 4
)

// isDetached reports whether alignment restarts after the header of the basic profile, as in
// ros2-client.
func isDetached(v rtps.Vendor) bool { return v == rtps.VendorRustDDS }

// detached returns a reader of a message whose alignment restarts after a header of so many bytes.
func detached(payload []byte, header int) cdr.Reader {
	return cdr.NewReader(append(payload[:cdr.HeaderSize:cdr.HeaderSize], payload[cdr.HeaderSize+header:]...))
}

// call has what is needed for the reply to one request.
type call struct {
	mapping  Mapping
	related  rtps.SampleIdentity
	client   uint64    // client of the header of Cyclone, whose sequence number is related.Sequence
	detached bool      // alignment restarts after the header of the basic profile
	to       rtps.GUID // destination of the reply: a reader or a participant
}

// bodied is a generated message that can be a part of a sample.
type bodied interface {
	msgs.Message
	ReadCDR(*cdr.Reader)
	WriteCDR(*cdr.Writer)
}

var errShortRequest = errors.New("shorter than the header of its mapping")

// parseRequest reads a request and determines its mapping: by the vendor or, for vendors with
// several mappings such as ros2-client, by a header that names the sender.
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
	// Fast DDS names the reader of its replies; only a reader of the sender is accepted
	if reader := s.Related.Writer; reader.Prefix == s.Writer.Prefix {
		c.related.Writer = reader
		if reader.Entity.IsReader() {
			c.to = reader
		}
	}
	err := m.ParseCDR(s.Payload)
	if err != nil && len(body) >= cycloneHeaderBytes {
		// Connext can be configured to use the header of Cyclone
		other := call{to: rtps.GUID{Prefix: s.Writer.Prefix}}
		if n := t.New().(bodied); other.parseCyclone(n, s.Payload) == nil {
			return other, n, nil
		}
	}
	return c, m, err
}

// lastHalf returns the identifier that Rust programs write for a client into the header of Cyclone.
func lastHalf(g rtps.GUID) []byte {
	return append(append(make([]byte, 0, 8), g.Prefix[8:]...), g.Entity[:]...)
}

// parseCyclone reads a message after the header of Cyclone, whose length keeps the alignment.
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

// parseBasic reads a message after the header of the basic profile.
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
	// the rest is padding: the header has identified the sender
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

// requestForms returns the serialised forms of a request, by mapping, and the basic one for
// ros2-client.
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

// reply returns a response in the mapping of the request.
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
