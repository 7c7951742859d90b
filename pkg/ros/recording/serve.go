package recording

import (
	"fmt"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
)

// Serve offers the services ~start_recording and ~stop_recording and the topic ~recording_state on
// transports. resolve makes private names absolute.
func (c *Control) Serve(transports []ros.Transport, resolve func(string) (string, error)) error {
	topic, err := resolve("~recording_state")
	if err != nil {
		return err
	}
	var to []ros.Publisher
	for _, t := range transports {
		p, err := t.Advertise(ros.Topic{Name: topic, Type: sinew_msgs.RecordingStateType, Latched: true})
		if err != nil {
			return fmt.Errorf("cannot publish %s: %w", topic, err)
		}
		to = append(to, p)
	}
	for _, s := range []struct {
		name string
		do   func() (string, error)
	}{{"~start_recording", c.start}, {"~stop_recording", c.stop}} {
		name, err := resolve(s.name)
		if err != nil {
			return err
		}
		for _, t := range transports {
			if err := ros.OpenService(t, name, std_srvs.Trigger, c.handler(s.do)); err != nil {
				return err
			}
		}
	}
	c.publishing.Go(func() { c.publish(to) })
	return nil
}

// handler returns a handler that queues a request after all earlier ones.
func (c *Control) handler(do func() (string, error)) ros.Handler {
	return func(msgs.Message) func() msgs.Message {
		answer := make(chan msgs.Message, 1)
		select {
		case c.requests <- func() { answer <- response(do()) }:
		default:
			answer <- response("", fmt.Errorf("refused: %d requests wait already", maxRequests))
		}
		return func() msgs.Message {
			select {
			case a := <-answer:
				return a
			case <-c.quit:
			}
			select {
			case a := <-answer: // it had been executed
				return a
			default:
				return response("", fmt.Errorf("the node ends"))
			}
		}
	}
}

// response returns the response to a request that succeeded or, with an error, failed.
func response(text string, err error) msgs.Message {
	if err != nil {
		text = err.Error()
	}
	return &std_srvs.TriggerResponse{Success: err == nil, Message: text}
}
