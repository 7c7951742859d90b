package trajectory

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// dates are how dates with times of a day are written. Without a zone they are in UTC.
var dates = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006/01/02 15:04:05.999999999",
	"2.1.2006 15:04:05.999999999", "2 Jan 2006 15:04:05.999999999", "02-Jan-2006 15:04:05.999999999",
}

// slashes are dates of which the day is the first or the second number: of each pair either may be meant where both are below 13.
var slashes = [][2]string{
	{"1/2/2006 15:04:05.999999999", "2/1/2006 15:04:05.999999999"}, {"1/2/2006 3:04:05.999999999 PM", "2/1/2006 3:04:05.999999999 PM"},
}

// dayClocks are how times of a day are written.
var dayClocks = []string{"15:04:05.999999999", "3:04:05.999999999 PM"}

// clock reads times as clocks show them, row by row.
type clock struct {
	days, last float64 // s, of the midnights that have passed, and the time of a day in the row before
}

// read is the time (s) since 1970, since the midnight before the first row, or, of minutes and seconds, since they were 0. ok is false for
// other words, and an error is that of a time that is not certain.
func (c *clock) read(text string) (s float64, ok bool, err error) {
	for _, layout := range dates {
		if at, err := time.Parse(layout, text); err == nil {
			return since1970(at), true, nil
		}
	}
	for _, pair := range slashes {
		american, errA := time.Parse(pair[0], text)
		other, errB := time.Parse(pair[1], text)
		switch {
		case errA == nil && errB == nil && !american.Equal(other):
			return 0, false, fmt.Errorf("may be %s or %s; write dates such as %s", american.Format("2 January"), other.Format("2 January"), american.Format("2006-01-02 15:04:05"))
		case errA == nil:
			return since1970(american), true, nil
		case errB == nil:
			return since1970(other), true, nil
		}
	}
	for _, layout := range dayClocks {
		if at, err := time.Parse(layout, text); err == nil {
			const day = 86400
			s := since1970(at.AddDate(1970, 0, 0)) // of the year 0
			if s < c.last-day/2 {
				c.days += day
			}
			c.last = s
			return c.days + s, true, nil
		}
	}
	s, ok = minutes(text)
	return s, ok, nil
}

// minutes reads minutes and seconds with decimals, without which they may be hours and minutes.
func minutes(text string) (s float64, ok bool) {
	first, rest, found := strings.Cut(text, ":")
	rest = strings.Replace(rest, ",", ".", 1)
	m, err := strconv.ParseUint(first, 10, 32)
	if err != nil || !found || strings.IndexByte(rest, '.') != 2 {
		return 0, false
	}
	const perMinute = 60
	s, err = strconv.ParseFloat(rest, 64)
	if err != nil || !(s >= 0 && s < perMinute) {
		return 0, false
	}
	return perMinute*float64(m) + s, true
}

func since1970(at time.Time) float64 { return float64(at.Unix()) + float64(at.Nanosecond())*1e-9 }
