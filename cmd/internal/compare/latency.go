package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sinew/pkg/sim/hil"
)

// latencyFlag is auto, none or a number of seconds of either sign.
type latencyFlag struct {
	mode hil.LatencyMode
	s    float64
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *latencyFlag) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case "auto":
		*l = latencyFlag{mode: hil.LatencyAuto}
	case "none":
		*l = latencyFlag{mode: hil.LatencyNone}
	default:
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "s"), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is neither auto nor none nor a number of seconds", s)
		}
		*l = latencyFlag{hil.LatencyFixed, v}
	}
	return nil
}
