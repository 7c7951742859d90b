package offline

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// Rows formats the values of a model's Out ports as rows of CSV: one for each time or, for a swarm,
// one for each robot and time.
type Rows struct {
	model sim.Model
	swarm sim.Swarm // nil: the model is of one robot
	each  int       // rows for each time
	spans []span
	names []string
}

// span is a run of values of an Out port, in column order.
type span struct {
	port, first, end int
	width            int       // of the port
	values           []float64 // values of the whole port, of all robots
}

// NewRows makes the rows of a robot's model.
func NewRows(m sim.Model, robot *program.Robot) (*Rows, error) {
	s := &Rows{model: m, each: 1, names: []string{"t"}}
	if swarm, ok := sim.As[sim.Swarm](m); ok && robot.RobotColumn != "" && swarm.Robots() > 0 {
		s.swarm, s.each = swarm, swarm.Robots()
	}
	ports := m.Ports()
	for _, l := range robot.Samples(ports) {
		i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == l.Port && p.Direction == sim.Out })
		if i < 0 {
			return nil, fmt.Errorf("the model has no output %q", l.Port)
		}
		width := ports[i].Width()
		p := span{i, l.First, l.First + len(l.Columns), width, make([]float64, s.each*width)}
		if s.swarm != nil && !s.swarm.ValueOfAll(i, p.values) {
			return nil, fmt.Errorf("the model has no output %q of every robot", l.Port)
		}
		s.spans = append(s.spans, p)
		s.names = append(s.names, l.Columns...)
	}
	if s.swarm != nil {
		s.names = append(s.names, robot.RobotColumn)
	}
	return s, nil
}

// Columns returns the names of the columns, t first.
func (s *Rows) Columns() []string { return s.names }

// Append appends the rows of time t (s) to dst, each between before and after, numbers with
// 17 significant digits.
func (s *Rows) Append(dst []byte, t float64, before, after []byte) []byte {
	for _, p := range s.spans {
		if s.swarm != nil {
			s.swarm.ValueOfAll(p.port, p.values)
		} else {
			s.model.Value(p.port, p.values)
		}
	}
	for k := range s.each {
		dst = appendNumber(append(dst, before...), t)
		for _, p := range s.spans {
			for _, v := range p.values[k*p.width+p.first : k*p.width+p.end] {
				dst = appendNumber(append(dst, ','), v)
			}
		}
		if s.swarm != nil {
			dst = strconv.AppendInt(append(dst, ','), int64(k), 10)
		}
		dst = append(append(dst, after...), '\n')
	}
	return dst
}

// sampleWriter is a sink that writes Rows.
type sampleWriter struct {
	w    *bufio.Writer
	rows *Rows
	line []byte
}

// newSampleWriter writes the header to out.
func newSampleWriter(out io.Writer, m sim.Model, robot *program.Robot) (*sampleWriter, error) {
	rows, err := NewRows(m, robot)
	if err != nil {
		return nil, err
	}
	s := &sampleWriter{w: bufio.NewWriter(out), rows: rows}
	_, err = fmt.Fprintln(s.w, strings.Join(rows.Columns(), ","))
	return s, err
}

// write adds the rows of time t (s).
func (s *sampleWriter) write(t float64) error {
	s.line = s.rows.Append(s.line[:0], t, nil, nil)
	_, err := s.w.Write(s.line)
	return err
}

// command implements sink. A CSV has the setpoints, not the commands.
func (s *sampleWriter) command(float64, int, []float64) {}

// finish implements sink.
func (s *sampleWriter) finish() error { return s.w.Flush() }

// appendNumber appends v with 17 significant digits, which any float64 survives.
func appendNumber(dst []byte, v float64) []byte {
	return strconv.AppendFloat(dst, v, 'g', 17, 64)
}
