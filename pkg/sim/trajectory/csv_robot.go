package trajectory

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/table"
)

// findRobot finds the columns that belong to a robot.
func (s *sheet) findRobot(l *Layout) error {
	targets := NewTargets(l.Ports)
	g := s.grammar
	for i := range g {
		c := &g[i]
		target, isCommand := targets.Of(c.Header)
		k := slices.Index(l.Pose, c.Header)
		switch {
		case slices.Contains(s.Header()[:i], c.Header) && c.Header != "":
			return s.HeaderError("two columns %q", c.Header)
		case c.Header == timeColumns[0]:
			c.Kind = Time
		case c.Header == validColumn:
			c.Kind = Valid
		case c.markerOf(l.Markers):
			if slices.ContainsFunc(g[:i], func(o Column) bool { return o.Kind == MarkerPoint && o.Name == c.Name && o.Index == c.Index }) {
				return s.HeaderError("two columns of marker %s for one coordinate", c.Name)
			}
		case k >= len(axes):
			c.Kind, c.Index = Orientation, k-len(axes)
		case k >= 0:
			c.Kind, c.Index = Position, k
		case isCommand:
			c.Kind, c.Target = Command, target
		case slices.Contains(l.Others, c.Header) || s.o.Numbered != "" && c.Header == s.o.Numbered:
			c.Kind = RobotNumber
		}
	}
	if err := s.chooseBody(); err != nil {
		return err
	}
	if err := s.takeOtherNames(); err != nil {
		return err
	}
	g = s.grammar
	s.takeOtherPoints(l.Markers)
	s.findFlags()
	g.dropBookkeeping()
	s.findBodies()
	s.dropOthers(targets)
	claims := Claims{}
	for i := range g {
		switch c := &g[i]; {
		case s.isBodies(i):
			c.Kind = Bookkeeping
		case c.Kind == Unused && s.export != nil && s.export.tool != "": // of bodies that are no markers of the robot
			c.Kind = Bookkeeping
		case c.Kind == Unused:
			return s.HeaderError("unknown column %q; there are t, %s and the commands %s; a column that is none of them has to be left out of the file, or the commands have to be in one of their own, --commands FILE",
				c.Header, strings.Join(l.Pose, ", "), strings.Join(targets.Names(), ", "))
		case c.Kind == RobotNumber:
			c.Kind = Unused
		}
	}
	for _, c := range g {
		if c.Kind == Command {
			if err := targets.Claim(claims, c.Header, c.Target); err != nil {
				return s.HeaderError("%w", err)
			}
		}
	}
	return s.checkPose(l)
}

// dropOthers leaves out columns beside a pose that are no commands for certain: other times, rotations of other bodies, vectors where no
// command is one, and all that are left where the commands are in a file of their own.
func (s *sheet) dropOthers(targets Targets) {
	g := s.grammar
	if !g.has(Position) && !g.has(Orientation) {
		return
	}
	drop := func(i int) {
		g[i].Kind = Bookkeeping
		s.dropped = append(s.dropped, g[i].Header)
	}
	for i, c := range g {
		name, _ := wordsOf(c.Header)
		_, kind, _, isPose := poseColumn(c.Header)
		switch {
		case c.Kind != Unused || c.Header == "" || s.isBodies(i):
		case s.o.Commanded && g.has(Time), g.has(Time) && len(name) > 2 && slices.Contains(timeWords, name), isPose && kind == Orientation:
			drop(i)
		}
	}
	if targets.vectors() {
		return
	}
	for _, at := range g.vectors() {
		for _, i := range at {
			drop(i)
		}
	}
}

// markerOf makes a column the coordinate of a marker, if it is that of one of them.
func (c *Column) markerOf(markers []string) bool {
	for _, name := range markers {
		for k, axis := range axes {
			if factor, ok := withUnit(c.Header, name+"_"+axis); ok {
				c.Kind, c.Name, c.Index, c.Factor = MarkerPoint, name, k, factor
				return true
			}
		}
	}
	return false
}

// takeOtherNames finds time and pose by the names that they have in files of any robot, where those
// of this robot are missing.
func (s *sheet) takeOtherNames() error {
	if !s.grammar.has(Time) {
		if _, err := s.findTime(); err != nil {
			return err
		}
	}
	g := s.grammar // with times that are no column
	if !g.has(Position) {
		for k, axis := range axes {
			if !g.take(Position, "", k, tipPrefix+axis, axis) {
				break
			}
		}
	}
	if !g.has(Position) {
		if _, err := s.takeByWords(Position, axes, positionWords, positionEnds, lengthUnits); err != nil {
			return err
		}
	}
	if !g.has(Position) && s.takePoints() {
		return s.takeOtherNames()
	}
	s.planar = g.components(Position) == 1|2
	if g.has(Orientation) {
		return nil
	}
	if err := s.findRotations(tipPrefix); err != nil && g.has(Position) {
		return err
	}
	return nil // what is wrong without a position, checkPose says
}

// components are those of a kind of which there are columns, a bit each.
func (g grammar) components(kind Kind) (bits int) {
	for _, c := range g {
		if c.Kind == kind {
			bits |= 1 << c.Index
		}
	}
	return bits
}

// checkPose refuses columns that do not make a measured pose.
func (s *sheet) checkPose(l *Layout) error {
	count := func(kind Kind, name string) (n int) {
		for _, c := range s.grammar {
			if c.Kind == kind && c.Name == name {
				n++
			}
		}
		return n
	}
	for _, c := range s.grammar {
		if c.Kind == MarkerPoint && count(MarkerPoint, c.Name) < len(axes) {
			return s.HeaderError("marker %s lacks one of its columns _x, _y, _z", c.Name)
		}
	}
	const all = 1<<4 - 1
	rotationsAlone := !s.grammar.has(Position) && s.grammar.components(Orientation) == all
	if s.grammar.has(MarkerPoint) && !s.grammar.has(Position) && !s.grammar.has(Orientation) {
		return nil // markers alone
	}
	for k := range axes {
		if rotationsAlone || s.planar && k == len(axes)-1 {
			continue
		}
		if !slices.ContainsFunc(s.grammar, func(c Column) bool { return c.Kind == Position && c.Index == k }) {
			return s.lacks(l, k)
		}
	}
	if parts := count(Orientation, ""); parts != 0 && parts != len(quaternionColumns) {
		return s.HeaderError("%d of the four columns %s", parts, strings.Join(l.Pose[len(axes):], ", "))
	}
	return nil
}

// lacks is the error of a trial without a coordinate.
func (s *sheet) lacks(l *Layout, k int) error {
	if rotations := s.uncertainRotations(); rotations != "" {
		return s.HeaderError("no column %s, but rotations, %s", l.Pose[k], rotations)
	}
	return s.HeaderError("no column %s; a trial needs the measured position %s", l.Pose[k], strings.Join(l.Pose[:len(axes)], ", "))
}

// readRobot reads the rows of a robot: a cell is a finite number or empty. Without times, rows are
// equilibria, whose commands are at time 0.
func (s *sheet) readRobot(t *Trajectory, l *Layout) error {
	t.Commands = &Commands{File: s.file}
	previous := math.Inf(-1)
	for {
		row, err := s.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if s.rows++; !s.ofBody(row) {
			continue
		}
		at, command := 0.0, Row{}
		for i := range s.grammar {
			switch c := &s.grammar[i]; c.Kind {
			case Time:
				var v float64
				v, err = s.timeOf(row, i)
				s.values[i] = append(s.values[i], v)
				at += v
			case Command:
				err = s.command(command, row, i, l.Ports)
			}
			if err != nil {
				return err
			}
		}
		if at < previous {
			return row.Errorf("t = %g s goes back; the row before has %g s", at, previous)
		}
		if s.grammar.has(Time) {
			previous = at
		}
		if err := s.measured(row); err != nil {
			return err
		}
		t.Commands.Add(at, command)
		s.lines = append(s.lines, row.Line())
	}
}

// timeOf reads a time of a row, s.
func (s *sheet) timeOf(row table.Row, i int) (float64, error) {
	if s.byRow == 0 && row.Text(i) == "" {
		return 0, row.Errorf("no time")
	}
	v, err := s.cell(row, i)
	if err == nil && !spatial.IsFinite(v) {
		_, err = row.Finite(i)
	}
	return v * s.grammar[i].Factor, err
}

// finiteOrEmpty returns the number in a cell, unless that is empty.
func finiteOrEmpty(row table.Row, i int) (v float64, given bool, err error) {
	if table.IsMissing(row.Text(i)) {
		return math.NaN(), false, nil
	}
	v, err = row.Finite(i)
	return v, err == nil, err
}

// isInfinite reports whether a cell has an infinite number.
func isInfinite(row table.Row, i int) bool {
	v, err := row.Number(i)
	return err == nil && math.IsInf(v, 0)
}

// marked reports whether all numbers of the pose in the last row are the same, as where a tracker writes 0 or -999 for a pose that it did
// not see. [Trajectory.LeaveOutOccluded] decides that.
func (s *sheet) marked() bool {
	var first *float64
	for i, c := range s.grammar {
		if c.Kind != Position && c.Kind != Orientation {
			continue
		}
		v := s.values[i][len(s.values[i])-1] / c.Factor
		if first == nil {
			first = &v
		}
		if math.Abs(v-*first) > 1e-9*math.Abs(v) {
			return false
		}
	}
	return true
}

// word returns the column of the pose in which a row has a word for a missing number, −1 if it has none.
func (s *sheet) word(row table.Row) int {
	return slices.IndexFunc(s.grammar, func(c Column) bool {
		i := slices.Index(s.Header(), c.Header)
		return (c.Kind == Position || c.Kind == Orientation) && i >= 0 && row.Text(i) != "" && table.IsMissing(row.Text(i))
	})
}

// command reads what a cell commands, within the limits of the robot.
func (s *sheet) command(to Row, row table.Row, i int, ports []sim.Port) error {
	v, given, err := finiteOrEmpty(row, i)
	if err != nil || !given {
		return err
	}
	c := &s.grammar[i]
	p, k := &ports[c.Target.Port], c.Target.Value
	if least, most := p.Accepted(k); v < least || v > most {
		return row.Errorf("%s = %g %s is out of range, allowed: [%.4g, %.4g]; %s", c.Header, v, p.Unit, least, most, p.Hint)
	}
	if p.Max != nil && v > p.Max[k] {
		return row.Errorf("%s = %g %s is above the robot's limit of %g %s", c.Header, v, p.Unit, p.Max[k], p.Unit)
	}
	if p.Kind == sim.JointState && p.Min != nil && v < p.Min[k] { // what is below 0 of a tension is the noise of a sensor
		return row.Errorf("%s = %g %s is below the robot's limit of %g %s", c.Header, v, p.Unit, p.Min[k], p.Unit)
	}
	to.Set(c.Target, ports, v)
	return nil
}

// measured reads what was measured in a row: the pose, and each marker, whole or not at all. Of a row that is
// not to be used it reads nothing, whatever stands there.
func (s *sheet) measured(row table.Row) error {
	used, err := s.used(row)
	if err != nil {
		return err
	}
	s.addQuality(row)
	found, of := map[string]int{}, map[string]int{} // by the name of the marker
	var q [4]float64
	for i, c := range s.grammar {
		switch c.Kind {
		case Position, Orientation, MarkerPoint:
		default:
			continue
		}
		v, given := math.NaN(), false
		if used {
			if v, given, err = finiteOrEmpty(row, i); err != nil && isInfinite(row, i) {
				v, given, err = math.Inf(1), true, nil // judged with the others of its body
			}
			if err != nil {
				return err
			}
		}
		v *= c.Factor
		if of[c.Name]++; given {
			found[c.Name]++
		}
		if c.Kind == Orientation {
			q[c.Index] = v
		}
		s.values[i] = append(s.values[i], v)
	}
	for _, c := range s.grammar {
		n, all := found[c.Name], of[c.Name]
		switch {
		case n == 0 || n == all:
		case c.Kind == Position && c.Name == "" && s.word(row) >= 0: // NaN
			_, err := row.Finite(s.word(row))
			return err
		case c.Kind == Position:
			return row.Errorf("%d of the %d numbers of the measured pose", n, all)
		case c.Kind == MarkerPoint:
			return row.Errorf("%d of the 3 coordinates of marker %s", n, c.Name)
		}
	}
	s.dropBeyond()
	for i, c := range s.grammar {
		if c.Kind == Position || c.Kind == Orientation || c.Kind == MarkerPoint {
			if v := s.values[i][len(s.values[i])-1]; math.IsInf(v, 0) {
				_, err := row.Finite(i)
				return err
			}
		}
		if c.Kind == Position && math.IsNaN(s.values[i][len(s.values[i])-1]) {
			found[""] = 0
		}
	}
	if s.grammar.has(Orientation) && found[""] > 0 && !(s.grammar.has(Time) && s.marked()) && Rotation(q[0], q[1], q[2], q[3]) == (spatial.Mat3{}) {
		return row.Errorf("the quaternion (%g, %g, %g, %g) is not of length 1", q[0], q[1], q[2], q[3])
	}
	return nil
}
