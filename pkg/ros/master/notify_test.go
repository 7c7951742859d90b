package master

import (
	"fmt"
	"net"
	"testing"

	"go.uber.org/zap"
)

// TestQueuesAreBounded: as many slaves as maxQueues are told something at once, and no
// more; those that are being told already hear of everything.
func TestQueuesAreBounded(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	last := "http://" + l.Addr().String() + "/"
	n := newNotifier(zap.NewNop())
	defer n.close()
	for i := range maxQueues - 1 {
		n.queues[fmt.Sprint("http://busy:", i)] = &queue{newest: map[subject]notice{}}
	}
	news := func(topic string) notice {
		return notice{method: "publisherUpdate", subject: topic, args: []any{"/master", topic, []any{}}}
	}
	n.post(last, news("/a"))
	n.post("http://127.0.0.1:9/", news("/a"))
	n.post("http://busy:0", news("/b"))
	n.mu.Lock()
	waiting, told, slow := len(n.queues), n.queues["http://127.0.0.1:9/"], n.queues[last]
	busy := len(n.queues["http://busy:0"].order)
	n.mu.Unlock()
	if waiting != maxQueues || told != nil || slow == nil || busy != 1 {
		t.Errorf("%d slaves are being told, the last among them: %t, one too many: %t; a busy one hears of %d", waiting, slow != nil, told != nil, busy)
	}
}
