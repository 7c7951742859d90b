package view

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
)

// past gets a history, or the text with which it is refused.
func (h *theatre) past(query string) (status int, body []byte) {
	h.t.Helper()
	r, err := http.Get(h.link + "history?" + query)
	must(h.t, err)
	defer r.Body.Close()
	body, err = io.ReadAll(r.Body)
	must(h.t, err)
	return r.StatusCode, body
}

// Whoever comes when a recording is over, or goes to a moment of it, gets what its plots show of the seconds before.
func TestHistory(t *testing.T) {
	h := play(t, moving(t, "sim.mcap", begin), moving(t, "hw.bag", 50*begin))
	const topics = "topic=/rod/measured_cp&topic=/overlay/rod/measured_cp"
	from, to := begin+4*time.Second, begin+6*time.Second
	status, body := h.past(fmt.Sprintf("%s&from=%d&to=%d", topics, from, to))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	var counts [2]int
	last := [2]time.Duration{from, from}
	for len(body) > 0 {
		i, at, n := body[0], time.Duration(binary.LittleEndian.Uint64(body[1:])), binary.LittleEndian.Uint32(body[9:])
		var p geometry_msgs.PoseStamped
		must(t, p.ParseCDR(body[13:13+n]))
		body = body[13+n:]
		if at <= last[i] || at > to || p.Pose.Position.X*1e9-float64(at-begin) > 1e3 {
			t.Fatalf("topic %d: %v after %v has %g m", i, at, last[i], p.Pose.Position.X)
		}
		last[i] = at
		counts[i]++
	}
	if counts != [2]int{200, 200} || last != [2]time.Duration{to, to} {
		t.Errorf("%v messages until %v", counts, last)
	}
	// many messages are thinned out, and the last stays
	status, body = h.past(fmt.Sprintf("topic=/rod/measured_cp&from=%d&to=%d", begin-50*time.Second, begin+10*time.Second))
	if n := len(body) / len(body[:13+binary.LittleEndian.Uint32(body[9:])]); status != http.StatusOK || n < 100 || n > 120 {
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
		if status, body := h.past(query); status < 400 || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s", query, status, body)
		}
	}
}
