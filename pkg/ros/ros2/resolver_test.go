package ros2_test

import (
	"fmt"
	"testing"
	"time"

	"go.uber.org/zap/zaptest/observer"

	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// A static peer that does not resolve, or hangs, keeps no participant from joining, and the others
// are met meanwhile.
func TestUnknownPeerHoldsUpNothing(t *testing.T) {
	begin := func(name string) (us *ros2.Transport, logs *observer.ObservedLogs, spent time.Duration) {
		start := time.Now()
		us, logs = ros2.NodeIn(t, name, ros2.Discovery{Domain: ros2.Domain, Range: rtps.Host, Peers: []ros2.Peer{{"no.such.host.invalid", 0}, {"127.0.0.1", 0}}})
		return us, logs, time.Since(start)
	}
	us, logs, spent := begin("/us")
	for i := 0; i < 5 && spent > ros2.ResolveTimeout/2; i++ { // what the machine takes from one it does not take from all
		_, _, spent = begin(fmt.Sprint("/us", i))
	}
	if spent > ros2.ResolveTimeout/2 {
		t.Errorf("the start took %v", spent)
	}
	got := ros2.Subscribe(t, us, ros2.Text("/chatter"))
	them, _ := ros2.Node(t, "/them")
	p := ros2.Advertise(t, them, ros2.Text("/chatter"))
	ros2.Eventually(t, "a message", func() bool { p.Publish(ros2.Say("hello")); time.Sleep(10 * time.Millisecond); return got.Len() > 0 })
	ros2.Eventually(t, "the warning", func() bool {
		l := logs.FilterMessageSnippet("does not resolve")
		return l.Len() == 1 && l.All()[0].ContextMap()["peer"] == "no.such.host.invalid"
	})
}
