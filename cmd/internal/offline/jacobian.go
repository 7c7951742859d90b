package offline

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

// jacobianHeader begins the first line of a Jacobian; the outputs, with their units, follow.
const jacobianHeader = "input,unit"

// writeJacobian writes the derivative of the equilibrium, if that is asked for.
func (c *Static) writeJacobian(made *program.Made, files *output.Set) error {
	if c.Jacobian == "" {
		return nil
	}
	m, ok := made.Model.(sim.Differentiable)
	if !ok {
		return fmt.Errorf("--jacobian: %s has no derivative", made.Describe)
	}
	j, err := m.Jacobian()
	if err != nil {
		return fmt.Errorf("--jacobian: %w", err)
	}
	file, err := files.Create("--jacobian", c.Jacobian, output.Rows(jacobianHeader, ",", 2))
	if err != nil {
		return err
	}
	return printJacobian(file, j)
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
