package run_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/run"
)

// A value of --realtime that is not allowed is a mistake of the user, and the error names
// the option, the value and what is allowed.
func TestParseRealtime(t *testing.T) {
	for _, text := range []string{"0", "99", "-1", "on", "1.5"} {
		_, err := run.ParseRealtime(text)
		if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), `--realtime "`+text+`": allowed`) || !strings.Contains(err.Error(), "from 1 to 98") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
