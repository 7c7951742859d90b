package page_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/msgs/sinew_msgs"
	"sinew/test/testbench"
)

// crowd is a number of viewers of one robot, each of which is subscribed to everything.
type crowd struct {
	t      *testing.T
	socket string
	frames atomic.Uint64

	mu    sync.Mutex
	stats []sinew_msgs.SimStats // from the first viewer
}

// join adds a viewer that reads, or does not.
func (c *crowd) join(ctx context.Context, reads, tells bool) {
	c.t.Helper()
	conn, _, err := websocket.Dial(ctx, c.socket, &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	if err != nil {
		c.t.Fatal(err)
	}
	conn.SetReadLimit(16 << 20)
	var list struct {
		Channels []struct {
			ID         uint32
			SchemaName string
		}
	}
	for list.Channels == nil {
		_, data, err := conn.Read(ctx)
		if err == nil {
			err = json.Unmarshal(data, &list)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	var wanted []string
	var stats uint32
	for _, ch := range list.Channels {
		wanted = append(wanted, fmt.Sprintf(`{"id":%d,"channelId":%d}`, ch.ID, ch.ID))
		if ch.SchemaName == sinew_msgs.SimStatsType.ROS2Name {
			stats = ch.ID
		}
	}
	text := `{"op":"subscribe","subscriptions":[` + strings.Join(wanted, ",") + `]}`
	if err := conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
	if reads {
		go c.read(ctx, conn, stats, tells)
	}
}

func (c *crowd) read(ctx context.Context, conn *websocket.Conn, stats uint32, tells bool) {
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		c.frames.Add(1)
		if !tells || kind != websocket.MessageBinary || binary.LittleEndian.Uint32(data[1:]) != stats {
			continue
		}
		var m sinew_msgs.SimStats
		if m.ParseCDR(data[13:]) == nil {
			c.mu.Lock()
			c.stats = append(c.stats, m)
			c.mu.Unlock()
		}
	}
}

// over waits and returns the statistics of that time.
func (c *crowd) over(d time.Duration) []sinew_msgs.SimStats {
	c.mu.Lock()
	c.stats = nil
	c.mu.Unlock()
	time.Sleep(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.stats)
}

// TestCrowdOfViewers: 50 viewers that take everything, one of which does not read, do not make the
// robot late.
func TestCrowdOfViewers(t *testing.T) {
	n := testbench.NewNetwork(t, "http://127.0.0.1:1")
	const rounds = 5 // what the machine takes from one it does not take from all; the crowd is there in each
	for i := range rounds {
		good, why := crowdRound(n)
		t.Log(why)
		switch {
		case good:
			return
		case i == rounds-1:
			t.Errorf("in each of %d rounds the crowd makes the robot late, or gets too little; in the last: %s", rounds, why)
		}
	}
}

// crowdRound compares one viewer of a robot with 50 and reports whether these make it no later.
func crowdRound(n *testbench.Network) (good bool, why string) {
	t := n.T
	t.Helper()
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "off", "--view", "127.0.0.1:0")
	defer p.Kill()
	p.Expect("ENABLED")
	c := &crowd{t: t, socket: "ws" + testbench.ViewerLink(t, p)}
	c.join(t.Context(), true, true)
	machine := testbench.StartProbe(t)
	testbench.ReadProbe(t, machine)
	alone := c.over(4 * time.Second)
	quiet := testbench.ReadProbe(t, machine)
	for i := range 49 {
		c.join(t.Context(), i != 7, false)
	}
	testbench.ReadProbe(t, machine)
	before, begun := c.frames.Load(), time.Now()
	together := c.over(6 * time.Second)
	busy := testbench.ReadProbe(t, machine)
	rate := float64(c.frames.Load()-before) / time.Since(begun).Seconds()
	const least = 48 * 100.0 // each gets 1300 messages a second on a computer that has the time
	was, is := medianLateness(alone), medianLateness(together)
	why = fmt.Sprintf("%.0f messages/s (at least %.0f), lateness p99 %.0f µs, %.0f µs with one viewer; of latency probes %.0f and %.0f µs", rate, least, 1e6*is, 1e6*was, busy.P99, quiet.P99)
	if !strings.Contains(p.Output(), "SCHED_FIFO") {
		return rate >= least, why // the viewers of this test take the processors from the loop
	}
	const noise = 200e-6                      // s, of two measurements
	taken := max(0, busy.P99-quiet.P99) / 1e6 // by the computer, from whatever runs on it
	return rate >= least && is > 0 && is <= 1.2*was+noise+taken, why
}

// medianLateness is that of the seconds, of lateness p99 in s.
func medianLateness(all []sinew_msgs.SimStats) float64 {
	var list []float64
	for _, s := range all {
		list = append(list, s.LatenessP99)
	}
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)/2]
}
