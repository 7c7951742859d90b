package robotfile

import (
	"fmt"
	"strconv"
	"strings"
)

// interval is the admitted set of a number. A closed end at infinity admits it.
type interval struct {
	low, high         float64
	openLow, openHigh bool
	text              string // as people read it
}

// parseInterval reads mathematical notation such as "(0, 100]".
func parseInterval(s string) (interval, error) {
	bad := fmt.Errorf("robotfile: %q is no interval", s)
	if len(s) < 2 || !strings.Contains("([", s[:1]) || !strings.Contains(")]", s[len(s)-1:]) {
		return interval{}, bad
	}
	low, high, _ := strings.Cut(s[1:len(s)-1], ", ")
	i := interval{openLow: s[0] == '(', openHigh: s[len(s)-1] == ')', text: s}
	var err1, err2 error
	i.low, err1 = strconv.ParseFloat(low, 64)
	i.high, err2 = strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || !(i.low < i.high) {
		return interval{}, bad
	}
	if s == "(-inf, inf)" {
		i.text = "finite"
	}
	return i, nil
}

// contains is false for NaN.
func (i interval) contains(x float64) bool {
	return (x > i.low || !i.openLow && x == i.low) && (x < i.high || !i.openHigh && x == i.high)
}
