package ros

import (
	"fmt"
	"strconv"
	"time"

	"sinew/pkg/sim"
)

// slowness describes how much too slow the loop is, in a text that stays the same while the
// factor stays about the same. Its zero value has reported nothing.
type slowness struct {
	reported float64 // elapsed over simulated time, as it was last reported; 0: the loop keeps up
}

const (
	// longPeriod is how long a control period takes before it is reported while under way.
	longPeriod = time.Second
	// sameSlowness is the ratio of factors that are reported as the same one.
	sameSlowness = 2
)

// assess returns the text, empty while the loop keeps up. It uses rates only if they cover
// whole seconds.
func (w *slowness) assess(o sim.Options, s sim.Stats, now latestState, wholeSeconds bool) string {
	factor := 0.0
	if !o.Lockstep && !o.Follow && now.state != sim.Paused && now.state != sim.Fault {
		if wholeSeconds && s.RealTimeFactor > 0 && s.RealTimeFactor < minRealTimeFactor {
			factor = 1 / s.RealTimeFactor
		}
		if now.age >= longPeriod {
			factor = max(factor, now.age.Seconds()*o.ControlHz)
		}
	}
	if factor == 0 || factor > w.reported*sameSlowness || factor < w.reported/sameSlowness {
		w.reported = factor
	}
	if w.reported == 0 {
		return ""
	}
	return fmt.Sprintf("%s x too slow for %g Hz", FormatTwoDigits(w.reported), o.ControlHz)
}

// FormatTwoDigits formats x > 0 without an exponent and with two digits that are not zeros of its end.
func FormatTwoDigits(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
