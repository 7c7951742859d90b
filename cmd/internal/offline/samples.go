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

// sampleWriter is a sink: it writes what the model's Out ports show as rows of CSV.
type sampleWriter struct {
	w     *bufio.Writer
	model sim.Model
	spans []span
	line  []byte
}

// span is a run of values of an Out port, in column order.
type span struct {
	port, first, end int
	values           []float64 // values of the whole port
}

// newSampleWriter writes the header to out.
func newSampleWriter(out io.Writer, m sim.Model, columns []program.Samples) (*sampleWriter, error) {
	s := &sampleWriter{model: m, w: bufio.NewWriter(out)}
	ports := m.Ports()
	s.line = append(s.line, 't')
	for _, l := range columns {
		i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == l.Port && p.Direction == sim.Out })
		if i < 0 {
			return nil, fmt.Errorf("the model has no output %q", l.Port)
		}
		s.spans = append(s.spans, span{i, l.First, l.First + len(l.Columns), make([]float64, ports[i].Width())})
		for _, c := range l.Columns {
			s.line = append(append(s.line, ','), c...)
		}
	}
	s.line = append(s.line, '\n')
	_, err := s.w.Write(s.line)
	return s, err
}

// write adds the row of time t (s), numbers with 17 significant digits.
func (s *sampleWriter) write(t float64) error {
	s.line = appendNumber(s.line[:0], t)
	for _, p := range s.spans {
		s.model.Value(p.port, p.values)
		for _, v := range p.values[p.first:p.end] {
			s.line = appendNumber(append(s.line, ','), v)
		}
	}
	s.line = append(s.line, '\n')
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
