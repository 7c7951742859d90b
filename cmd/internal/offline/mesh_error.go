package offline

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

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

// errNoMesh is the error of robots without a mesh.
var errNoMesh = errors.New("the error of the mesh is estimated for robots of tendonsim with method implicit only")

// errNeutral is the error of shapes that meshes have in common but for a motion without resistance.
var errNeutral = errors.New("the error of the mesh is unknown: the equilibrium is neutral, and with another number of elements the robot leans to another side")

// meshError is the estimated distance of the tip from its limit for infinitely many elements.
type meshError struct {
	TipErrorM       float64  `json:"tip_error_m"` // the largest of all samples
	TipErrorPercent float64  `json:"tip_error_percent"`
	TipErrorRmsM    float64  `json:"tip_error_rms_m"`
	ObservedOrder   *float64 `json:"observed_order"` // null where differences are round-off
	Converging      bool     `json:"converging"`     // false: the error is at least this
	Elements        []int    `json:"elements"`       // of the three meshes

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
		return mesh + ": none at the tip but round-off"
	case !m.Converging:
		return fmt.Sprintf("%s: at least %s at the tip, and unknown: with %d and %d elements it does not get smaller", mesh, size, m.Elements[1], m.Elements[2])
	}
	return fmt.Sprintf("%s: %s at the tip, of order %.1f", mesh, size, *m.ObservedOrder)
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

// tipsOf is a sink that keeps where the tip is, and the shape of the rod.
type tipsOf struct {
	model sim.Model
	port  int
	value []float64
	tips  []spatial.Vec

	shapePort  int // −1: none
	shapeValue []float64
	shapes     [][]spatial.Vec
}

// newTips collects the positions of the port shown.
func newTips(m sim.Model, shown string) (*tipsOf, error) {
	for i, p := range m.Ports() {
		if p.Name == shown && p.Kind == sim.Pose && p.Direction == sim.Out {
			t := &tipsOf{model: m, port: i, value: make([]float64, p.Width())}
			t.shapePort = slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == "backbone" && p.Kind == sim.PoseArray })
			if t.shapePort >= 0 {
				t.shapeValue = make([]float64, m.Ports()[t.shapePort].Width())
			}
			return t, nil
		}
	}
	return nil, fmt.Errorf("the robot has no pose %q whose error could be estimated", shown)
}

// poseLen is the number of values of a pose: position and quaternion.
const poseLen = 7

func (s *tipsOf) write(float64) error {
	s.model.Value(s.port, s.value)
	s.tips = append(s.tips, spatial.VecAt(s.value))
	if s.shapePort < 0 {
		return nil
	}
	s.model.Value(s.shapePort, s.shapeValue)
	var shape []spatial.Vec
	for v := s.shapeValue; len(v) >= poseLen; v = v[poseLen:] {
		shape = append(shape, spatial.VecAt(v))
	}
	s.shapes = append(s.shapes, shape)
	return nil
}

func (s *tipsOf) command(float64, int, []float64) {}
func (s *tipsOf) finish() error                   { return nil }

// estimateMesh calls run with a model of each mesh and compares the tips. It notes the mesh on the bar.
func estimateMesh(e *cli.Env, made *program.Instance, bar *progress.Bar, run func(sim.Model, sink) error) (*meshError, error) {
	if made.Refined == nil {
		return nil, errNoMesh
	}
	var tips [3][]spatial.Vec
	var elements []int
	var coarse *tipsOf
	for i, times := range divisions {
		elements = append(elements, times*(len(made.ArcM)-1))
		bar.Note(fmt.Sprintf("mesh %d of %d, %d elements", i+1, len(divisions), elements[i]))
		model, err := made.Refined(times)
		if err != nil {
			return nil, err
		}
		s, err := newTips(model, e.Robot.Shown)
		if err == nil {
			err = run(model, s)
		}
		if err != nil {
			return nil, fmt.Errorf("the error of the mesh is unknown: with %d elements: %w", elements[i], err)
		}
		if tips[i] = s.tips; i == 0 {
			coarse = s
		}
	}
	m := newMeshError(tips, made.LengthM)
	m.Elements, m.coarse = elements, coarse
	return m, nil
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

// estimate prints the estimated errors of the mesh and of the steps.
func (c *Sim) estimate(e *cli.Env, made *program.Instance, to *output.File, run func(m sim.Model, to sink, parts int) error) error {
	bar := e.RowsProgress("sim --error", -1, "", c.Out)
	m, err := estimateMesh(e, made, bar, func(m sim.Model, to sink) error { return run(m, to, 1) })
	var t *stepError
	if err == nil {
		bar.Note("steps of half the length")
		t, err = estimateSteps(e, made, m.coarse, run)
	}
	bar.End()
	if err != nil {
		return err
	}
	fmt.Fprintf(e.Stderr, "%s: %v\n%s: %v\n", e.Robot.Name, m, e.Robot.Name, t)
	return writeErrors(to, struct {
		*meshError
		*stepError
	}{m, t})
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
