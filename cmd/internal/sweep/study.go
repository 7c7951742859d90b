package sweep

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"sinew/cmd/internal/offline"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/variation"
	"sinew/pkg/sim"
	"sinew/pkg/sim/sweep"
	"sinew/pkg/sim/trajectory"
)

// study is one sweep: a robot, its variations, and the simulation of each sample.
type study struct {
	robot  *program.Robot
	made   *program.Instance // of the robot file as it is
	base   program.File
	plan   *sweep.Plan
	varied *variation.Numbers
	shard  sweep.Shard
	motion *motion // nil: equilibria
	about  *about
}

// motion is the simulation of each sample.
type motion struct {
	durationS float64
	rowsHz    float64 // 0: the end only
	table     *trajectory.Commands
}

var errInterrupted = errors.New("interrupted")

// count is the number of samples of the shard.
func (s *study) count() int { return s.shard.Count(s.plan.Samples) }

// schedule divides the duration into the steps of a robot, and selects those with rows and those at
// which the gauges are read.
func (m *motion) schedule(t program.Timing) (steps sim.Schedule, rows, looks *sim.Sampler, err error) {
	if steps, err = sim.NewSchedule(m.durationS, t.StepS, t.EqualSteps); err != nil {
		return
	}
	if looks, err = steps.SampleHz(t.PublishHz); err != nil || m.rowsHz == 0 {
		return
	}
	rows, err = steps.SampleHz(m.rowsHz)
	return
}

// take computes the samples of the shard that the journal does not have, several concurrently, and
// calls tell after each.
func (s *study) take(j *journal, workers int, asked func() bool, tell func()) error {
	var next atomic.Int64
	done := j.samples()
	outcomes := make(chan outcome)
	stop := make(chan struct{})
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for {
				i := s.shard.Sample(int(next.Add(1)) - 1)
				if i >= s.plan.Samples {
					return
				}
				if done[i] {
					continue
				}
				r := s.sample(i, asked)
				select {
				case outcomes <- r:
				case <-stop:
					return
				}
				if r.interrupted {
					return
				}
			}
		})
	}
	go func() { busy.Wait(); close(outcomes) }()
	var failed error
	for r := range outcomes {
		if failed != nil {
			continue
		}
		if r.interrupted {
			failed = errInterrupted
		} else {
			failed = j.add(r)
		}
		if failed != nil {
			close(stop)
			continue
		}
		tell()
	}
	return failed
}

// outcome is the result of a sample: its rows or, from a recording, its message; and its error
// message if it failed.
type outcome struct {
	sample      int
	rows        []byte
	message     []byte
	failure     string
	interrupted bool
}

// sample computes one sample. A failure becomes a row with the error.
func (s *study) sample(i int, asked func() bool) outcome {
	if asked() {
		return outcome{interrupted: true}
	}
	values := make([]float64, len(s.plan.Variations))
	s.plan.Values(i, values)
	w := &writer{sample: i, columns: len(s.about.Columns)}
	w.head = strconv.AppendInt(nil, int64(i), 10)
	f := s.base.Clone()
	for _, v := range values {
		w.head = append(append(w.head, ','), variation.Text(v)...)
	}
	s.varied.Set(f, values)
	w.head = append(w.head, ',')
	made, err := f.Make()
	if err != nil {
		return w.failed(0, err)
	}
	w.start = strings.ReplaceAll(made.Stability(), "\n", " ")
	if s.motion == nil {
		return w.equilibrium(made, s.robot)
	}
	return w.move(made, s.robot, s.motion, asked)
}

// columns returns the names of all columns.
func (s *study) columns() ([]string, error) {
	rows, err := offline.NewRows(s.made.Model, s.robot)
	if err != nil {
		return nil, err
	}
	names := []string{"sample"}
	for i := range s.plan.Variations {
		names = append(names, s.plan.Variations[i].Name)
	}
	names = append(append(names, rows.Columns()...), "warning", "error")
	for i, n := range names {
		for _, other := range names[:i] {
			if n == other {
				return nil, fmt.Errorf("--vary %s: there is a column of that name; write its path", n)
			}
		}
	}
	return names, nil
}

// quoted returns a line of text as a cell of CSV.
func quoted(text string) string {
	if !strings.ContainsAny(text, `",`) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
