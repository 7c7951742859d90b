package identify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"sinew/cmd/internal/program"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
)

// plan is what is fitted to what, in stages of which each starts from the result of the
// one before.
type plan struct {
	data   []planData // every file that is fitted
	held   []planData // files that are only predicted
	share  float64    // of all rows that is only predicted; not of a file
	stages []planStage
}

// planData names a recording, and which rows of it.
type planData struct {
	place  string // in messages, empty on the command line
	file   string
	topic  string  // of the poses in a recording; empty: that of --hw-topic
	noise  float64 // of each coordinate of them, m; 0: that of the sensor
	static bool    // every row is an equilibrium
	rows   identify.Selection
	sets   []planSetting
}

// planSetting is a number of the robot file that a recording has of its own.
type planSetting struct {
	place, name string
	value       float64
}

// planStage is one search.
type planStage struct {
	place, name    string
	free           []planFree
	data           []planData // nil: those of the plan
	loss           fit.Loss
	lossScale      float64 // m
	noise          float64 // m; 0: found
	ownNoise       bool    // the plan says so
	rotationWeight float64 // m/rad
	starts         int
	steps          int // of a start, at most; 0: those of fit.Options
}

// each goes through all data.
func (p *plan) each(f func(d *planData)) {
	lists := [][]planData{p.data}
	for i := range p.stages {
		lists = append(lists, p.stages[i].data)
	}
	for _, list := range append(lists, p.held) {
		for i := range list {
			f(&list[i])
		}
	}
}

// isStatic reports whether the rows of a file are equilibria wherever the plan uses it.
func (p *plan) isStatic(file string) bool {
	static := true
	p.each(func(d *planData) { static = static && (d.static || d.file != file) })
	return static
}

// files lists the files of the data, each once.
func (p *plan) files() (names []string) {
	p.each(func(d *planData) {
		if !slices.Contains(names, d.file) {
			names = append(names, d.file)
		}
	})
	return names
}

// source is where a trial is read from.
type source struct{ file, topic string }

// sources lists those of the data, each once.
func (p *plan) sources() (all []source) {
	p.each(func(d *planData) {
		if s := (source{d.file, d.topic}); !slices.Contains(all, s) {
			all = append(all, s)
		}
	})
	return all
}

// planFree is a number to be found, see identify.RequestForm.
type planFree struct{ place, text string }

// readPlan reads the file of a plan. Names of data are relative to its directory; what is
// not in it is as in defaults.
func readPlan(file string, defaults planStage) (*plan, error) {
	const most = 1 << 20 // bytes
	text, err := program.ReadFile(file, most)
	if err != nil {
		return nil, fmt.Errorf("--plan: %w", err)
	}
	return parsePlan(file, text, defaults)
}

// parsePlan is readPlan of the text of a file. All its mistakes come at once.
func parsePlan(file string, text []byte, defaults planStage) (*plan, error) {
	var doc, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(text))
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		return nil, fmt.Errorf("%s: the file is empty; a plan is a mapping with data and stages", file)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	case !errors.Is(dec.Decode(&second), io.EOF):
		return nil, fmt.Errorf("%s: a plan is one YAML document, and only that", file)
	}
	r := &planReader{file: file, directory: filepath.Dir(file), defaults: defaults}
	p := r.plan(planNode{doc.Content[0], "plan"})
	return p, errors.Join(r.found...)
}

// planReader reads the keys of a plan and collects mistakes.
type planReader struct {
	file, directory string
	defaults        planStage
	found           []error
}

func (r *planReader) plan(n planNode) *plan {
	p := &plan{}
	n.keys(r, func(key string, v planNode) bool {
		switch key {
		case "data":
			p.data = r.dataList(v)
		case "hold_out":
			p.held = r.dataList(v)
		case "stages":
			for _, item := range v.items(r) {
				p.stages = append(p.stages, r.stage(item, len(p.stages)))
			}
		default:
			return false
		}
		return true
	}, "data", "hold_out", "stages")
	if len(p.stages) == 0 {
		n.fail(r, "no stages; a stage says what is free")
	}
	for i := range p.stages {
		s := &p.stages[i]
		if s.data == nil {
			s.data = p.data
		}
		if len(s.data) == 0 {
			r.found = append(r.found, fmt.Errorf("%s: no data, neither of the stage nor of the plan", s.place))
		}
	}
	return p
}

func (r *planReader) stage(n planNode, index int) planStage {
	s := r.defaults
	s.place, s.name = n.place(r), fmt.Sprintf("stage %d", index+1)
	scaled := n
	n.keys(r, func(key string, v planNode) bool {
		switch key {
		case "name":
			s.name = v.text(r)
		case "free":
			for _, item := range v.items(r) {
				s.free = append(s.free, planFree{item.place(r), item.text(r)})
			}
		case "data":
			s.data = r.dataList(v)
		case "loss":
			var err error
			if s.loss, err = fit.ParseLoss(v.text(r)); err != nil {
				v.fail(r, "%w", err)
			}
		case "loss_scale_m":
			s.lossScale, scaled = v.positive(r), v
		case "noise_m":
			s.noise, s.ownNoise = v.positive(r), true
		case "rotation_weight_m":
			s.rotationWeight = v.positive(r)
		case "starts":
			s.starts = v.starts(r)
		case "steps":
			s.steps = v.count(r)
		default:
			return false
		}
		return true
	}, "name", "free", "data", "loss", "loss_scale_m", "noise_m", "rotation_weight_m", "starts", "steps")
	if len(s.free) == 0 {
		n.fail(r, "nothing is free; free is a list such as [youngs_modulus_pa]")
	}
	switch linear := s.loss == "" || s.loss == fit.Linear; {
	case !linear && s.lossScale == 0:
		n.fail(r, "loss %s without loss_scale_m, the distance in m from which on rows count less", s.loss)
	case linear && scaled != n:
		scaled.fail(r, "the loss linear has no scale; give loss, huber or cauchy")
	case linear:
		s.lossScale = 0 // of --loss-scale
	}
	return s
}

func (r *planReader) dataList(n planNode) (list []planData) {
	for _, item := range n.items(r) {
		d := r.data(item)
		if slices.ContainsFunc(list, func(o planData) bool { return o.file == d.file && o.topic == d.topic }) {
			item.fail(r, "%s occurs twice; give one item its rows, or each a topic", d.file)
		}
		list = append(list, d)
	}
	return list
}

// data reads the name of a file, or a mapping with rows of it.
func (r *planReader) data(n planNode) planData {
	d := planData{place: n.place(r)}
	if n.node.Kind == yaml.ScalarNode {
		d.file = r.name(n)
		return d
	}
	n.keys(r, func(key string, v planNode) bool {
		switch key {
		case "file":
			d.file = r.name(v)
		case "topic":
			d.topic = v.text(r)
		case "noise_m":
			d.noise = v.positive(r)
		case "static":
			d.static = v.boolean(r)
		case "rows":
			d.rows.First, d.rows.End = v.span(r)
		case "every":
			d.rows.Every = v.count(r)
		case "max_speed_m_per_s":
			d.rows.MaxSpeed = v.positive(r)
		case "weight":
			d.rows.Weight = v.positive(r)
		case "set":
			d.sets = v.settings(r)
		default:
			return false
		}
		return true
	}, "file", "topic", "noise_m", "static", "rows", "every", "max_speed_m_per_s", "weight", "set")
	if d.file == "" {
		n.fail(r, "no file")
	}
	return d
}

// name is that of a file, relative to the plan.
func (r *planReader) name(n planNode) string {
	name := n.text(r)
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.directory, name)
}
