package offline

import (
	"bufio"
	"fmt"
	"io"

	"sinew/cmd/internal/output"
	"sinew/cmd/internal/verb"
	"sinew/pkg/sim"
)

// Static is the verb static.
type Static struct {
	verb.RobotFiles
	output.Force

	Out       string `help:"CSV of the nodes; - is standard output." default:"-" placeholder:"FILE.csv"`
	ErrorJSON string `name:"error-json" help:"JSON of how far the mesh is from converged." placeholder:"FILE.json"`
}

// Run finds the equilibrium under the tensions, loads and gravity of the file.
func (c *Static) Run(e *verb.Env) error {
	shape := e.Robot.Shape
	file, err := e.Draft(c.Config, nil)
	if err != nil {
		return err
	}
	file.Set(shape.Path, shape.Value, "static")
	made, err := e.Make(file)
	if err != nil {
		return err
	}
	files := e.Outputs(c.Force, c.Config, made)
	defer files.Discard()
	out, err := files.Create("--out", c.Out, output.Rows(shapeHeader, ",", 0))
	if err != nil {
		return err
	}
	w := newWatch(made.Model)
	w.look(0)
	w.warn(e, 0)
	ports := made.Model.Ports()
	for i := range ports {
		if ports[i].Name == shape.Port && ports[i].Kind == sim.PoseArray {
			poses := make([]float64, ports[i].Width())
			made.Model.Value(i, poses)
			if err := writeShape(out, poses, made.ArcM); err != nil {
				return err
			}
			if err := c.estimate(e, made, files); err != nil {
				return err
			}
			return files.Commit()
		}
	}
	return fmt.Errorf("the model has no nodes %q", shape.Port)
}

const shapeHeader = "s,x,y,z,qx,qy,qz,qw"

// writeShape writes a row for each pose, at arc lengths s, m.
func writeShape(out io.Writer, poses, s []float64) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, shapeHeader)
	const width = 7
	n := len(poses) / width
	var line []byte
	for i := range n {
		line = appendNumber(line[:0], s[i])
		for _, v := range poses[width*i : width*(i+1)] {
			line = appendNumber(append(line, ','), v)
		}
		_, _ = w.Write(append(line, '\n')) // Flush reports the first error
	}
	return w.Flush()
}
