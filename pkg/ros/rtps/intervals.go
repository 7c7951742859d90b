package rtps

import (
	"slices"
	"sort"
)

// interval holds the sequence numbers from first to before end.
type interval struct{ first, end int64 }

// intervals is a bounded set of sequence numbers: disjoint intervals in order.
type intervals []interval

// add inserts the numbers from first to before end. If the set would exceed its bound, the highest
// intervals are dropped: the writer announces them again.
func (s *intervals) add(first, end int64) {
	if first >= end {
		return
	}
	// i..j are the intervals that touch the new one
	i := sort.Search(len(*s), func(i int) bool { return (*s)[i].end >= first })
	j := sort.Search(len(*s), func(j int) bool { return (*s)[j].first > end })
	if i < j {
		first, end = min(first, (*s)[i].first), max(end, (*s)[j-1].end)
	}
	*s = slices.Replace(*s, i, j, interval{first, end})
	if len(*s) > maxGapIntervals {
		*s = (*s)[:maxGapIntervals]
	}
}

// end returns the end of the interval that contains n, or n.
func (s intervals) end(n int64) int64 {
	i := sort.Search(len(s), func(i int) bool { return s[i].end > n })
	if i < len(s) && s[i].first <= n {
		return s[i].end
	}
	return n
}

func (s intervals) has(n int64) bool { return s.end(n) != n }

// below removes the numbers before n.
func (s *intervals) below(n int64) {
	i := sort.Search(len(*s), func(i int) bool { return (*s)[i].end > n })
	*s = slices.Delete(*s, 0, i)
}
