package ros2

import (
	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// publisher sends the messages of one topic.
type publisher struct {
	topic  ros.Topic
	writer *rtps.Writer
	quiet  *quiet
}

// Publish implements ros.Publisher.
func (p *publisher) Publish(s *ros.Sample) {
	if !p.topic.Latched && !p.Wanted() {
		return // spares the encoding
	}
	if err := p.writer.Write(s.CDR()); err != nil && err != rtps.ErrClosed {
		p.quiet.warn(warning{"message not sent", p.topic.Name}, zap.Error(err))
	}
}

// Wanted implements ros.Publisher.
func (p *publisher) Wanted() bool { return p.writer.Matched() > 0 }
