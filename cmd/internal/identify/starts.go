package identify

import (
	"fmt"
	"math"
	"strconv"

	"sinew/pkg/sim/hil/fit"
)

// auto is the number of starts that adapts to what searches find.
const auto = "auto"

// startsFlag is the value of --starts: a number of starts, or fit.Adaptive.
type startsFlag int

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *startsFlag) UnmarshalText(text []byte) error {
	if string(text) == auto {
		*s = fit.Adaptive
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return fmt.Errorf("%q; want auto, or --starts at least 1", text)
	}
	*s = startsFlag(n)
	return nil
}

// sampleText says how an adaptive search chose its starts; empty for a number of starts.
func sampleText(r *fit.Result) string {
	s := r.Sample
	if s == nil {
		return ""
	}
	if s.IsExact {
		return "--starts auto: 1 search, whose residuals are round-off: no other minimum is better"
	}
	missed := "unknown"
	if !math.IsInf(s.Missed, 0) {
		missed = fmt.Sprintf("%.2g", s.Missed)
	}
	text := fmt.Sprintf("--starts auto: %s from %d points within the bounds found %s; expected number of others: %s", plural(len(r.Starts), "search"), s.Points, plural(s.Minima, "minimum"), missed)
	if s.Missed > 0.5 {
		text += fmt.Sprintf("; --starts %d searches from more points", s.Points)
	}
	return text
}
