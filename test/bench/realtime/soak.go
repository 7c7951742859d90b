package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
)

// Soak describes two subscribers at 1 kHz, of which one reads and the other, the
// frozen one, never does.
type Soak struct {
	Received int     `json:"received"`           // messages that the reading subscriber got
	Gaps     int     `json:"gaps"`               // messages that it missed in between
	Silence  float64 `json:"longest_silence_ms"` // longest time between two of its messages
	Interval Spread  `json:"stamp_interval_ms"`  // between the stamps of its messages
	// FrozenCuts counts how often the node cut the frozen subscriber off.
	FrozenCuts int `json:"frozen_cuts"`
	// FrozenSent counts the messages that the kernels' buffers took before.
	FrozenSent int `json:"frozen_sent"`
	// Unanswered counts how often the node, or this program on a busy machine, was
	// too late to tell.
	Unanswered int `json:"unanswered"`
}

const (
	soakTopic  = nodeName + "/measured_cp"
	frozenName = callerName + "_frozen"
	lookPeriod = 2 * time.Second // at the frozen subscriber
)

// soak runs both subscribers for a time.
func soak(ctx context.Context, n *node, duration time.Duration) (Soak, error) {
	var result Soak
	live, err := n.subscribe(ctx, callerName+"_live", soakTopic, geometry_msgs.PoseStampedType)
	if err != nil {
		return result, err
	}
	done := make(chan error, 1)
	go func() { done <- result.read(live) }()
	err = result.freeze(ctx, n, time.Now().Add(duration), done)
	live.conn.Close()
	if err == nil {
		err = <-done
	}
	return result, err
}

// read takes messages until the connection is closed.
func (r *Soak) read(s *subscription) error {
	var intervals []float64
	var seq uint32
	var stamp msgs.Time
	var last time.Time
	var m geometry_msgs.PoseStamped
	err := each(s, &m, func(at time.Time) error {
		if r.Received++; r.Received > 1 {
			r.Gaps += int(m.Header.Seq - seq - 1)
			r.Silence = max(r.Silence, 1e3*at.Sub(last).Seconds())
			intervals = append(intervals, float64(m.Header.Stamp-stamp)/1e6)
		}
		seq, stamp, last = m.Header.Seq, m.Header.Stamp, at
		return nil
	})
	r.Interval = spread(intervals)
	return err
}

// freeze keeps a subscriber connected that never reads, until the end or until
// the live one has ended.
func (r *Soak) freeze(ctx context.Context, n *node, end time.Time, live chan error) error {
	var frozen *subscription
	defer func() {
		if frozen != nil {
			frozen.conn.Close()
		}
	}()
	connect := func() (err error) {
		if frozen != nil {
			frozen.conn.Close()
		}
		frozen, err = n.subscribe(ctx, frozenName, soakTopic, geometry_msgs.PoseStampedType)
		return err
	}
	if err := connect(); err != nil {
		return err
	}
	sent := 0 // to the present connection
	for time.Now().Before(end) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-live:
			return fmt.Errorf("the node has hung up on the live subscriber: %w", err)
		case <-time.After(min(lookPeriod, time.Until(end))):
		}
		id, connected, err := n.connection(ctx, frozenName)
		if late(ctx, err) {
			r.Unanswered++
			continue
		}
		if err != nil {
			return err
		}
		if !connected {
			r.FrozenCuts++
			r.FrozenSent += sent
			sent = 0
			if err := connect(); err != nil {
				return err
			}
			continue
		}
		now, err := n.sentTo(ctx, id)
		if late(ctx, err) {
			r.Unanswered++
			continue
		}
		if err != nil {
			return err
		}
		sent = now
	}
	r.FrozenSent += sent
	return nil
}

// late tells a call that took too long from one that failed.
func late(ctx context.Context, err error) bool {
	return ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded)
}

// connection finds the number of a subscriber's connection.
func (n *node) connection(ctx context.Context, caller string) (id int, found bool, err error) {
	v, err := n.call(ctx, "getBusInfo")
	if err != nil {
		return 0, false, err
	}
	rows, _ := v.([]any)
	for _, row := range rows {
		if f, _ := row.([]any); len(f) >= 2 && f[1] == caller {
			id, _ = f[0].(int)
			return id, true, nil
		}
	}
	return 0, false, nil
}

// sentTo returns how many messages of the soak's topic a connection has taken.
func (n *node) sentTo(ctx context.Context, id int) (int, error) {
	v, err := n.call(ctx, "getBusStats")
	if err != nil {
		return 0, err
	}
	directions, _ := v.([]any)
	if len(directions) != 3 {
		return 0, fmt.Errorf("getBusStats: %v", v)
	}
	topics, _ := directions[0].([]any)
	for _, topic := range topics { // name, bytes, [[id, bytes, messages, connected]...]
		f, _ := topic.([]any)
		if len(f) != 3 || f[0] != soakTopic {
			continue
		}
		connections, _ := f[2].([]any)
		for _, c := range connections {
			if c, _ := c.([]any); len(c) >= 3 && c[0] == id {
				messages, _ := c[2].(int)
				return messages, nil
			}
		}
	}
	return 0, nil
}
