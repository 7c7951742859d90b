package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"sinew/pkg/sim/spatial"
)

// microswimmer are swimmers of two beads and magnetic beads in a drifting fluid, of Carnegie Mellon
// University. Each is a body of its own, carried by the flow that plain beads show and pulled by a
// constant force: what it is found to be in 30 s predicts the next 55 s.
var microswimmer = robot{
	name: "microswimmer", program: "microrobot", data: "microswimmer",
	convert: convertSwimmers, fit: fitSwimmers, predict: predictSwimmers, leaveOut: leaveOutTracers,
	table: swimmerTable, figure: swimmerFigure,
}

// swimmerSpan is a part of a recording, s.
type swimmerSpan struct {
	name     string
	from, to float64
}

// Swimmers lie still or turn until 30 s, then a field that swings lets some of them swim. The
// pull is fitted to what was seen; and, to tell what that lacks, to the first 15 s of swimming.
var (
	swimmerSeen  = swimmerSpan{"seen", 0, 30}
	swimmerLater = swimmerSpan{"later", 30, 85}
	swimmerSwims = swimmerSpan{"swims", 30, 45}
	swimmerRest  = swimmerSpan{"rest", 45, 85}
)

// swimmerTrials are the recordings, without .csv.
var swimmerTrials = []string{"trial10", "trial13", "trial19"}

// eachSwimmer calls do with each body of all recordings; folder is its name among all.
func eachSwimmer(from string, do func(tr *swimmerTrial, b *swimmerBody, folder string) error) error {
	for _, name := range swimmerTrials {
		tr, err := readSwimmers(filepath.Join(from, name+".csv"))
		if err != nil {
			return err
		}
		for k := range tr.bodies {
			if err := do(tr, &tr.bodies[k], name+"_"+tr.bodies[k].name); err != nil {
				return err
			}
		}
	}
	return nil
}

// convertSwimmers writes a folder for each span of each body, and returns the names of bodies that
// are not plain. The flow that carries a tracer is that of the others.
func convertSwimmers(from, to string) (folders []string, err error) {
	return folders, eachSwimmer(from, func(tr *swimmerTrial, b *swimmerBody, folder string) error {
		f, err := tr.flow(b.name)
		if err != nil {
			return err
		}
		spans := []swimmerSpan{swimmerLater}
		if !b.plain {
			folders = append(folders, folder)
			spans = append(spans, swimmerSeen, swimmerSwims, swimmerRest)
		}
		for _, s := range spans {
			if err := tr.write(filepath.Join(to, folder, s.name), b, f, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// fitSwimmers finds the pull of each body in what was seen.
func fitSwimmers(b *bench) error {
	for _, folder := range b.files {
		text, err := b.findPull(folder, swimmerSeen)
		if err != nil {
			return err
		}
		for _, to := range []string{b.work, b.folder()} {
			if err := os.WriteFile(filepath.Join(to, folder+".yaml"), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// findPull finds the pull of a body in a span, as an overlay.
func (b *bench) findPull(folder string, s swimmerSpan) ([]byte, error) {
	dir := filepath.Join(folder, s.name)
	plan, err := os.ReadFile(filepath.Join(b.work, "plan.yaml")) // its files are beside it
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(b.work, dir, "plan.yaml"), plan, 0o644); err != nil {
		return nil, err
	}
	if err := b.identifyIn(dir, "--config", "place.yaml", "--plan", "plan.yaml", "--starts", "1", "--out", "fitted.yaml"); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(b.work, dir, "fitted.yaml"))
}

// predictSwimmers predicts each body after what was seen of it, and once more from the pull of
// the beginning of that.
func predictSwimmers(b *bench) (*prediction, error) {
	p := &prediction{from: b.from, pulls: map[string]spatial.Vec{}}
	for _, folder := range b.files {
		seen, err := os.ReadFile(filepath.Join(b.work, folder+".yaml"))
		if err != nil {
			return nil, fmt.Errorf("microswimmer fit has not been run: %w", err)
		}
		if err := b.predictSwimmer(p, folder, swimmerLater, seen); err != nil {
			return nil, err
		}
		swims, err := b.findPull(folder, swimmerSwims)
		if err != nil {
			return nil, err
		}
		if err := b.predictSwimmer(p, folder, swimmerRest, swims); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// leaveOutTracers predicts each tracer by the flow of the others.
func leaveOutTracers(b *bench, p *prediction) error {
	return eachSwimmer(b.from, func(_ *swimmerTrial, body *swimmerBody, folder string) error {
		if !body.plain {
			return nil
		}
		return b.predictSwimmer(p, folder, swimmerLater, []byte("{}\n"))
	})
}

// predictSwimmer adds what a body does in a span that is pulled as an overlay says.
func (b *bench) predictSwimmer(p *prediction, folder string, s swimmerSpan, pull []byte) error {
	dir := filepath.Join(folder, s.name)
	if err := os.WriteFile(filepath.Join(b.work, dir, "pull.yaml"), pull, 0o644); err != nil {
		return err
	}
	if err := b.identifyIn(dir, "--config", "place.yaml", "--config", "pull.yaml", "--points", "points.csv", "motion.csv"); err != nil {
		return err
	}
	var found struct {
		Body struct {
			Load struct {
				Force []float64 `yaml:"force_n"`
			}
		}
	}
	if err := yaml.Unmarshal(pull, &found); err != nil {
		return fmt.Errorf("%s: pull.yaml: %w", dir, err)
	}
	if f := found.Body.Load.Force; len(f) == 3 {
		p.pulls[filepath.ToSlash(dir)] = spatial.Vec{X: f[0], Y: f[1]}.Scale(1 / swimmerDrag)
	}
	first := len(p.points)
	if err := p.read(filepath.Join(b.work, dir, "points.csv"), false); err != nil {
		return err
	}
	for i := range p.points[first:] {
		p.points[first+i].file = filepath.ToSlash(dir)
	}
	return nil
}

// swimmerDrag is the drag of the sphere of robot.yaml, kg/s.
const swimmerDrag = 6 * math.Pi * 1e-3 * 1e-6
