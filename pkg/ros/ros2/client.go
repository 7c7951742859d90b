package ros2

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/cdr"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// maxCalls is how many calls of one client may wait for their replies.
const maxCalls = 1024

// Client calls a service of another node, or of this one.
type Client struct {
	name     string
	kind     *msgs.Service
	mapping  func(server rtps.Vendor) Mapping
	writer   *rtps.Writer
	reader   *rtps.Reader
	warnings *warnings

	mu      sync.Mutex                  // held by take, too, so that both halves are there
	last    int64                       // sequence number of the last request, which counts all
	waiting map[int64]chan msgs.Message // by sequence number of the request
}

// usualMapping is that of the vendor's implementation of ROS 2.
func usualMapping(server rtps.Vendor) Mapping {
	if server == rtps.VendorCyclone {
		return Cyclone
	}
	return Enhanced
}

// detachedForm is the index of the basic form whose message is aligned with itself; the
// other forms have the number of their mapping. See rtps.WriterOptions.Variant.
const detachedForm = 1 + int(Basic)

func (c *Client) requestForm(server rtps.Endpoint) int {
	m := c.mapping(server.Vendor)
	if m == Basic && isDetached(server.Vendor) {
		return detachedForm
	}
	return int(m)
}

// NewClient makes a client of a service, which need not exist yet. Each server is spoken to
// in the mapping of its vendor.
func (t *Transport) NewClient(name string, kind *msgs.Service) (*Client, error) {
	return t.newClient(name, kind, usualMapping)
}

// NewMappedClient makes a client that speaks one mapping to all servers: for those on
// Connext or ros2-client, which can be switched to any and do not tell.
func (t *Transport) NewMappedClient(name string, kind *msgs.Service, m Mapping) (*Client, error) {
	return t.newClient(name, kind, func(rtps.Vendor) Mapping { return m })
}

func (t *Transport) newClient(name string, kind *msgs.Service, m func(rtps.Vendor) Mapping) (*Client, error) {
	requests, replies, err := mangleService(name)
	if err != nil {
		return nil, err
	}
	c := &Client{name: name, kind: kind, mapping: m, warnings: t.warnings, waiting: map[int64]chan msgs.Message{}}
	id := clientID + pairID(t.participant)
	c.mu.Lock() // replies to others can be there before both halves are
	defer c.mu.Unlock()
	err = t.opening(ros.Topic{Name: name, Type: kind.Response}, func() (made []rtps.GUID, err error) {
		c.reader, err = t.participant.NewReader(rtps.ReaderOptions{
			Topic: replies, Type: kind.Response.DDSName, QoS: serviceQoS, UserData: serviceData(kind.Response.Hash, id),
			Receive: c.take,
		})
		if err != nil {
			return nil, err
		}
		return []rtps.GUID{c.reader.GUID()}, nil
	})
	if err == nil {
		err = t.opening(ros.Topic{Name: name, Type: kind.Request}, func() (made []rtps.GUID, err error) {
			c.writer, err = t.participant.NewWriter(rtps.WriterOptions{
				Topic: requests, Type: kind.Request.DDSName, QoS: serviceQoS, UserData: serviceData(kind.Request.Hash, id),
				Variant: c.requestForm,
			})
			if err != nil {
				return nil, err
			}
			return []rtps.GUID{c.writer.GUID()}, nil
		})
	}
	if err == nil {
		t.keep(c.writer)
		t.keep(c.reader)
		err = t.graph.addPair(t.node, c.writer.GUID(), c.reader.GUID())
	}
	if err != nil {
		return nil, fmt.Errorf("ROS 2: client of %s: %w", name, err)
	}
	return c, nil
}

// Ready reports whether a server is there that knows of both halves of this client, so that
// neither request nor reply is lost for being early. A call before that may end by its
// context alone, as in every ROS 2.
func (c *Client) Ready() bool {
	requests, replies := c.writer.Ready(), c.reader.Ready()
	for _, server := range requests {
		if slices.Contains(replies, server) {
			return true
		}
	}
	return false
}

// Call sends a request and waits for the response. Calls may be made at the same
// time from several goroutines. A server that does not answer ends a call by the
// context alone, as nothing in ROS 2 tells of its end.
func (c *Client) Call(ctx context.Context, request msgs.Message) (msgs.Message, error) {
	return c.Send(request)(ctx)
}

// Send sends a request without waiting for the response. The function that it returns waits
// for that, as Call does, and is to be called.
func (c *Client) Send(request msgs.Message) func(context.Context) (msgs.Message, error) {
	answer, n, err := c.send(request)
	return func(ctx context.Context) (msgs.Message, error) {
		if err == nil {
			defer c.forget(n)
			select {
			case response := <-answer:
				return response, nil
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		return nil, fmt.Errorf("ROS 2: calling %s: %w", c.name, err)
	}
}

// send sends a request in the forms for all servers.
func (c *Client) send(request msgs.Message) (answer chan msgs.Message, n int64, err error) {
	m, ok := request.(bodied)
	if !ok || request.Type() != c.kind.Request {
		return nil, 0, fmt.Errorf("%T is no request of %s", request, c.kind.Name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) >= maxCalls {
		return nil, 0, fmt.Errorf("%d calls wait for their replies already", maxCalls)
	}
	n, err = c.writer.WriteNumbered(rtps.WriteOptions{
		Related: rtps.SampleIdentity{Writer: c.reader.GUID(), Sequence: rtps.SequenceUnknown},
	}, requestForms(m, rtps.SampleIdentity{Writer: c.writer.GUID(), Sequence: c.last + 1})...)
	if err != nil {
		return nil, 0, err
	}
	c.last = n
	answer = make(chan msgs.Message, 1)
	c.waiting[n] = answer
	return answer, n, nil
}

func (c *Client) forget(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, n)
}

// take hands a reply to the call that waits for it. Replies to others, and later
// ones of a second server, are nobody's.
func (c *Client) take(s rtps.Sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, body, ok := c.replyTo(s)
	if !ok {
		return
	}
	m := c.kind.Response.New().(bodied)
	m.ReadCDR(&body)
	if err := body.Finish(c.kind.Response.ROS2Name); err != nil {
		c.warnings.add(warning{"reply dropped: it is not of the service's type", c.name}, zap.Error(err), zap.Stringer("writer", s.Writer))
		return
	}
	if answer := c.waiting[n]; answer != nil {
		answer <- m
		delete(c.waiting, n)
	}
}

// replyTo tells which request of this client a sample is the reply to, and reads it as far
// as its message; false when it is to somebody else.
func (c *Client) replyTo(s rtps.Sample) (n int64, body cdr.Reader, mine bool) {
	r := cdr.NewReader(s.Payload)
	switch c.mapping(s.Vendor) {
	case Cyclone:
		client, n := r.Uint64(), r.Int64()
		return n, r, r.Err() == nil && client == binary.LittleEndian.Uint64(lastHalf(c.writer.GUID()))
	case Basic:
		id := readIdentity(&r)
		r.Uint32() // code of an exception
		mine = r.Err() == nil && id.Writer == c.writer.GUID()
		if mine && isDetached(s.Vendor) {
			r = detached(s.Payload, basicReplyBytes)
		}
		return id.Sequence, r, mine
	}
	to := s.Related.Writer
	return s.Related.Sequence, r, to == c.reader.GUID() || to == c.writer.GUID()
}

// Close ends the client; calls that wait get no response.
func (c *Client) Close() error { return errors.Join(c.writer.Close(), c.reader.Close()) }
