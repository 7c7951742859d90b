package trajectory

import (
	"fmt"
	"slices"
	"strings"
)

// Names of columns that recognised files are given beside those of [Kind].
const (
	frameColumn = "frame"
	trackColumn = "track"
)

// frame returns the column of the number of frames, −1 without one.
func (g grammar) frame() int {
	return slices.IndexFunc(g, func(c Column) bool {
		name, _ := wordsOf(c.Header)
		return c.Kind == Unused && slices.Contains([]string{"frame", "frames", "frame_number"}, name)
	})
}

// frames says what to do where frames are counted and there is no time.
func (g grammar) frames() string {
	if i := g.frame(); i >= 0 {
		return fmt.Sprintf("; %s counts frames: --time-unit S says how many seconds there are from one to the next", g[i].Header)
	}
	return "; name the times t, or t_ms if they are in ms"
}

// nameTip says what to do where no column is the position of the tip.
func (g grammar) nameTip() string {
	bodies, columns := g.points(true)
	if len(bodies) == 0 {
		return "; name its columns x, y, z, or x_mm, y_mm, z_mm if they are in mm"
	}
	for i, body := range bodies {
		bodies[i], _, _, _ = poseColumn(g[columns[body][0]].Header)
	}
	return "; --hw-topic NAME says which body is the tip: " + strings.Join(bodies, ", ")
}

// epochUnits are units of times since 1970, with their names.
var epochUnits = []struct {
	name   string
	factor float64
}{{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}

// yearsOfClocks are the times since 1970 that a clock shows, s: 2001 to 2100.
var yearsOfClocks = [2]float64{1e9, 4.1e9}

// timeScale is what makes seconds of times: that of the unit that is asked for, or, of times since 1970 beyond the year 2100 in s, of
// the only unit in which they are of our time.
func (s *sheet) timeScale(t *Trajectory, times []float64) float64 {
	if len(times) == 0 {
		return 1
	}
	if s.o.TimeUnit > 0 {
		return s.o.TimeUnit / s.column0(Time).Factor
	}
	for _, u := range epochUnits {
		if v := times[0] * u.factor; v >= yearsOfClocks[0] && v <= yearsOfClocks[1] {
			t.Remarks = append(t.Remarks, fmt.Sprintf("%s: times are taken for %s since 1970.", s.file, u.name))
			return u.factor
		}
	}
	return 1
}

func scaleAll(values []float64, by float64) {
	for i := range values {
		values[i] *= by
	}
}

// remark tells what was assumed of the file, and what of it was left out.
func (s *sheet) remark(t *Trajectory) {
	add := func(format string, args ...any) {
		t.Remarks = append(t.Remarks, s.file+": "+fmt.Sprintf(format, args...))
	}
	if x := s.export; x != nil && x.tool != "" {
		text := "an export of " + x.tool
		if x.tip != "" {
			text += ", of which " + x.tip + " is the tip"
		}
		add("%s.", text)
		for _, remark := range x.remarks {
			add("%s.", remark)
		}
	}
	if len(s.ignored) > 0 {
		add("points that are no markers of the robot are left out: %s.", strings.Join(s.ignored, ", "))
	}
	if len(s.dropped) > 0 {
		add("columns that are left out: %s.", strings.Join(s.dropped, ", "))
	}
	if rotations := s.uncertainRotations(); rotations != "" && !s.grammar.has(Orientation) && s.o.Number != AllRobots {
		add("rotations are not read, %s.", rotations)
	}
	if s.planar {
		add("there is no z: x and y alone are used.")
	}
	if s.blank > 0 {
		add("%d rows in which no pose was measured were left out.", s.blank)
	}
}
