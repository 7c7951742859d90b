package offline

import (
	"os"

	"github.com/schollz/progressbar/v3"

	"sinew/cmd/internal/verb"
)

// progress returns a function that shows the number of steps done on a
// terminal, and removes the bar at −1.
func progress(e *verb.Env, steps int, out string) func(int) {
	f, shown := verb.Terminal(e.Stderr)
	if _, rows := verb.Terminal(os.Stdout); !shown || out == "-" && rows {
		return func(int) {}
	}
	const redraws = 200
	every := max(1, steps/redraws)
	bar := progressbar.NewOptions(steps, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("sim"),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func(done int) {
		switch {
		case done < 0:
			_ = bar.Finish()
		case done%every == 0:
			_ = bar.Set(done)
		}
	}
}
