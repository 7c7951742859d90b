package sweep

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/cmd/internal/output"
	"sinew/msgs"
	"sinew/msgs/cdr"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// sampleTopic has a message for each sample. Sample i is logged at second i, so that its
// index is its place on the time axis of viewers.
const sampleTopic = "/samples"

// mcapSink writes a recording of samples. The type of its messages is the sweep's own: a
// field for each number that varies and a list for each column of results.
type mcapSink struct {
	file   *output.File
	writer *record.Writer
	to     ros.Publisher
	kind   *msgs.Type
	varied int
}

func newMCAPSink(file *output.File, name string, a *about) (sink, error) {
	w, err := record.New(file, name, record.Options{
		Node: a.Program, Info: map[string]string{"sweep": a.inside()}, Robot: []byte(a.Robot), RobotName: "robot.yaml",
	})
	if err != nil {
		return nil, err
	}
	s := &mcapSink{file: file, writer: w, kind: sampleType(a), varied: len(a.Vary)}
	s.to, err = w.Advertise(ros.Topic{Name: sampleTopic, Type: s.kind})
	return s, err
}

func (s *mcapSink) add(r outcome) error {
	if r.message == nil {
		var err error
		if r.message, err = encodeSample(r, s.varied); err != nil {
			return err
		}
	}
	m := ros.NewSample(&sampleMessage{kind: s.kind, cdr: r.message})
	m.Time = msgs.At(time.Duration(r.sample) * time.Second)
	s.to.Publish(m) // Close returns the first error
	return nil
}

// end reads the file again, because parts of it have been overwritten.
func (s *mcapSink) end() (string, error) {
	if err := s.writer.Close(); err != nil {
		return "", err
	}
	return sumOf(io.NewSectionReader(s.file, 0, math.MaxInt64))
}

// sampleType returns the type of the messages of a sweep.
func sampleType(a *about) *msgs.Type {
	text := "# A sample of a sweep: the numbers that varied, and of each column of results\n" +
		"# the rows of the sample, t in seconds. NaN stands where a sample failed.\nuint64 sample\n"
	taken := map[string]bool{"sample": true, "warning": true, "error": true}
	last := len(a.Columns) - 2
	for i, column := range a.Columns[1:last] {
		kind := "float64[]"
		if i < len(a.Vary) {
			kind = "float64"
		}
		text += fmt.Sprintf("%s %s # %s\n", kind, fieldName(column, taken), column)
	}
	return &msgs.Type{
		Name: "sinew_sweep/Sample", ROS2Name: "sinew_sweep/msg/Sample", DDSName: "sinew_sweep::msg::dds_::Sample_",
		Schema: text + "string warning\nstring error\n",
	}
}

// fieldName returns a unique name for a column that ROS allows: small letters, digits and single
// underscores.
func fieldName(column string, taken map[string]bool) string {
	words := strings.FieldsFunc(strings.ToLower(column), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "_")
	if name == "" || name[0] < 'a' {
		name = "v" + name
	}
	free := name
	for i := 2; taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	taken[free] = true
	return free
}

// encodeSample serialises the rows of a sample with so many varied numbers.
func encodeSample(r outcome, varied int) ([]byte, error) {
	rows, err := csv.NewReader(bytes.NewReader(r.rows)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("sample %d: %w", r.sample, err)
	}
	last := rows[len(rows)-1]
	end := len(last) - 2 // warning and error
	w := cdr.NewWriter(nil)
	w.Uint64(uint64(r.sample))
	column := make([]float64, len(rows))
	for c := 1; c < end; c++ {
		for i, row := range rows {
			if column[i], err = number(row[c]); err != nil {
				return nil, fmt.Errorf("sample %d: %w", r.sample, err)
			}
		}
		if c <= varied {
			w.Float64(column[0])
			continue
		}
		w.Count(len(column))
		w.Float64s(column)
	}
	w.String(last[end])
	w.String(last[end+1])
	return w.Bytes(), nil
}

// number parses a cell; an empty one is NaN.
func number(cell string) (float64, error) {
	if cell == "" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(cell, 64)
}

// newMCAPSource returns a source of the serialised messages, in the order of the file.
func newMCAPSource(in io.ReadSeeker, a *about) (source, error) {
	r, err := mcap.NewReader(in)
	if err != nil {
		return nil, err
	}
	messages, err := r.Messages(mcap.WithTopics([]string{sampleTopic}), mcap.UsingIndex(false))
	if err != nil {
		return nil, err
	}
	columns := len(a.Columns) - 3 - len(a.Vary) // of results
	return func() (outcome, error) {
		_, _, m, err := messages.NextInto(nil)
		if err != nil {
			return outcome{}, err // io.EOF after the last
		}
		return decodeSample(bytes.Clone(m.Data), len(a.Vary), columns)
	}, nil
}

// decodeSample extracts from a message what merge needs.
func decodeSample(data []byte, varied, columns int) (outcome, error) {
	r := cdr.NewReader(data)
	i := r.Uint64()
	for range varied {
		r.Float64()
	}
	for range columns {
		r.Float64s(make([]float64, r.Count(8)))
	}
	_, failure := r.String(), r.String()
	if err := r.Finish("sinew_sweep/msg/Sample"); err != nil {
		return outcome{}, err
	}
	if i > math.MaxInt32 {
		return outcome{}, fmt.Errorf("a sample of number %d", i)
	}
	return outcome{sample: int(i), message: data, failure: failure}, nil
}

// sampleMessage is a sample that is already serialised.
type sampleMessage struct {
	kind *msgs.Type
	cdr  []byte
}

var errOpaque = errors.New("samples of sweeps are written and not received")

func (m *sampleMessage) Type() *msgs.Type             { return m.kind }
func (m *sampleMessage) AppendCDR(dst []byte) []byte  { return append(dst, m.cdr...) }
func (m *sampleMessage) ParseCDR([]byte) error        { return errOpaque }
func (m *sampleMessage) AppendROS1(dst []byte) []byte { return dst }
func (m *sampleMessage) ParseROS1([]byte) error       { return msgs.ErrNotInROS1 }
