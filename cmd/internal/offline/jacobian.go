package offline

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/identify"
)

// jacobianHeader begins the first line of a Jacobian; the outputs, with their units, follow.
const jacobianHeader = "input,unit"

// writeJacobian writes the derivative of the equilibrium of a robot file, if it is requested.
func (c *Static) writeJacobian(e *cli.Env, of program.File, made *program.Instance, verdict string, files *output.Set) error {
	if c.Jacobian == "" {
		return nil
	}
	file, err := files.Create("--jacobian", c.Jacobian, output.Rows(jacobianHeader, ",", 2))
	if err != nil {
		return err
	}
	bar := e.Progress("static --jacobian", -1, "")
	j, err := c.derive(e, of, made, verdict, bar)
	bar.End()
	if err != nil {
		file.Discard()
		return err
	}
	fmt.Fprintf(e.Stderr, "%s: %s: %s\n", e.Robot.Name, c.Jacobian, exactness(j))
	return printJacobian(file, j)
}

// derive takes the derivative of an equilibrium, which has none where its verdict is not stable.
func (c *Static) derive(e *cli.Env, of program.File, made *program.Instance, verdict string, bar *progress.Bar) (*sim.Jacobian, error) {
	if verdict != "" {
		return nil, fmt.Errorf("--jacobian: there is no derivative of a shape in which the robot does not stay: %s", verdict)
	}
	m, ok := sim.As[sim.Differentiable](made.Model)
	if !ok {
		return nil, fmt.Errorf("--jacobian: %s has no derivative", made.Describe)
	}
	j, err := m.Jacobian()
	if err != nil {
		return nil, fmt.Errorf("--jacobian: %w", err)
	}
	return j, c.addNumbers(e, of, made, j, bar)
}

// exactness describes how exact a derivative is.
func exactness(j *sim.Jacobian) string {
	text := "the derivative is exact to round-off, 1e-13 of a row"
	if j.Inexact > 0 {
		text = fmt.Sprintf("the derivative is exact to %.2g of a row, where round-off ended its iteration", j.Inexact)
	}
	return text + "; by the base, magnets and numbers, for which differences of the equations are taken, to about 1e-7"
}

// apart is the difference between the numbers of the robots by which derivatives are taken,
// relative to the number or to a hundredth of its range. At a bound, where only one side is
// allowed, it is apartAtBound.
const apart, apartAtBound = 1e-5, 1e-6

// mostApart is the largest of them for numbers in m, relative to the length of the robot: surfaces that touch move against each other
// by it, and contact is linear for nanometres only.
const mostApart = 1e-8

// addNumbers adds the derivatives by numbers of the robot file to a Jacobian. They are those of the
// first equilibrium.
func (c *Static) addNumbers(e *cli.Env, of program.File, made *program.Instance, j *sim.Jacobian, bar *progress.Bar) error {
	if len(c.By) == 0 {
		return nil
	}
	numbers, err := of.Numbers()
	if err != nil {
		return err
	}
	free, err := identify.Resolve(c.By, numbers, made.LengthM)
	if err != nil {
		return exitcode.Usagef("--by %w", err)
	}
	if of = of.Clone(); made.DerivesFromStart {
		of.Set(e.Robot.Shape.Path, e.Robot.Shape.Without, "static")
	}
	var by []sim.Varied
	for k := range free {
		f := &free[k]
		for i := range f.Parameters {
			bar.Note("by " + f.Parameters[i].Name)
			v, err := beside(of, f, i, made.LengthM)
			if err != nil {
				return fmt.Errorf("--by %s: %w", f.Parameters[i].Name, err)
			}
			by = append(by, v)
		}
	}
	if made, err = cli.Make(of); err != nil {
		return err
	}
	m, _ := sim.As[sim.Differentiable](made.Model) // as derive has found
	all, err := m.Jacobian(by...)
	if err != nil {
		return fmt.Errorf("--by: %w", err)
	}
	j.Inexact = max(j.Inexact, all.Inexact)
	j.Inputs, j.InputUnits = append(j.Inputs, all.Inputs[len(j.Inputs):]...), append(j.InputUnits, all.InputUnits[len(j.InputUnits):]...)
	for i, row := range all.Values {
		j.Values[i] = append(j.Values[i], row[len(j.Values[i]):]...)
	}
	return nil
}

// beside makes the robots in which parameter i is less and more, of a robot of a length in m.
func beside(of program.File, f *identify.Free, i int, length float64) (v sim.Varied, err error) {
	p := &f.Parameters[i]
	size := max(math.Abs(p.Start), 0.01*(p.Max-p.Min))
	whole, half := apart*size, apartAtBound*size
	if p.Unit == "m" {
		if strings.HasSuffix(p.Name, "length_m") { // what is at the end of a rod stays there
			length = min(length, p.Start)
		}
		whole, half = min(whole, mostApart*length), min(half, mostApart*length)
	}
	less, more := p.Start-whole/2, p.Start+whole/2
	switch {
	case less < p.Min:
		less, more = p.Start, p.Start+half
	case more > p.Max:
		less, more = p.Start-half, p.Start
	}
	v = sim.Varied{Name: p.Name, Unit: p.Unit, Difference: more - less}
	for _, side := range [...]struct {
		at    float64
		model *sim.Model
	}{{less, &v.Lower}, {more, &v.Upper}} {
		x := make([]float64, len(f.Parameters))
		for k := range x {
			x[k] = f.Parameters[k].Start
		}
		x[i] = side.at
		file := of.Clone()
		f.Set(file, x, "--by")
		made, err := cli.Make(file) // its warnings are those of the robot itself, which have been printed
		if err != nil {
			return v, err
		}
		*side.model = made.Model
	}
	return v, nil
}

// printJacobian writes a row for each input: by how much the outputs change with one unit of it.
func printJacobian(to io.Writer, j *sim.Jacobian) error {
	w := bufio.NewWriter(to)
	fmt.Fprint(w, jacobianHeader)
	for i, name := range j.Outputs {
		fmt.Fprintf(w, ",%s_%s", name, strings.ReplaceAll(j.OutputUnits[i], " ", "_"))
	}
	var line []byte
	for k, name := range j.Inputs {
		line = append(append(append(line[:0], "\n"+name...), ','), j.InputUnits[k]...)
		for i := range j.Outputs {
			line = appendNumber(append(line, ','), j.Values[i][k])
		}
		_, _ = w.Write(line) // Flush reports the first error
	}
	_ = w.WriteByte('\n')
	return w.Flush()
}
