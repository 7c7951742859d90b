package offline

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// divisions are the factors by which the elements are divided for an estimate of the error of the
// mesh: the differences between three meshes give the order of convergence and the limit.
var divisions = [3]int{1, 2, 4}

// errNoMesh is the error of robots without a mesh, errNoEstimate that of robots whose steps have none either.
var (
	errNoMesh     = errors.New("the error of the mesh is estimated for robots of tendonsim with method implicit only, and of mechanisms that have a rod")
	errNoEstimate = errors.New("errors of mesh and steps are estimated for robots of tendonsim with method implicit and for mechanisms only")
)

// errNeutral is the error of shapes that meshes have in common but for a motion without resistance.
var errNeutral = errors.New("the error of the mesh is unknown: the equilibrium is neutral, and with another number of elements the robot leans to another side")

// meshError is the estimated distance of the tip from its limit for infinitely many elements; of a mechanism that of the link, the end of
// a rod or the origin of a body, for which it is the largest.
type meshError struct {
	Link            string   `json:"link,omitempty"`
	TipErrorM       float64  `json:"tip_error_m"` // the largest of all samples
	TipErrorPercent float64  `json:"tip_error_percent"`
	TipErrorRmsM    float64  `json:"tip_error_rms_m"`
	ObservedOrder   *float64 `json:"observed_order"` // null where differences are round-off
	Converging      bool     `json:"converging"`     // false: the error is at least this
	Elements        []int    `json:"elements"`       // of the three meshes, of all rods

	coarse *tipsOf // what the mesh of the robot file gave
}

// errorReport recognizes the files of --error-json.
var errorReport = output.Text(`"tip_error_m": `, `"observed_order": `)

// newMeshError makes the estimate of the tips of three meshes, sample by sample.
func newMeshError(tips [3][]spatial.Vec, lengthM float64) *meshError {
	const (
		roundoff = 1e-11 // of the length
		least    = 0.5   // order below which nothing converges
		most     = 8.    // beyond which the finest mesh is as good as its limit
	)
	apart := func(a, b []spatial.Vec) (rms, largest float64) {
		sum := 0.0
		for i := range a {
			d := a[i].Sub(b[i]).Norm()
			sum += d * d
			largest = max(largest, d)
		}
		return math.Sqrt(sum / float64(len(a))), largest
	}
	m := &meshError{Converging: true}
	first, _ := apart(tips[0], tips[1])
	second, _ := apart(tips[1], tips[2])
	limit := tips[2]
	if tiny := roundoff * lengthM; first > tiny || second > tiny {
		order := math.Log2(max(first, tiny) / max(second, tiny))
		m.ObservedOrder, m.Converging = &order, order >= least
		if m.Converging { // Richardson's extrapolation
			limit = make([]spatial.Vec, len(tips[2]))
			for i, p := range tips[2] {
				limit[i] = p.AddScaled(1/(math.Exp2(min(order, most))-1), p.Sub(tips[1][i]))
			}
		}
	}
	m.TipErrorRmsM, m.TipErrorM = apart(tips[0], limit)
	if !m.Converging {
		m.TipErrorRmsM, m.TipErrorM = max(m.TipErrorRmsM, second), max(m.TipErrorM, second)
	}
	m.TipErrorPercent = 100 * m.TipErrorM / lengthM
	return m
}

// String returns the estimate in a line.
func (m *meshError) String() string {
	size := fmt.Sprintf("%.2g m (%.2g %% of the length)", m.TipErrorM, m.TipErrorPercent)
	mesh := fmt.Sprintf("error of the mesh of %d elements", m.Elements[0])
	switch {
	case m.ObservedOrder == nil:
		return fmt.Sprintf("%s: none at %s but round-off", mesh, placeOf(m.Link))
	case !m.Converging:
		return fmt.Sprintf("%s: at least %s at %s, and unknown: with %d and %d elements it does not get smaller", mesh, size, placeOf(m.Link), m.Elements[1], m.Elements[2])
	}
	return fmt.Sprintf("%s: %s at %s, of order %.1f", mesh, size, placeOf(m.Link), *m.ObservedOrder)
}

// placeOf names the place of an error: a link of a mechanism, or the tip.
func placeOf(link string) string {
	if link == "" {
		return "the tip"
	}
	return link
}

// write writes the estimate as JSON, if a file was requested.
func (m *meshError) write(to *output.File) error { return writeErrors(to, m) }

// writeErrors writes estimates as JSON, if there is a file for them.
func writeErrors(to *output.File, errors any) error {
	if to == nil {
		return nil
	}
	data, err := json.MarshalIndent(errors, "", "  ")
	if err == nil {
		_, err = to.Write(append(data, '\n'))
	}
	return err
}

// tipsOf is a sink that keeps where the tip is, or all links of a mechanism, and the shapes of rods.
type tipsOf struct {
	model    sim.Model
	links    []points // ends of rods and origins of bodies
	rods     []points // nodes
	elements int      // of all rods
}

// points are the positions in the poses of a port, sample by sample.
type points struct {
	link    string // empty for the tip of a robot that is one rod
	port    int
	value   []float64
	samples [][]spatial.Vec
}

// newTips collects the positions of the port shown, or of the ports of that name of all links.
func newTips(m sim.Model, shown string) (*tipsOf, error) {
	t := &tipsOf{model: m}
	const shape = "backbone"
	for i, p := range m.Ports() {
		link, name := "", p.Name
		if k := strings.LastIndex(name, "/"); k >= 0 {
			link, name = name[:k], name[k+1:]
		}
		x := points{link: link, port: i, value: make([]float64, p.Width())}
		switch {
		case p.Direction != sim.Out:
		case name == shown && p.Kind == sim.Pose:
			t.links = append(t.links, x)
		case name == shape && p.Kind == sim.PoseArray:
			t.rods = append(t.rods, x)
			t.elements += len(p.Labels) - 1
		}
	}
	if len(t.links) == 0 {
		return nil, fmt.Errorf("the robot has no pose %q whose error could be estimated", shown)
	}
	return t, nil
}

// poseLen is the number of values of a pose: position and quaternion.
const poseLen = 7

func (s *tipsOf) write(float64) error {
	for _, all := range [...][]points{s.links, s.rods} {
		for i := range all {
			x := &all[i]
			s.model.Value(x.port, x.value)
			var sample []spatial.Vec
			for v := x.value; len(v) >= poseLen; v = v[poseLen:] {
				sample = append(sample, spatial.VecAt(v))
			}
			x.samples = append(x.samples, sample)
		}
	}
	return nil
}

// positions are those of a port with one pose.
func (x *points) positions() []spatial.Vec { return slices.Concat(x.samples...) }

func (s *tipsOf) command(float64, int, []float64) {}
func (s *tipsOf) finish() error                   { return nil }

// hasMesh reports whether a robot has elements that can be refined.
func hasMesh(e *cli.Env, made *program.Instance) bool {
	if made.Refined == nil {
		return false
	}
	t, err := newTips(made.Model, e.Robot.Shown)
	return err != nil || t.elements > 0
}

// estimateMesh calls run with a model of each mesh and compares the tips. It notes the mesh on the bar.
func estimateMesh(e *cli.Env, made *program.Instance, bar *progress.Bar, run func(sim.Model, sink) error) (*meshError, error) {
	if !hasMesh(e, made) {
		return nil, errNoMesh
	}
	var tips [len(divisions)]*tipsOf
	var elements []int
	for i, times := range divisions {
		model, err := made.Refined(times)
		if err != nil {
			return nil, err
		}
		if tips[i], err = newTips(model, e.Robot.Shown); err != nil {
			return nil, err
		}
		elements = append(elements, tips[i].elements)
		bar.Note(fmt.Sprintf("mesh %d of %d, %d elements", i+1, len(divisions), elements[i]))
		if err := run(model, tips[i]); err != nil {
			return nil, fmt.Errorf("the error of the mesh is unknown: with %d elements: %w", elements[i], err)
		}
	}
	var worst *meshError
	for k := range tips[0].links {
		m := newMeshError([3][]spatial.Vec{tips[0].links[k].positions(), tips[1].links[k].positions(), tips[2].links[k].positions()}, made.LengthM)
		if worst == nil || m.TipErrorM > worst.TipErrorM {
			worst, m.Link = m, tips[0].links[k].link
		}
	}
	worst.Elements, worst.coarse = elements, tips[0]
	return worst, nil
}

// again runs a simulation once more with another model. Without adaptive steps these are those of the robot file, in so many parts.
func (c *Sim) again(r *simulation, made *program.Instance, table *trajectory.Commands, m sim.Model, out sink, steps *adaptive, parts int) error {
	plan, rows, err := c.schedule(made.Timing) // samplers have a state
	if err != nil {
		return err
	}
	looks, err := plan.SampleHz(made.Timing.PublishHz)
	if err != nil {
		return err
	}
	again := &simulation{
		model: m, in: sim.NewInputs(m), plan: plan, rows: rows, commands: table.Play(), out: out, stop: r.stop,
		times: newStepTimes(false, 0), watch: newWatch(m), looks: looks, adaptive: steps, parts: parts,
	}
	if r.timeouts != nil {
		again.timeouts = newTimeouts(again.in, m.Ports(), made.Timing)
	}
	again.commands.Observe = again.observeCommand
	return again.run(nil)
}

// estimate prints the estimated errors of the mesh, if there is one, and of the steps.
func (c *Sim) estimate(e *cli.Env, made *program.Instance, to *output.File, run func(m sim.Model, to sink, parts int) error) error {
	bar := e.RowsProgress("sim --error", -1, "", c.Out)
	defer bar.End()
	var errors struct {
		*meshError
		*stepError
	}
	var whole *tipsOf
	var err error
	if hasMesh(e, made) {
		errors.meshError, err = estimateMesh(e, made, bar, func(m sim.Model, to sink) error { return run(m, to, 1) })
		if err == nil {
			whole = errors.meshError.coarse
		}
	} else {
		bar.Note("steps of the whole length")
		whole, err = sampled(e, made, func(m sim.Model, to sink) error { return run(m, to, 1) })
	}
	if err == nil {
		bar.Note("steps of half the length")
		errors.stepError, err = estimateSteps(e, made, whole, run)
	}
	bar.End()
	if err != nil {
		return err
	}
	if errors.meshError != nil {
		fmt.Fprintf(e.Stderr, "%s: %v\n", e.Robot.Name, errors.meshError)
	}
	fmt.Fprintf(e.Stderr, "%s: %v\n", e.Robot.Name, errors.stepError)
	return writeErrors(to, errors)
}

// estimate prints the estimated error of the mesh. Where there is none, the equilibrium of the file
// is valid without it.
func (c *Static) estimate(e *cli.Env, made *program.Instance, files *output.Set, isNeutral bool) error {
	to, err := (*output.File)(nil), error(nil)
	if c.ErrorJSON != "" {
		if to, err = files.Create("--error-json", c.ErrorJSON, errorReport); err != nil {
			return err
		}
	}
	var m *meshError
	if err = errNeutral; !isNeutral {
		bar := e.Progress("estimating the error of the mesh", -1, "")
		m, err = estimateMesh(e, made, bar, func(_ sim.Model, s sink) error { return s.write(0) })
		bar.End()
	}
	switch {
	case errors.Is(err, errNoMesh) && to == nil:
		return nil // not requested
	case err != nil && to != nil:
		to.Discard()
		return err
	case err != nil:
		fmt.Fprintf(e.Stderr, "%s: %v\n", e.Robot.Name, err)
		return nil
	}
	fmt.Fprintf(e.Stderr, "%s: %v\n", e.Robot.Name, m)
	return m.write(to)
}
