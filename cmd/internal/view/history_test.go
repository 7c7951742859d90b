package view_test

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/view"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// Whoever comes when a recording is over, or goes to a moment of it, gets what its plots show of the seconds before.
func TestHistory(t *testing.T) {
	h := play(t, view.Moving(t, "sim.mcap", view.Begin), view.Moving(t, "hw.bag", 50*view.Begin))
	const topics = "topic=/rod/measured_cp&topic=/overlay/rod/measured_cp"
	from, to := view.Begin+4*time.Second, view.Begin+6*time.Second
	status, body := h.Past(fmt.Sprintf("%s&from=%d&to=%d", topics, from, to))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	var counts [2]int
	last := [2]time.Duration{from, from}
	for len(body) > 0 {
		i, at, n := body[0], time.Duration(binary.LittleEndian.Uint64(body[1:])), binary.LittleEndian.Uint32(body[9:])
		var p geometry_msgs.PoseStamped
		view.Must(t, p.ParseCDR(body[13:13+n]))
		body = body[13+n:]
		if at <= last[i] || at > to || p.Pose.Position.X*1e9-float64(at-view.Begin) > 1e3 {
			t.Fatalf("topic %d: %v after %v has %g m", i, at, last[i], p.Pose.Position.X)
		}
		last[i] = at
		counts[i]++
	}
	if counts != [2]int{200, 200} || last != [2]time.Duration{to, to} {
		t.Errorf("%v messages until %v", counts, last)
	}
	// many messages are thinned out, and the last stays
	status, body = h.Past(fmt.Sprintf("topic=/rod/measured_cp&from=%d&to=%d", view.Begin-50*time.Second, view.Begin+10*time.Second))
	if n := len(body) / len(body[:13+binary.LittleEndian.Uint32(body[9:])]); status != http.StatusOK || n < 80 || n > 100 {
		t.Errorf("%d: %d messages of 1001 in a sixth of a minute", status, n)
	}
	for query, want := range map[string]string{
		"topic=/rod/measured_cp&from=0&to=60000000001":              "1m0.000000001s from the beginning to the end; allowed: above 0 to 1m0s",
		"topic=/rod/measured_cp&from=5&to=5":                        "0s from the beginning",
		"topic=/rod/measured_cp&from=x&to=5":                        `from="x"; allowed: nanoseconds`,
		"topic=/rod/measured_cp&to=5":                               `from=""`,
		"from=0&to=5":                                               "0 topics; allowed: 1 to 16",
		strings.Repeat("topic=/rod/measured_cp&", 17) + "to=5":      "17 topics",
		"topic=/rod/none&from=0&to=5":                               "no topic /rod/none",
		"topic=/rod/measured_cp&topic=/rod/measured_cp&from=0&to=5": "twice",
	} {
		if status, body := h.Past(query); status < 400 || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s", query, status, body)
		}
	}
}

// A history of large messages is refused before it fills the memory.
func TestHistoryOfSwarm(t *testing.T) {
	file := filepath.Join(t.TempDir(), "swarm.mcap")
	w, err := record.Create(file, record.Options{Node: "/rod"})
	view.Must(t, err)
	p, err := w.Advertise(ros.Topic{Name: "/rod/poses", Type: geometry_msgs.PoseArrayType})
	view.Must(t, err)
	const bodies, bytes = 5000, 56 // of a pose
	for i := range view.MaxHistoryBytes/bodies/bytes + 2 {
		s := ros.NewSample(&geometry_msgs.PoseArray{Poses: make([]geometry_msgs.Pose, bodies)})
		s.Time = msgs.At(view.Begin + time.Duration(i)*time.Second/10)
		p.Publish(s)
	}
	view.Must(t, w.Close())
	h := play(t, file)
	ask := func(to time.Duration) (int, []byte) {
		return h.Past(fmt.Sprintf("topic=/rod/poses&from=%d&to=%d", view.Begin-time.Second, view.Begin+to))
	}
	if status, body := ask(10 * time.Second); status != http.StatusNotFound || !strings.Contains(string(body), "bytes of messages; allowed: up to 16777216") {
		t.Errorf("%d %.100s", status, body)
	}
	if status, body := ask(time.Second); status != http.StatusOK || len(body) < 10*bodies*bytes {
		t.Errorf("%d, %d bytes", status, len(body))
	}
}
