package identify

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/table"
	"sinew/pkg/sim/trajectory"
)

// Layout says which columns the CSV of a trial may have besides t.
type Layout struct {
	Ports  []sim.Port // whose commands are columns, see package commands
	Pose   []string   // x, y, z, qx, qy, qz, qw of the measured pose
	Others []string   // passed over
	// Markers are those of the robot, of each of which x, y and z may be columns.
	Markers Markers
	// Numbered, if not empty, is the column that numbers the robots of a file of several,
	// of which Robot is read.
	Numbered string
	Robot    int
}

// trialColumns says what the columns of a trial's file are.
type trialColumns struct {
	t       int // −1: none
	targets map[int]trajectory.Target
	pose    [7]int // x y z qx qy qz qw; −1: none
	ok      int    // 0: the row is not to be used; −1: none
	markers []marker
	places  [][3]int // of the markers' x, y, z
}

// ReadTrial reads a CSV of commands and measured poses, such as sim writes: t, the
// columns of the robot's pose, and columns that command it. An empty cell is
// nothing commanded, or nothing measured. file is its name in errors.
func ReadTrial(file string, in io.Reader, l *Layout) (*Trial, error) {
	r, err := table.NewReader(file, in)
	if err != nil {
		return nil, err
	}
	c, err := l.find(r)
	if err != nil {
		return nil, err
	}
	if l.Numbered != "" {
		r.Choose(l.Numbered, l.Robot)
	}
	tr := &Trial{Name: file, Static: c.t < 0, rotations: c.pose[3] >= 0, markers: c.markers}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			tr.Robots = r.Numbered()
			return tr, tr.settle()
		}
		if err != nil {
			return nil, err
		}
		if err := tr.add(row, r.Header(), c, l.Ports); err != nil {
			return nil, err
		}
	}
}

// find finds the meaning of every column. Those that sim writes besides are passed
// over.
func (l *Layout) find(r *table.Reader) (*trialColumns, error) {
	c := &trialColumns{t: -1, targets: map[int]trajectory.Target{}, pose: [7]int{-1, -1, -1, -1, -1, -1, -1}, ok: -1}
	columns := trajectory.NewColumns(l.Ports)
	for i, name := range r.Header() {
		target, commanded := columns.Target(name)
		marked, axis, isMarker := l.Markers.index(name)
		switch k := slices.Index(l.Pose, name); {
		case slices.Index(r.Header(), name) < i:
			return nil, r.HeaderError("two columns %q", name)
		case name == "t":
			c.t = i
		case name == "ok":
			c.ok = i
		case isMarker:
			if err := c.mark(l.Markers.at(marked), axis, i); err != nil {
				return nil, r.HeaderError("%w", err)
			}
		case k >= 0:
			c.pose[k] = i
		case commanded:
			c.targets[i] = target
		case !slices.Contains(l.Others, name) && (l.Numbered == "" || name != l.Numbered):
			return nil, r.HeaderError("unknown column %q; there are t, %s and the commands %s", name, strings.Join(l.Pose, ", "), strings.Join(columns.Names(), ", "))
		}
	}
	claims := trajectory.Claims{}
	for i, name := range r.Header() {
		if target, ok := c.targets[i]; ok {
			if err := columns.Claim(claims, name, target); err != nil {
				return nil, r.HeaderError("%w", err)
			}
		}
	}
	return c, l.checkPose(r, c)
}

// checkPose refuses columns that do not make a measured pose.
func (l *Layout) checkPose(r *table.Reader, c *trialColumns) error {
	for k, at := range c.places {
		if slices.Contains(at[:], -1) {
			return r.HeaderError("marker %s lacks one of its columns _x, _y, _z", c.markers[k].name)
		}
	}
	if len(c.places) > 0 && slices.Equal(c.pose[:], []int{-1, -1, -1, -1, -1, -1, -1}) {
		return nil // markers alone
	}
	for k, name := range l.Pose[:3] {
		if c.pose[k] < 0 {
			return r.HeaderError("no column %s; a trial needs the measured position %s", name, strings.Join(l.Pose[:3], ", "))
		}
	}
	parts := 0
	for _, i := range c.pose[3:] {
		if i >= 0 {
			parts++
		}
	}
	if parts != 0 && parts != 4 {
		return r.HeaderError("%d of the four columns %s", parts, strings.Join(l.Pose[3:], ", "))
	}
	return nil
}

// mark says that column i is a coordinate of a marker.
func (c *trialColumns) mark(m marker, axis, i int) error {
	k := slices.IndexFunc(c.markers, func(o marker) bool { return o.index == m.index })
	if k < 0 {
		k = len(c.markers)
		c.markers, c.places = append(c.markers, m), append(c.places, [3]int{-1, -1, -1})
	}
	if c.places[k][axis] >= 0 {
		return fmt.Errorf("two columns of marker %s for one coordinate", m.name)
	}
	c.places[k][axis] = i
	return nil
}

// given returns the number in a cell, unless that is empty.
func given(row table.Row, i int) (v float64, ok bool, err error) {
	if row.Text(i) == "" {
		return 0, false, nil
	}
	v, err = row.Finite(i)
	return v, err == nil, err
}

// add appends a row.
func (tr *Trial) add(row table.Row, header []string, c *trialColumns, ports []sim.Port) error {
	added := trialRow{commands: trajectory.Row{}}
	if c.t >= 0 {
		t, ok, err := given(row, c.t)
		switch n := len(tr.rows); {
		case err != nil:
			return err
		case !ok:
			return row.Errorf("no time")
		case n > 0 && t < tr.rows[n-1].t:
			return row.Errorf("t = %g s goes back; the row before has %g s", t, tr.rows[n-1].t)
		}
		added.t = t
	}
	for i := range header {
		target, commanded := c.targets[i]
		if !commanded {
			continue
		}
		v, ok, err := given(row, i)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if p := &ports[target.Port]; p.Max != nil && v > p.Max[target.Value] {
			return row.Errorf("%s = %g %s is above the robot's limit of %g %s", header[i], v, p.Unit, p.Max[target.Value], p.Unit)
		}
		// what is below 0 of a tension is the noise of a sensor
		if p := &ports[target.Port]; p.Kind == sim.JointState && p.Min != nil && v < p.Min[target.Value] {
			return row.Errorf("%s = %g %s is below the robot's limit of %g %s", header[i], v, p.Unit, p.Min[target.Value], p.Unit)
		}
		added.commands.Set(target, ports, v)
	}
	if err := added.measure(row, c); err != nil {
		return err
	}
	tr.rows = append(tr.rows, added)
	return nil
}

// measure reads what was measured. Of a row that is not to be used it reads nothing, whatever stands there.
func (r *trialRow) measure(row table.Row, c *trialColumns) error {
	if c.ok >= 0 {
		switch ok, given, err := given(row, c.ok); {
		case err != nil:
			return err
		case given && ok == 0:
			r.markers = slices.Repeat([]spatial.Vec{unseen}, len(c.places))
			return nil
		}
	}
	if err := r.measurePose(row, c); err != nil {
		return err
	}
	return r.measureMarkers(row, c)
}

// measurePose reads the measured pose, all of it or nothing.
func (r *trialRow) measurePose(row table.Row, c *trialColumns) error {
	var v [7]float64
	count, want := 0, 0
	for k, i := range c.pose {
		if i < 0 {
			continue
		}
		want++
		x, ok, err := given(row, i)
		if err != nil {
			return err
		}
		if ok {
			v[k] = x
			count++
		}
	}
	if count != 0 && count != want {
		return row.Errorf("%d of the %d numbers of the measured pose", count, want)
	}
	r.measured, r.posed = count > 0, count > 0
	r.pose.p = vec(v[:3])
	if r.measured && want == 7 {
		r.pose.r = trajectory.Rotation(v[3], v[4], v[5], v[6])
		if r.pose.r == (spatial.Mat3{}) {
			return row.Errorf("the quaternion (%g, %g, %g, %g) is not of length 1", v[3], v[4], v[5], v[6])
		}
	}
	return nil
}

// measureMarkers reads where the markers were measured, each whole or not at all.
func (r *trialRow) measureMarkers(row table.Row, c *trialColumns) error {
	for k, at := range c.places {
		var v [3]float64
		count := 0
		for axis, i := range at {
			x, ok, err := given(row, i)
			if err != nil {
				return err
			}
			if ok {
				v[axis] = x
				count++
			}
		}
		switch count {
		case 0:
			r.markers = append(r.markers, unseen)
		case len(v):
			r.markers, r.measured = append(r.markers, vec(v[:])), true
		default:
			return row.Errorf("%d of the 3 coordinates of marker %s", count, c.markers[k].name)
		}
	}
	return nil
}

// settle checks the rows of a CSV and lets time begin at 0.
func (tr *Trial) settle() error {
	if err := tr.checkPoses(); err != nil {
		return err
	}
	tr.start = tr.rows[0].t
	tr.commands, tr.own = &trajectory.Commands{}, true
	for i := range tr.rows {
		row := &tr.rows[i]
		row.t -= tr.start
		tr.commands.Add(row.t, row.commands)
	}
	return nil
}
