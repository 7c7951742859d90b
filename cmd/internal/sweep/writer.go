package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"sinew/cmd/internal/offline"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// writer makes the rows of a sample.
type writer struct {
	sample  int
	columns int    // of a row
	head    []byte // the cells before t, with their commas
	rows    []byte
	gauges  gauges
	start   string // warning of the equilibrium in which the robot begins
}

// equilibrium returns the sample of a robot that is in equilibrium.
func (w *writer) equilibrium(made *program.Instance, robot *program.Robot) outcome {
	rows, err := offline.NewRows(made.Model, robot)
	if err != nil {
		return w.failed(0, err)
	}
	w.gauges.read(made.Model)
	return w.whole(rows, 0)
}

// move simulates the sample.
func (w *writer) move(made *program.Instance, robot *program.Robot, m *motion, asked func() bool) outcome {
	steps, picked, looks, err := m.schedule(made.Timing)
	if err != nil {
		return w.failed(0, err)
	}
	model := made.Model
	rows, err := offline.NewRows(model, robot)
	if err != nil {
		return w.failed(0, err)
	}
	in, commands := sim.NewInputs(model), m.table.Play()
	for k := 0; ; k++ {
		t := steps.Time(k)
		if looks.Due(k) {
			w.gauges.read(model)
		}
		if k == steps.Steps() {
			return w.whole(rows, t)
		}
		if picked != nil && picked.Due(k) {
			w.rows = rows.Append(w.rows, t, w.head, []byte(",,"))
		}
		if asked() {
			return outcome{interrupted: true}
		}
		dt := steps.Step(k)
		commands.Apply(t, in)
		in.Advance(dt)
		if err := model.Step(dt); err != nil {
			w.gauges.read(model)
			return w.failed(t, err)
		}
	}
}

// whole completes a sample with the rows of time t (s), the last of which has the warnings.
func (w *writer) whole(rows *offline.Rows, t float64) outcome {
	w.rows = rows.Append(w.rows, t, w.head, []byte(","+quoted(w.warnings())+","))
	return outcome{sample: w.sample, rows: w.rows}
}

// failed completes a sample at time t (s) with a row that has only the error.
func (w *writer) failed(t float64, err error) outcome {
	w.rows = strconv.AppendFloat(append(w.rows, w.head...), t, 'g', 17, 64)
	empty := w.columns - strings.Count(string(w.head), ",") - 3 // t, warning and error
	w.rows = append(w.rows, strings.Repeat(",", empty)...)
	text := strings.Join(strings.Fields(err.Error()), " ") // one line
	w.rows = fmt.Appendf(w.rows, ",%s,%s\n", quoted(w.warnings()), quoted(text))
	return outcome{sample: w.sample, rows: w.rows, failure: text}
}

// warnings lists what is wrong with the sample.
func (w *writer) warnings() string {
	if all := w.gauges.warnings(); w.start == "" || all == "" {
		return w.start + all
	} else {
		return w.start + "; " + all
	}
}

// gauges keeps the greatest values of the gauges of a model that have a warning.
type gauges struct {
	all   []sim.Gauge
	now   []float64
	worst []float64
}

// read reads the gauges.
func (g *gauges) read(m sim.Model) {
	if g.all == nil {
		g.all = m.Gauges()
		g.now, g.worst = make([]float64, len(g.all)), make([]float64, len(g.all))
	}
	m.Measure(g.now)
	for i, v := range g.now {
		g.worst[i] = max(g.worst[i], v)
	}
}

// warnings lists the gauges above their limits.
func (g *gauges) warnings() string {
	var list []string
	for i := range g.all {
		if g.all[i].Warning(g.worst[i]) != "" && g.all[i].Key != "newton_iterations" {
			list = append(list, fmt.Sprintf("%s %.6g", g.all[i].Key, g.worst[i]))
		}
	}
	return strings.Join(list, "; ")
}
