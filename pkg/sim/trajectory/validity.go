package trajectory

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim/table"
)

// validWords are words for columns that say whether the pose of a row was measured, lostWords for those that say whether it was not. Each
// may stand behind the name of a body.
var (
	validWords   = []string{validColumn, "valid", "is_valid", "validity", "tracked", "is_tracked", "tracking", "tracking_valid", "visible", "is_visible", "detected", "is_detected"}
	lostWords    = []string{"occluded", "is_occluded", "lost", "is_lost"}
	qualityWords = []string{"quality", "tracking_quality", "pose_quality", "confidence", "tracking_confidence", "likelihood"}
)

// truths are words for whether something is so, in columns of other names than ok.
var truths = map[string]bool{"true": true, "false": false, "yes": true, "no": false, "t": true, "f": false}

// flag is a column that says whether the pose of a row was measured.
type flag struct {
	at      int    // among the columns
	of      bool   // what it says where it was
	dropped int    // rows in which it was not
	value   string // in the first of them
}

// findFlags finds the columns that say whether the pose was measured, and one of a quality, which may. Those of other bodies than the tip
// are left out.
func (s *sheet) findFlags() {
	s.quality = -1
	for i := range s.grammar {
		c := &s.grammar[i]
		name, _ := wordsOf(c.Header)
		switch {
		case c.Kind == Valid || c.Header == validColumn:
			s.flags = append(s.flags, flag{at: i, of: true})
			continue
		case c.Kind != Unused && c.Kind != Bookkeeping || c.Header == "":
			continue
		case slices.Contains(qualityWords, name):
			c.Kind, s.quality = Bookkeeping, i
			continue
		}
		for k, list := range [][]string{validWords, lostWords} {
			body, is := cutWord(name, list)
			switch {
			case !is:
			case body == "" || s.isBody(body):
				s.flags = append(s.flags, flag{at: i, of: k == 0})
				c.Kind = Bookkeeping
			case s.hasPoint(body):
				s.unused = append(s.unused, c.Header)
				c.Kind = Bookkeeping
			}
		}
	}
}

// cutWord returns the name of the body before one of the words at the end of a name, and reports whether there is one.
func cutWord(name string, words []string) (body string, is bool) {
	if slices.Contains(words, name) {
		return "", true
	}
	for _, word := range words {
		if body, is := strings.CutSuffix(name, "_"+word); is && word != validColumn {
			return body, true
		}
	}
	return "", false
}

// hasPoint reports whether there are columns of a pose of a body.
func (s *sheet) hasPoint(body string) bool {
	return slices.ContainsFunc(s.grammar, func(c Column) bool {
		own, _, _, ok := poseColumn(c.Header)
		return ok && own == body
	})
}

// used reports whether the flags of a row say that its pose was measured. An empty one says nothing.
func (s *sheet) used(row table.Row) (bool, error) {
	used := true
	for i := range s.flags {
		f := &s.flags[i]
		text := row.Text(f.at)
		if table.IsMissing(text) {
			continue
		}
		is, word := truths[strings.ToLower(text)]
		if !word || s.grammar[f.at].Header == validColumn { // ours has numbers
			v, err := row.Finite(f.at)
			if err != nil {
				return false, err
			}
			is = v != 0
		}
		if is != f.of {
			if f.dropped++; f.dropped == 1 {
				f.value = text
			}
			used = false
		}
	}
	return used, nil
}

// addQuality keeps the quality of a row, NaN where it is no number.
func (s *sheet) addQuality(row table.Row) {
	if s.quality < 0 {
		return
	}
	v, err := row.Number(s.quality)
	if err != nil {
		v = math.NaN()
		if is, word := truths[strings.ToLower(row.Text(s.quality))]; word {
			v = map[bool]float64{true: 1}[is]
		}
	}
	s.qualities = append(s.qualities, v)
}

// useQuality takes a quality that is 0 or 1, and both, for whether the pose was measured. One of other numbers is not used: of some
// trackers the best is 0.
func (s *sheet) useQuality(t *Trajectory) {
	low, high, flag := math.Inf(1), math.Inf(-1), true
	for _, v := range s.qualities {
		low, high = min(low, v), max(high, v)
		flag = flag && (v == 0 || v == 1)
	}
	if !(high > low) || s.o.Number == AllRobots {
		return
	}
	name := s.grammar[s.quality].Header
	if !flag {
		t.Remarks = append(t.Remarks, fmt.Sprintf("%s: the column %s, %g to %g, is not used; leave out the rows that are not good enough.", s.file, name, low, high))
		return
	}
	n := 0
	for i, c := range s.grammar {
		if c.body() == "" || s.values[i] == nil {
			continue
		}
		n = 0
		for k, v := range s.qualities {
			if v == 0 {
				n++
				s.values[i][k] = math.NaN()
			}
		}
	}
	if !s.o.keepsGaps() && (s.grammar.has(Position) || s.grammar.has(Orientation)) {
		s.blank -= n // which fill leaves out
	}
	t.Remarks = append(t.Remarks, s.leftOut(n, name, "0"))
}

// leftOut tells how many rows were left out for what a column says.
func (s *sheet) leftOut(n int, name, value string) string {
	return fmt.Sprintf("%s: the poses of %d rows in which %s is %s were left out.", s.file, n, name, value)
}

// remarkFlags tells how many rows were left out for their flags but for those that [Trajectory.Dropped] counts.
func (s *sheet) remarkFlags(t *Trajectory) {
	for _, f := range s.flags {
		name := s.grammar[f.at].Header
		if name == validColumn && !s.o.keepsGaps() {
			t.Dropped += f.dropped
		}
		if name != validColumn && f.dropped > 0 && s.o.Number != AllRobots {
			t.Remarks = append(t.Remarks, s.leftOut(f.dropped, name, f.value))
		}
	}
	if len(s.unused) > 0 {
		t.Remarks = append(t.Remarks, fmt.Sprintf("%s: what columns say of other points is not used: %s.", s.file, strings.Join(s.unused, ", ")))
	}
}
