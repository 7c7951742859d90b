package exitcode_test

import (
	"errors"
	"fmt"
	"testing"

	"sinew/cmd/internal/exitcode"
)

// A failure beside an interruption, which alone is none, is a failure.
func TestCodeOfJoinedErrors(t *testing.T) {
	failed, stopped, mistake := errors.New("disk full"), exitcode.Interrupted(errors.New("Ctrl-C")), exitcode.Usagef("no such flag")
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exitcode.OK},
		{stopped, exitcode.OK},
		{fmt.Errorf("sim: %w", stopped), exitcode.OK},
		{errors.Join(failed, stopped), exitcode.Failed},
		{errors.Join(stopped, fmt.Errorf("sim: %w", errors.Join(failed))), exitcode.Failed},
		{errors.Join(failed, mistake), exitcode.Mistake},
	} {
		if got := exitcode.Code(c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}
