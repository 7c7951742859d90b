package ros2

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
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
	writer   *rtps.Writer
	reader   *rtps.Reader
	warnings *warnings

	mu      sync.Mutex
	last    int64                       // sequence number of the last request, which counts all
	waiting map[int64]chan msgs.Message // by sequence number of the request
}

// Forms of a request, by index; see rtps.WriterOptions.Variant.
const (
	plainForm = iota
	cycloneForm
)

func requestForm(server rtps.Endpoint) int {
	if server.Vendor == rtps.VendorCyclone {
		return cycloneForm
	}
	return plainForm
}

// NewClient makes a client of a service, which need not exist yet.
func (t *Transport) NewClient(name string, kind *msgs.Service) (*Client, error) {
	requests, replies, err := mangleService(name)
	if err != nil {
		return nil, err
	}
	c := &Client{name: name, kind: kind, warnings: t.warnings, waiting: map[int64]chan msgs.Message{}}
	id := clientID + pairID(t.participant)
	err = t.monitor.opening(ros.Topic{Name: name, Type: kind.Response}, func() (made []rtps.GUID, err error) {
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
		err = t.monitor.opening(ros.Topic{Name: name, Type: kind.Request}, func() (made []rtps.GUID, err error) {
			c.writer, err = t.participant.NewWriter(rtps.WriterOptions{
				Topic: requests, Type: kind.Request.DDSName, QoS: serviceQoS, UserData: serviceData(kind.Request.Hash, id),
				Variant: requestForm,
			})
			if err != nil {
				return nil, err
			}
			return []rtps.GUID{c.writer.GUID()}, nil
		})
	}
	if err == nil {
		err = t.graph.addPair(c.writer.GUID(), c.reader.GUID())
	}
	if err != nil {
		return nil, fmt.Errorf("ROS 2: client of %s: %w", name, err)
	}
	return c, nil
}

// Ready reports whether a server is there. It may not know of this client yet: as in every
// ROS 2, a call in the first moments can be lost, and then ends by its context.
func (c *Client) Ready() bool { return c.writer.Matched() > 0 && c.reader.Matched() > 0 }

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
	w := cdr.NewWriter(nil)
	w.Uint8s(lastHalf(c.writer.GUID()))
	w.Int64(c.last + 1)
	m.WriteCDR(&w)
	n, err = c.writer.WriteNumbered(rtps.WriteOptions{
		Related: rtps.SampleIdentity{Writer: c.reader.GUID(), Sequence: rtps.SequenceUnknown},
	}, m.AppendCDR(nil), w.Bytes())
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
	n, payload, ok := c.replyTo(s)
	if !ok {
		return
	}
	m := c.kind.Response.New()
	if err := m.ParseCDR(payload); err != nil {
		c.warnings.add(warning{"reply dropped: it is not of the service's type", c.name}, zap.Error(err), zap.Stringer("writer", s.Writer))
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.waiting[n]; answer != nil {
		answer <- m
		delete(c.waiting, n)
	}
}

// replyTo tells which request of this client a sample is the reply to, and where
// the message is in it.
func (c *Client) replyTo(s rtps.Sample) (n int64, payload []byte, ok bool) {
	if s.Vendor == rtps.VendorCyclone {
		if len(s.Payload) < cdr.HeaderSize+cycloneHeaderBytes {
			return 0, nil, false
		}
		head, body := s.Payload[:cdr.HeaderSize:cdr.HeaderSize], s.Payload[cdr.HeaderSize:]
		r := cdr.NewReader(s.Payload)
		client, n := r.Uint64(), r.Int64()
		own := binary.LittleEndian.Uint64(lastHalf(c.writer.GUID()))
		return n, append(head, body[cycloneHeaderBytes:]...), r.Err() == nil && client == own
	}
	to := s.Related.Writer
	return s.Related.Sequence, s.Payload, to == c.reader.GUID() || to == c.writer.GUID()
}

// Close ends the client; calls that wait get no response.
func (c *Client) Close() error { return errors.Join(c.writer.Close(), c.reader.Close()) }
