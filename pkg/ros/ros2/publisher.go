package ros2

import (
	"errors"

	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// publisher sends the messages of one topic.
type publisher struct {
	topic    ros.Topic
	writer   *rtps.Writer
	warnings *warnings
}

// open makes the writer on the participant.
func (p *publisher) open(participant *rtps.Participant, name string) (made []rtps.GUID, err error) {
	p.writer, err = participant.NewWriter(rtps.WriterOptions{
		Topic: name, Type: p.topic.Type.DDSName, QoS: offered(p.topic), UserData: endpointData(p.topic.Type.Hash),
	})
	if err != nil {
		return nil, err
	}
	return []rtps.GUID{p.writer.GUID()}, nil
}

// Publish implements ros.Publisher.
func (p *publisher) Publish(s *ros.Sample) {
	if !p.topic.Latched && !p.HasSubscribers() {
		return // spares the encoding
	}
	if err := p.writer.Write(s.CDR()); err != nil && !errors.Is(err, rtps.ErrClosed) {
		p.warnings.add(warning{"message not sent", p.topic.Name}, zap.Error(err))
	}
}

// HasSubscribers implements ros.Publisher.
func (p *publisher) HasSubscribers() bool { return p.writer.Matched() > 0 }

// IsDiscovered reports whether the publisher has subscribers, and all of them have discovered it: they
// receive what it sends from now on.
func (p *publisher) IsDiscovered() bool {
	n := p.writer.Matched()
	return n > 0 && len(p.writer.Ready()) >= n
}
