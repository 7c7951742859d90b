package verb

import (
	"bytes"
	"strings"
	"testing"

	"go.uber.org/zap"
)

// A peer that sends nonsense all the time does not fill the log, and is not silent.
func TestLogOfAFlood(t *testing.T) {
	var out bytes.Buffer
	log := NewLogger(&out)
	for i := range 2500 {
		log.Info("connection refused", zap.Int("peer", i))
	}
	log.Warn("something else")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != logLines+3+1 {
		t.Errorf("%d lines of 2501:\n%s", len(lines), out.String())
	}
	if !strings.Contains(lines[logLines], "connection refused (written 10 times in 5s: further lines like this are left out; 1 so far)") {
		t.Errorf("line %q", lines[logLines])
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, "something else") {
		t.Errorf("the last line is %q", last)
	}
}
