package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Seconds is a flag: a duration in s as a float64, never rounded to nanoseconds:
// 1.5 = 1.5s = 1500ms.
type Seconds float64

// UnmarshalText parses a number of seconds or a number with one of the units
// us, ms, s, m and h. It implements encoding.TextUnmarshaler.
func (s *Seconds) UnmarshalText(text []byte) error {
	number, unit := string(text), 1.0
	for _, u := range []struct {
		suffix string
		s      float64
	}{{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}} {
		if n, ok := strings.CutSuffix(number, u.suffix); ok {
			number, unit = n, u.s
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v*unit, 0) || v <= 0 {
		return fmt.Errorf("%q is not a duration: want a positive number of seconds such as 1.5, or with us, ms, s, m or h", text)
	}
	// dividing keeps 1500ms and 1.5s the same bits
	if unit < 1 {
		*s = Seconds(v / math.Round(1/unit))
	} else {
		*s = Seconds(v * unit)
	}
	return nil
}

// TimeUnit is a flag: the unit of times in s, by its name or as a number of seconds.
type TimeUnit float64

// UnmarshalText parses s, ms, us, ns or a number of seconds. It implements encoding.TextUnmarshaler.
func (u *TimeUnit) UnmarshalText(text []byte) error {
	if unit := map[string]float64{"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[string(text)]; unit != 0 {
		*u = TimeUnit(unit)
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%q is no unit of time: want s, ms, us, ns, or a number of seconds such as 0.01", text)
	}
	*u = TimeUnit(v)
	return nil
}
