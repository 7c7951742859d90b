package jacobian

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// Tests of what has no exported name.

// TestOnlyPublishedOnesCount: a derivative whose listener has gone meanwhile is none, and one without a time says why.
func TestOnlyPublishedOnesCount(t *testing.T) {
	model := &Spring{Broken: new(atomic.Bool), Asked: new(atomic.Uint64)}
	s, err := sim.NewSimulator(model, Quick{time.Now()}, sim.Options{ControlHz: 1000, PublishHz: 200, StepS: 1e-3, Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	net, now := new(TopicInTest), time.Hour
	p := &Publisher{sim: s, publishers: []ros.Publisher{net}, listeners: 1, stop: make(chan struct{}), options: Options{
		Time: func(*sim.StateCopy) time.Duration { return now }, Log: zap.NewNop(),
	}}
	of, at := &differentiable{model, model}, &sim.StateCopy{State: []float64{1}}
	if published, err := p.publish(of, at); published || err != nil {
		t.Errorf("published without a subscriber: %t, %v", published, err)
	}
	net.Listens.Store(true)
	if published, err := p.publish(of, at); !published || err != nil || net.Count() != 1 {
		t.Errorf("%t, %v, %d published", published, err, net.Count())
	}
	now = 0
	if published, err := p.publish(of, at); published || !errors.Is(err, errNoTime) || net.Count() != 1 {
		t.Errorf("without a time: %t, %v", published, err)
	}
	p.logOutcome(false, nil, 0)
	p.logOutcome(true, nil, 0)
	if st := p.Status(); st.Values[0].Value != "1" {
		t.Errorf("%+v, want 1 computed", st)
	}
}
