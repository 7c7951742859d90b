package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/viewer"
)

// pastRequest is a request for the past messages of some topics.
type pastRequest struct {
	viewer.HistoryRequest
	answer func([]viewer.HistoryMessage, error) // must not block
}

// history passes a request to the goroutine of run, which owns the recordings, and waits for the
// answer.
func (p *player) history(ctx context.Context, r viewer.HistoryRequest) (list []viewer.HistoryMessage, err error) {
	answered := make(chan struct{})
	q := pastRequest{r, func(l []viewer.HistoryMessage, e error) {
		list, err = l, e
		close(answered)
	}}
	select {
	case p.past <- q:
		<-answered
		return list, err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.ended:
		return nil, errors.New("the program ends")
	}
}

// maxHistoryBytes bounds the bytes of a history: plots need numbers only, while scenes of a swarm
// would fill the memory.
const maxHistoryBytes = 16 << 20

// pastMessages returns the requested messages: of each topic the last one within each step.
func (p *player) pastMessages(q viewer.HistoryRequest) (list []viewer.HistoryMessage, err error) {
	for i, name := range q.Topics {
		if p.topics[name] == nil {
			return nil, fmt.Errorf("the recording has no topic %s", name)
		}
		if slices.Index(q.Topics, name) != i {
			return nil, fmt.Errorf("topic %s twice", name)
		}
	}
	bytes := 0
	for _, r := range p.recordings {
		newest := make([]record.Message, len(q.Topics))
		put := func(i int) {
			m := newest[i]
			cdr := ros.NewSample(m.Message).CDR()
			if bytes += len(cdr); bytes <= maxHistoryBytes {
				list = append(list, viewer.HistoryMessage{Topic: i, Time: m.Time + r.later, CDR: cdr})
			}
		}
		step := func(m record.Message) time.Duration { return (m.Time + r.later - q.From) / max(q.Step, 1) }
		p.warnUnreadable(r, r.Between(q.From-r.later, q.To-r.later, func(m record.Message) {
			i := slices.Index(q.Topics, r.topic(m.Topic))
			if i < 0 || slices.Contains(r.without, m.Topic) {
				return
			}
			if newest[i].Message != nil && step(newest[i]) != step(m) {
				put(i)
			}
			newest[i] = m
		}))
		for i := range newest {
			if newest[i].Message != nil {
				put(i)
			}
		}
	}
	if bytes > maxHistoryBytes {
		return nil, fmt.Errorf("%d bytes of messages; allowed: up to %d", bytes, maxHistoryBytes)
	}
	return list, nil
}
