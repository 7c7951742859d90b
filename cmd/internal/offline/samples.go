package offline

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// sampleWriter is a sink: it writes what the model's Out ports show as rows of CSV, one
// for each time or, of a swarm, one for each robot and time.
type sampleWriter struct {
	w     *bufio.Writer
	model sim.Model
	swarm sim.Swarm // nil: the model is of one robot
	rows  int       // for each time
	spans []span
	line  []byte
}

// span is a run of values of an Out port, in column order.
type span struct {
	port, first, end int
	width            int       // of the port
	values           []float64 // values of the whole port, of all robots
}

// newSampleWriter writes the header to out.
func newSampleWriter(out io.Writer, m sim.Model, robot *program.Robot) (*sampleWriter, error) {
	s := &sampleWriter{model: m, w: bufio.NewWriter(out), rows: 1}
	if swarm, ok := m.(sim.Swarm); ok && robot.Numbered != "" && swarm.Robots() > 0 {
		s.swarm, s.rows = swarm, swarm.Robots()
	}
	ports := m.Ports()
	s.line = append(s.line, 't')
	for _, l := range robot.Samples(ports) {
		i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == l.Port && p.Direction == sim.Out })
		if i < 0 {
			return nil, fmt.Errorf("the model has no output %q", l.Port)
		}
		width := ports[i].Width()
		p := span{i, l.First, l.First + len(l.Columns), width, make([]float64, s.rows*width)}
		if s.swarm != nil && !s.swarm.ValueOfAll(i, p.values) {
			return nil, fmt.Errorf("the model has no output %q of every robot", l.Port)
		}
		s.spans = append(s.spans, p)
		for _, c := range l.Columns {
			s.line = append(append(s.line, ','), c...)
		}
	}
	if s.swarm != nil {
		s.line = append(append(s.line, ','), robot.Numbered...)
	}
	s.line = append(s.line, '\n')
	_, err := s.w.Write(s.line)
	return s, err
}

// write adds the rows of time t (s), numbers with 17 significant digits.
func (s *sampleWriter) write(t float64) error {
	for _, p := range s.spans {
		if s.swarm != nil {
			s.swarm.ValueOfAll(p.port, p.values)
		} else {
			s.model.Value(p.port, p.values)
		}
	}
	for k := range s.rows {
		s.line = appendNumber(s.line[:0], t)
		for _, p := range s.spans {
			for _, v := range p.values[k*p.width+p.first : k*p.width+p.end] {
				s.line = appendNumber(append(s.line, ','), v)
			}
		}
		if s.swarm != nil {
			s.line = strconv.AppendInt(append(s.line, ','), int64(k), 10)
		}
		s.line = append(s.line, '\n')
		if _, err := s.w.Write(s.line); err != nil {
			return err
		}
	}
	return nil
}

// command implements sink. A CSV has the setpoints, not the commands.
func (s *sampleWriter) command(float64, int, []float64) {}

// finish implements sink.
func (s *sampleWriter) finish() error { return s.w.Flush() }

// appendNumber appends v with 17 significant digits, which any float64 survives.
func appendNumber(dst []byte, v float64) []byte {
	return strconv.AppendFloat(dst, v, 'g', 17, 64)
}
