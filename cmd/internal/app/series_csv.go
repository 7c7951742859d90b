package app

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/spatial"
)

// table is a CSV of numbers under a header. # starts a comment.
type table struct {
	file    string
	names   []string
	columns map[string][]float64
	lines   []int // of each row
}

// readTable reads a CSV; NaN and Inf are numbers, empty cells are not.
func readTable(file string) (*table, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	r.TrimLeadingSpace = true
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no header: %w", file, err)
	}
	t := &table{file: file, columns: map[string][]float64{}}
	for _, h := range header {
		h = strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")) // the mark of files from spreadsheets
		if slices.Contains(t.names, h) {
			return nil, fmt.Errorf("%s:1: column %q appears twice", file, h)
		}
		t.names = append(t.names, h)
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := r.FieldPos(0)
		for i, text := range fields {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return nil, fmt.Errorf("%s:%d: %s = %q is not a number", file, line, t.names[i], text)
			}
			t.columns[t.names[i]] = append(t.columns[t.names[i]], v)
		}
		t.lines = append(t.lines, line)
	}
}

// column returns a column under one of its names and takes it out of the table;
// a name with the suffix of a unit is converted to SI. Nil if there is none.
func (t *table) column(names ...string) []float64 {
	units := []struct {
		suffix string
		factor float64
	}{{"", 1}, {"_m", 1}, {"_s", 1}, {"_mm", 1e-3}, {"_ms", 1e-3}}
	for _, name := range names {
		for _, u := range units {
			i := slices.Index(t.names, name+u.suffix)
			if i < 0 {
				continue
			}
			t.names = slices.Delete(t.names, i, i+1)
			c := t.columns[name+u.suffix]
			if c == nil {
				c = []float64{}
			}
			for k := range c {
				c[k] *= u.factor
			}
			return c
		}
	}
	return nil
}

// notTendons are columns of sim that say nothing of tendons.
var notTendons = []string{"vx", "vy", "vz", "wx", "wy", "wz", "bx", "by", "bz", "gxx", "gxy", "gxz", "gyy", "gyz"}

// readTrackCSV reads the CSV of sim, or any with t, x, y, z and perhaps qx, qy,
// qz, qw. Further columns are tendons: tensions in N, or pulls in m under a name
// that ends in ":m".
func readTrackCSV(s source) (*track, error) {
	t, err := readTable(s.file)
	if err != nil {
		return nil, err
	}
	m := &track{name: s.file}
	if m.seconds = t.column("t", "time"); m.seconds == nil {
		return nil, fmt.Errorf("%s:1: no column t, the time in s; there are %s", s.file, strings.Join(t.names, ", "))
	}
	var position [3][]float64
	for i, axis := range []string{"x", "y", "z"} {
		if position[i] = t.column("tip_"+axis, axis); position[i] == nil {
			return nil, fmt.Errorf("%s:1: no column %s or tip_%s, a position in m; there are %s", s.file, axis, axis, strings.Join(t.names, ", "))
		}
	}
	var q [4][]float64
	found := 0
	for i, part := range []string{"qx", "qy", "qz", "qw"} {
		if q[i] = t.column("tip_"+part, part); q[i] != nil {
			found++
		}
	}
	if found != 0 && found != len(q) {
		return nil, fmt.Errorf("%s:1: %d of the four columns of a quaternion, qx, qy, qz, qw", s.file, found)
	}
	m.rotations = found > 0
	for i := range m.seconds {
		p := spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: position[0][i], Y: position[1][i], Z: position[2][i]}}
		if m.rotations {
			p.R = rotation(q[0][i], q[1][i], q[2][i], q[3][i])
		}
		m.poses = append(m.poses, p)
	}
	m.tendons = t.tendons()
	// more than 30 years into its own clock a file has the one that began in 1970
	const years30 = 1e9
	if len(m.seconds) > 0 && m.seconds[0] > years30 {
		m.warning = fmt.Sprintf("%s: times since 1970 as floating-point seconds resolve 0.2 us only", s.file)
	}
	return m, nil
}

// tendons takes what is left of the table: a tendon's tension, its pull, or both.
func (t *table) tendons() tendonRows {
	var r tendonRows
	for _, name := range t.names {
		if name = strings.TrimSuffix(name, ":m"); name != "" && !slices.Contains(notTendons, name) && !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
	}
	r.pull, r.tension = t.rows(r.names, ":m"), t.rows(r.names, "")
	if r.pull == nil && r.tension == nil {
		r.names = nil
	}
	return r
}

// rows returns the columns of names, nil unless all are there and finite.
func (t *table) rows(names []string, suffix string) [][]float64 {
	rows := make([][]float64, len(t.lines))
	for i := range rows {
		rows[i] = make([]float64, len(names))
		for k, name := range names {
			c := t.columns[name+suffix]
			if len(c) <= i || math.IsNaN(c[i]) || math.IsInf(c[i], 0) {
				return nil
			}
			rows[i][k] = c[i]
		}
	}
	return rows
}
