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
}

// sheet is a CSV in columns.
type sheet struct {
	*table.Reader
	grammar grammar
	values  [][]float64 // by column, SI
	lines   []int       // in the file, of each row
	file    string
	o       *Options
}

// ReadCSV reads a trajectory from a CSV; file is its name in errors.
//
// The trajectory of a certain robot, or of all robots, has a sample of every signal in every row, NaN
// where nothing was measured. Of one robot of any kind, rows whose column ok is 0 are left out, and
// markers where they were not measured.
//
// An error says where the file is wrong: columns that are unknown, missing or there twice, cells
// that are no numbers, commands beyond the limits of the robot.
func ReadCSV(file string, in io.Reader, o Options) (*Trajectory, error) {
	r, err := table.NewReader(file, in)
	if err != nil {
		return nil, err
	}
	s := &sheet{Reader: r, grammar: newGrammar(r.Header()), values: make([][]float64, len(r.Header())), file: file, o: &o}
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
		err = s.readRobot(t, o.Robot)
	} else {
		err = s.readAny(t)
	}
	if err != nil {
		return nil, err
	}
	t.Header, t.Lines, t.Robots = r.Header(), s.lines, r.Numbered()
	return t, s.fill(t)
}

// findAny finds the columns of a trajectory of any robot.
func (s *sheet) findAny() error {
	g := s.grammar
	for i, c := range g {
		if slices.Index(s.Header(), c.Header) < i {
			return s.HeaderError("column %q appears twice", c.Header)
		}
		if s.o.Numbered != "" && c.Header == s.o.Numbered {
			g[i].Kind = RobotNumber
		}
		if c.Header == validColumn && s.o.Number != AllRobots {
			g[i].Kind = Valid
		}
	}
	timed := g.take(Time, "", 0, timeColumns...)
	shape := !timed && s.o.Shapes && g.take(ArcLength, "", 0, arcColumn)
	if !timed && !shape {
		return s.HeaderError("no column t, the time in s; there are %s", g.unused())
	}
	g.takeAll(Acceleration, accelerationColumns)
	g.takeMarkers()
	for k, axis := range axes {
		if !g.take(Position, "", k, tipPrefix+axis, axis) && (k > 0 || !g.has(MarkerPoint) || s.o.Number == AllRobots) {
			return s.HeaderError("no column %s or tip_%s, a position in m; there are %s", axis, axis, g.unused())
		}
		if !g.has(Position) {
			break // markers alone
		}
	}
	if g.has(Position) {
		found := 0
		for k, part := range quaternionColumns {
			if g.take(Orientation, "", k, tipPrefix+part, part) {
				found++
			}
		}
		if found != 0 && found != len(quaternionColumns) {
			return s.HeaderError("%d of the four columns of a quaternion, qx, qy, qz, qw", found)
		}
	}
	g.takeAll(Velocity, velocityColumns)
	g.takeAll(FieldAtRobot, fieldColumns)
	if !shape {
		g.takeTendons()
	}
	return nil
}

// readAny reads the rows of any robot: a cell is a number, which may be NaN or infinite, and may be
// empty only where ok is 0.
func (s *sheet) readAny(t *Trajectory) error {
	ok := slices.Index(s.Header(), validColumn)
	for {
		row, err := s.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		used := true
		if ok >= 0 {
			v, err := row.Number(ok)
			used = err != nil || v != 0
		}
		dropped := !used && s.grammar[ok].Kind == Valid
		for i, c := range s.grammar {
			v, err := row.Number(i)
			if err != nil && (used || row.Text(i) != "") {
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
			t.Dropped++
			continue
		}
		s.lines = append(s.lines, row.Line())
	}
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
	if s.grammar.has(Position) {
		t.Tip = s.poses(times)
	}
	s.markers(t, times)
	t.Velocity, t.Acceleration, t.Field = s.vector(Velocity, velocityColumns), s.vector(Acceleration, accelerationColumns), s.vector(FieldAtRobot, fieldColumns)
	t.Actuation = s.actuation(times)
	for _, c := range s.grammar {
		switch {
		case c.Kind == Angle:
			t.Angles = append(t.Angles, c.Header)
			fallthrough
		case c.Kind == Unused, c.Kind == MarkerPoint, c.Kind == Velocity && t.Velocity == nil, c.Kind == Acceleration && t.Acceleration == nil,
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

// poses are those of the tip, in every row.
func (s *sheet) poses(times []float64) Poses {
	p := Poses{T: times, Rotations: s.grammar.has(Orientation)}
	x, y, z := s.column(Position, "", 0), s.column(Position, "", 1), s.column(Position, "", 2)
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
