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

// maxCalls bounds the calls of one client that wait for responses.
const maxCalls = 1024

// Client calls a service of another node, or of this one. It is safe for concurrent use.
type Client struct {
	name     string
	kind     *msgs.Service
	mapping  func(server rtps.Vendor) Mapping
	writer   *rtps.Writer
	reader   *rtps.Reader
	warnings *warnings

	mu      sync.Mutex                  // also held by take, which needs both endpoints
	last    int64                       // sequence number of the last request, which counts all
	waiting map[int64]chan msgs.Message // by sequence number of the request
}

// usualMapping returns the mapping of the vendor's implementation of ROS 2.
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

// NewClient makes a client of a service, which need not exist yet. Requests to each server have the
// mapping of its vendor.
func (t *Transport) NewClient(name string, kind *msgs.Service) (*Client, error) {
	return t.newClient(name, kind, usualMapping)
}

// NewMappedClient makes a client that uses one mapping for all servers. It is for servers on
// Connext or ros2-client, which support several mappings and do not announce theirs.
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
	c.mu.Lock() // replies to other clients may arrive before both endpoints exist
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

// Ready reports whether a server has discovered both endpoints of this client, so that neither a
// request nor its reply is lost. A call before that may end only by its context, as in every ROS 2.
func (c *Client) Ready() bool {
	requests, replies := c.writer.Ready(), c.reader.Ready()
	for _, server := range requests {
		if slices.Contains(replies, server) {
			return true
		}
	}
	return false
}

// Call sends a request and waits for the response. If the server does not answer, Call returns when
// ctx ends, because ROS 2 does not announce the end of a server.
func (c *Client) Call(ctx context.Context, request msgs.Message) (msgs.Message, error) {
	return c.Send(request)(ctx)
}

// Send sends a request and returns a function that waits for the response, as Call does. The caller
// must call the function.
func (c *Client) Send(request msgs.Message) func(context.Context) (msgs.Message, error) {
	answer, n, err := c.send(request)
	return func(ctx context.Context) (msgs.Message, error) {
		if err == nil {
			defer c.dropCall(n)
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

func (c *Client) dropCall(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, n)
}

// take passes a reply to the call that waits for it. It drops replies to other clients and further
// replies of a second server.
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

// replyTo returns the sequence number of the request of this client that a sample replies to, and a
// reader at the beginning of its message. mine is false for a reply to another client.
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

// Close closes the client. Calls that wait get no response.
func (c *Client) Close() error { return errors.Join(c.writer.Close(), c.reader.Close()) }
