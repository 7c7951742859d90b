package ros

import (
	"fmt"
	"strconv"
	"time"

	"sinew/pkg/sim"
)

// slowness says in words how much too slow the loop is, in words that stay the same
// while that is about the same. Its zero value has said nothing.
type slowness struct {
	told float64 // elapsed over simulated time, as it was said; 0: the loop keeps up
}

const (
	// longPeriod is how long a control period takes that is worth a word before its end.
	longPeriod = time.Second
	// sameSlowness is the ratio of factors that are told as the same one.
	sameSlowness = 2
)

// assess returns what there is to say, and nothing while the loop keeps up. Rates are
// judged only where they are of whole seconds.
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
	if factor == 0 || factor > w.told*sameSlowness || factor < w.told/sameSlowness {
		w.told = factor
	}
	if w.told == 0 {
		return ""
	}
	return fmt.Sprintf("%s x too slow for %g Hz", TwoDigits(w.told), o.ControlHz)
}

// TwoDigits writes x > 0 without an exponent and with two digits that are not zeros of its end.
func TwoDigits(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
