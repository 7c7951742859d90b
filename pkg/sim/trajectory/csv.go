package trajectory

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/table"
)

// AllRobots is the number of a robot in [Options] that stands for the rows of all robots.
const AllRobots = -1

// Options say what of a CSV is read.
type Options struct {
	// Robot is whose columns they are: all must be known, and a row may lack what was not
	// measured in it or not commanded. Without it a trajectory of any robot is read: columns of other
	// names are tendons, and every row has a number in every cell.
	Robot *Layout
	// Numbered, if not empty, is the column that numbers the robots of a file of several, of which
	// Number is read or, with AllRobots, each row.
	Numbered string
	Number   int
	// Shapes allows files without times whose column s is the arc length: their rows are nodes.
	Shapes bool
	// Body is the name of the body or marker that is the tip, of a file with several; empty: the only one, or the one called tip.
	Body string
	// Commanded says that the commands of Robot are in another file: no column has to be one.
	Commanded bool
	// TimeUnit is what the times are counted in, s; 0: what the name of their column says, or s.
	TimeUnit float64
}

// sheet is a CSV in columns.
type sheet struct {
	*table.Reader
	grammar   grammar
	values    [][]float64 // by column, SI
	lines     []int       // in the file, of each row
	file      string
	o         *Options
	export    *export // nil: its first line has the names of the columns
	body      string  // that the names of the columns of the position begin with; empty: they begin with none
	planar    bool    // positions have no z
	blank     int     // rows in which no position was measured
	byRow     float64 // time from row to row, s, of a file without times; 0: it has times
	rows      int     // read so far
	beyond    int     // rows whose position is none of a measurement
	clock     clock
	ignored   []string // points that are no markers of the robot
	dropped   []string // columns that are nothing of the robot
	bodies    []bodyColumn
	flags     []flag
	unused    []string  // columns of flags of other points than the tip
	quality   int       // column, −1 without one
	qualities []float64 // by row
	named     bool      // names of columns begin with that of the body that is asked for
	links     []string  // of a mechanism, the one whose pose is that of the tip first
	chosen    int       // rows of the body that is asked for
}

// ReadCSV reads a trajectory from a CSV; file is its name in errors.
//
// The trajectory of a certain robot, or of all robots, has a sample of every signal in every row, NaN
// where nothing was measured. Of one robot of any kind, rows whose column ok is 0 are left out, and
// tip and markers where they were not measured, of which all cells are empty or NaN.
//
// Files of OptiTrack Motive, Vicon Nexus, Qualisys and TrackMate are recognised, and names of columns by what they mean. What was
// assumed and left out is told in Remarks.
//
// An error says where the file is wrong: columns that are unknown, missing or there twice, cells
// that are no numbers, commands beyond the limits of the robot.
func ReadCSV(file string, in io.Reader, o Options) (*Trajectory, error) {
	s, err := newSheet(file, in, &o)
	if err != nil {
		return nil, err
	}
	r := s.Reader
	t := &Trajectory{File: file, Name: file}
	if o.Robot != nil {
		err = s.findRobot(o.Robot)
	} else {
		err = s.findAny()
	}
	if err != nil {
		return nil, err
	}
	if o.Numbered != "" && o.Number != AllRobots && r.Choose(o.Numbered, o.Number) && o.Robot == nil {
		t.Name = fmt.Sprintf("%s, %s %d", file, o.Numbered, o.Number)
	}
	if o.Robot != nil {
		if err = s.readRobot(t, o.Robot); err == nil && s.planar && len(s.lines) == 0 {
			err = s.lacks(o.Robot, len(axes)-1) // without rows it is no track in the plane
		}
	} else {
		err = s.readAny(t)
	}
	if err = s.checkBodies(err); err != nil {
		return nil, err
	}
	t.Header, t.Lines, t.Robots = r.Header(), s.lines, r.Numbered()
	return t, s.fill(t)
}

// newSheet finds the names of the columns.
func newSheet(file string, in io.Reader, o *Options) (*sheet, error) {
	text, err := table.Open(file, in)
	if err != nil {
		return nil, err
	}
	s := &sheet{file: file, o: o}
	if s.export, err = recognise(file, text, o.Body); err != nil {
		return nil, err
	}
	if s.export == nil {
		s.Reader, err = text.Headed()
	} else {
		s.Reader, err = text.Reader(s.export.names, s.export.first)
	}
	if err != nil {
		return nil, err
	}
	s.grammar, s.values = newGrammar(s.Header()), make([][]float64, len(s.Header()))
	s.nameNumbered()
	s.nameComponentFirst()
	return s, nil
}

// findAny finds the columns of a trajectory of any robot.
func (s *sheet) findAny() error {
	g := s.grammar
	for i, c := range g {
		if slices.Contains(s.Header()[:i], c.Header) && c.Header != "" {
			return s.HeaderError("column %q appears twice", c.Header)
		}
		if s.o.Numbered != "" && c.Header == s.o.Numbered {
			g[i].Kind = RobotNumber
		}
		if c.Header == validColumn && s.o.Number != AllRobots {
			g[i].Kind = Valid
		}
	}
	timed, err := s.findTime()
	if err != nil {
		return err
	}
	g = s.grammar // with times that are no column
	shape := !timed && s.o.Shapes && g.take(ArcLength, "", 0, arcColumn)
	if !timed && !shape {
		return s.HeaderError("no column t, the time in s; there are %s%s", g.unused(), g.frames())
	}
	g.takeAll(Acceleration, accelerationColumns)
	if err := s.takeLinks(); err != nil {
		return err
	}
	if err := s.chooseBody(); err != nil {
		return err
	}
	missing, err := s.findPosition()
	if err != nil {
		return err
	}
	g.takeMarkers()
	if err := s.findTip(missing); err != nil {
		return err
	}
	g.takeAll(Velocity, velocityColumns)
	g.takeAll(FieldAtRobot, fieldColumns)
	s.findFlags()
	g.dropBookkeeping()
	if !shape {
		g.takeTendons()
	}
	s.findBodies()
	return nil
}

// findTime finds the times, or the numbers of frames at a rate that the file says.
func (s *sheet) findTime() (bool, error) {
	if s.grammar.take(Time, "", 0, timeColumns...) {
		return true, nil
	}
	if s.export != nil && s.export.rateHz > 0 && s.grammar.take(Time, "", 0, frameColumn) {
		s.column0(Time).Factor = 1 / s.export.rateHz
		return true, nil
	}
	if s.export != nil && s.export.rateHz > 0 {
		s.byRow = 1 / s.export.rateHz
		s.grammar = append(s.grammar, Column{Kind: Time, Factor: 1})
		s.values = append(s.values, nil)
		return true, nil
	}
	if found, err := s.takeTime(); found || err != nil {
		return found, err
	}
	if i := s.grammar.frame(); i >= 0 && s.o.TimeUnit > 0 { // which is the time between frames
		s.grammar[i].Kind = Time
		return true, nil
	}
	return false, nil
}

// findPosition finds the columns of the position of the tip, of a file of any robot, and returns the first coordinate that is missing,
// −1 if none is.
func (s *sheet) findPosition() (missing int, err error) {
	g := s.grammar
	for k, axis := range axes {
		if g.take(Position, "", k, tipPrefix+axis, axis) {
			continue
		}
		if k > 0 {
			return k, nil
		}
		all, err := s.takeByWords(Position, axes, positionWords, positionEnds, lengthUnits)
		switch {
		case all || err != nil:
			return -1, err
		case g.has(Position):
			return 2, nil
		}
		return 0, nil
	}
	return -1, nil
}

// findTip finds what else there is of the pose of the tip, of a file of any robot, in which a coordinate is missing, or none where
// that is −1.
func (s *sheet) findTip(missing int) (err error) {
	g := s.grammar
	switch {
	case missing == 2:
		s.planar = true
	case missing == 0 && len(s.links) > 0:
		return nil
	case missing == 0 && s.takePoints():
		if missing, err = s.findPosition(); err != nil {
			return err
		}
		return s.findTip(missing)
	case missing >= 0 && (missing > 0 || !g.has(MarkerPoint) || s.o.Number == AllRobots):
		if s.hasQuaternion() {
			return s.HeaderError("rotations without positions; identify reads them, of a trial with commands")
		}
		if rotations := s.uncertainRotations(); rotations != "" {
			return s.HeaderError("no positions but rotations, %s, which identify reads", rotations)
		}
		return s.HeaderError("no column %s or tip_%s, a position in m; there are %s%s", axes[missing], axes[missing], g.unused(), g.nameTip())
	case missing == 0: // markers alone
		return nil
	}
	return s.findRotations(tipPrefix)
}

// hasQuaternion reports whether there are columns of a quaternion.
func (s *sheet) hasQuaternion() bool {
	all, err := s.takeByWords(Orientation, quaternionParts, quaternionWords, quaternionEnds, nil)
	return all && err == nil
}

// findRotations finds the four columns of a quaternion.
func (s *sheet) findRotations(prefix string) error {
	found := 0
	for k, part := range quaternionColumns {
		names := []string{prefix + part, part}
		if found == len(axes) { // of NDI
			names = append(names, "q0")
		}
		if s.grammar.take(Orientation, "", k, names...) {
			found++
		}
	}
	if found == 0 {
		_, err := s.takeByWords(Orientation, quaternionParts, quaternionWords, quaternionEnds, nil)
		return err
	}
	if found != len(quaternionColumns) {
		return s.HeaderError("%d of the four columns of a quaternion, qx, qy, qz, qw", found)
	}
	return nil
}

// column0 is the first column of a kind.
func (s *sheet) column0(kind Kind) *Column {
	return &s.grammar[slices.IndexFunc(s.grammar, func(c Column) bool { return c.Kind == kind })]
}

// readAny reads the rows of any robot: a cell is a number, which may be NaN or infinite. It may be empty where ok is 0, and
// those of a position where all of them are: nothing was measured there.
func (s *sheet) readAny(t *Trajectory) error {
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
		used, err := s.used(row)
		if err != nil {
			return err
		}
		dropped := !used && !s.o.keepsGaps()
		absent := s.absent(row)
		if !dropped && !s.o.keepsGaps() && s.nothing(row) {
			s.blank++
			continue
		}
		for i, c := range s.grammar {
			if c.Kind == Bookkeeping || c.Kind == Valid || c.Header == "" && c.Kind != Time {
				continue
			}
			v, err := s.cell(row, i)
			if err != nil && s.isBodies(i) {
				v, err = math.NaN(), nil
			}
			if err != nil && (used && !absent[c.body()] || !table.IsMissing(row.Text(i))) {
				return err
			}
			if err != nil {
				v = math.NaN()
			}
			if !dropped {
				s.values[i] = append(s.values[i], v*c.Factor)
			}
		}
		if dropped {
			continue
		}
		s.dropBeyond()
		s.addQuality(row)
		s.lines = append(s.lines, row.Line())
	}
}

// keepsGaps reports whether rows without a measurement are kept.
func (o *Options) keepsGaps() bool { return o.Robot != nil || o.Number == AllRobots }

// cell reads a number, of times also what a clock shows.
func (s *sheet) cell(row table.Row, i int) (float64, error) {
	if s.byRow > 0 && s.grammar[i].Kind == Time {
		return s.byRow * float64(s.rows-1), nil
	}
	v, err := row.Number(i)
	if err != nil && s.grammar[i].Kind == Time {
		at, ok, uncertain := s.clock.read(row.Text(i))
		switch {
		case ok:
			return at, nil
		case uncertain != nil:
			return 0, row.Errorf("%s = %q %w", s.Header()[i], row.Text(i), uncertain)
		}
	}
	return v, err
}

// body is whose pose a column is part of: that of the tip, of a marker, or of none.
func (c *Column) body() string {
	switch c.Kind {
	case Position, Orientation:
		return tipPrefix
	case MarkerPoint, MarkerRotation:
		return tipPrefix + c.Name
	}
	return ""
}

// absent finds the bodies of which a row has no number at all.
func (s *sheet) absent(row table.Row) map[string]bool {
	absent := map[string]bool{}
	for i, c := range s.grammar {
		if body := c.body(); body != "" {
			missing := table.IsMissing(row.Text(i))
			if before, seen := absent[body]; seen {
				missing = missing && before
			}
			absent[body] = missing
		}
	}
	return absent
}

// nothing reports whether a row has nothing but a time.
func (s *sheet) nothing(row table.Row) bool {
	for i, c := range s.grammar {
		if c.Kind != Time && c.Kind != Bookkeeping && c.Kind != Unused && c.Header != "" && !table.IsMissing(row.Text(i)) {
			return false
		}
	}
	return true
}

// column returns the values of a column, nil if it is not there.
func (s *sheet) column(kind Kind, name string, index int) []float64 {
	i := slices.IndexFunc(s.grammar, func(c Column) bool { return c.Kind == kind && c.Name == name && c.Index == index })
	if i < 0 {
		return nil
	}
	if s.values[i] == nil { // a column without rows
		return []float64{}
	}
	return s.values[i]
}

// finite returns the rows of columns, nil unless all are there and finite.
func (s *sheet) finite(columns ...[]float64) [][]float64 {
	rows := make([][]float64, len(s.lines))
	for i := range rows {
		rows[i] = make([]float64, len(columns))
		for k, values := range columns {
			if values == nil || math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
				return nil
			}
			rows[i][k] = values[i]
		}
	}
	return rows
}

// vector returns the rows of the components of a kind, nil unless all are there and finite.
func (s *sheet) vector(kind Kind, names []string) [][]float64 {
	if !s.grammar.has(kind) {
		return nil
	}
	columns := make([][]float64, len(names))
	for k := range names {
		columns[k] = s.column(kind, "", k)
	}
	return s.finite(columns...)
}

// fill makes signals of the columns.
func (s *sheet) fill(t *Trajectory) error {
	times := s.column(Time, "", 0)
	t.Untimed = times == nil
	if n := s.column(Time, "", 1); n != nil { // nanoseconds
		for i := range times {
			if !(n[i] >= 0 && n[i] < 1) {
				return s.notPart(i, n[i])
			}
			times[i] += n[i]
		}
	}
	if scale := s.timeScale(t, times); scale != 1 {
		scaleAll(times, scale)
		if t.Commands != nil {
			scaleAll(t.Commands.T, scale)
		}
	}
	if err := s.checkBeyond(t); err != nil {
		return err
	}
	s.useQuality(t)
	s.remarkFlags(t)
	if s.grammar.has(Position) || s.grammar.has(Orientation) {
		t.Tip = s.poses(times)
		if !s.o.keepsGaps() {
			s.blank += t.Tip.measured()
			t.Repeated = t.Tip.distinct()
		}
	}
	s.remark(t)
	s.markers(t, times)
	s.useLink(t)
	t.Velocity, t.Acceleration, t.Field = s.vector(Velocity, velocityColumns), s.vector(Acceleration, accelerationColumns), s.vector(FieldAtRobot, fieldColumns)
	t.Actuation = s.actuation(times)
	for _, c := range s.grammar {
		switch {
		case c.Kind == Angle:
			t.Angles = append(t.Angles, c.Header)
			fallthrough
		case c.Kind == Unused && c.Header != "", c.Kind == MarkerPoint, c.Kind == Velocity && t.Velocity == nil, c.Kind == Acceleration && t.Acceleration == nil,
			c.Kind == FieldAtRobot && t.Field == nil, (c.Kind == Tension || c.Kind == Pull) && !slices.Contains(t.Actuation.Names, c.Name):
			t.Ignored = append(t.Ignored, c.Header)
		}
	}
	if len(times) > 0 && sinceEpoch(times) {
		t.Warning = fmt.Sprintf("%s: times since 1970 as floating-point seconds resolve 0.2 us only", s.file)
	}
	if s.o.Number == AllRobots && s.o.Numbered != "" {
		return s.number(t)
	}
	return nil
}

// notPart is the error of a time that is no part of a second.
func (s *sheet) notPart(row int, seconds float64) error {
	k := slices.IndexFunc(s.grammar, func(c Column) bool { return c.Kind == Time && c.Index == 1 })
	return fmt.Errorf("%s:%d: %s = %g s is no part of a second, as that of the column %s beside it; leave one of them out", s.file, s.lines[row], s.grammar[k].Header, seconds, s.column0(Time).Header)
}

// poses are those of the tip, in every row.
func (s *sheet) poses(times []float64) Poses {
	p := Poses{T: times, Rotations: s.grammar.has(Orientation), Planar: s.planar, Unplaced: !s.grammar.has(Position)}
	x, y, z := s.column(Position, "", 0), s.column(Position, "", 1), s.column(Position, "", 2)
	if p.Unplaced {
		x = slices.Repeat([]float64{math.NaN()}, len(s.lines))
		y, z = x, x
	}
	if s.planar {
		z = make([]float64, len(x))
	}
	var q [4][]float64
	for k := range q {
		q[k] = s.column(Orientation, "", k)
	}
	for i := range x {
		one := spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: x[i], Y: y[i], Z: z[i]}}
		if p.Rotations {
			one.R = Rotation(q[0][i], q[1][i], q[2][i], q[3][i])
		}
		p.Pose = append(p.Pose, one)
	}
	return p
}

// markers are the points that have names, in every row: NaN where they were not measured.
func (s *sheet) markers(t *Trajectory, times []float64) {
	for _, c := range s.grammar {
		if c.Kind != MarkerPoint || slices.ContainsFunc(t.Markers, func(m Marker) bool { return m.Name == c.Name }) {
			continue
		}
		m := Marker{Name: c.Name, Poses: Poses{T: times}}
		x, y, z := s.column(MarkerPoint, c.Name, 0), s.column(MarkerPoint, c.Name, 1), s.column(MarkerPoint, c.Name, 2)
		for i := range x {
			m.Pose = append(m.Pose, spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: x[i], Y: y[i], Z: z[i]}})
		}
		if m.Rotations = s.column(MarkerRotation, c.Name, 0) != nil; m.Rotations {
			var q [4][]float64
			for k := range q {
				q[k] = s.column(MarkerRotation, c.Name, k)
			}
			for i := range m.Pose {
				m.Pose[i].R = Rotation(q[0][i], q[1][i], q[2][i], q[3][i])
			}
		}
		if s.o.Robot == nil && s.o.Number != AllRobots {
			m.Measured()
		}
		t.Markers = append(t.Markers, m)
	}
}

// actuation are the tendons whose tensions, or whose pulls, all rows have.
func (s *sheet) actuation(times []float64) (a Actuation) {
	for _, c := range s.grammar {
		if (c.Kind == Tension || c.Kind == Pull) && !slices.Contains(a.Names, c.Name) {
			a.Names = append(a.Names, c.Name)
		}
	}
	if len(a.Names) == 0 {
		return Actuation{}
	}
	var pulls, tensions [][]float64
	for _, name := range a.Names {
		pulls, tensions = append(pulls, s.column(Pull, name, 0)), append(tensions, s.column(Tension, name, 0))
	}
	a.T, a.Pull, a.Tension = times, s.finite(pulls...), s.finite(tensions...)
	if a.Pull == nil && a.Tension == nil {
		return Actuation{}
	}
	return a
}

// number reads which robot each row is of.
func (s *sheet) number(t *Trajectory) error {
	values := s.column(RobotNumber, "", 0)
	if values == nil {
		return nil
	}
	t.Robot = make([]int, len(values))
	for i, v := range values {
		if !(v >= 0 && v <= math.MaxInt32 && v == math.Trunc(v)) {
			return fmt.Errorf("%s:%d: %s = %g is no number of a %[3]s; want 0, 1, 2, …", s.file, s.lines[i], s.o.Numbered, v)
		}
		t.Robot[i] = int(v)
		t.Robots = max(t.Robots, int(v)+1)
	}
	return nil
}
