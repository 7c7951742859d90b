package offline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/view"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// Static is the verb static.
type Static struct {
	cli.RobotFiles
	output.Force

	cli.ShowFlags

	Out       *string  `help:"Write the nodes as CSV; -: standard output (default without --view)." placeholder:"FILE.csv"`
	Joints    string   `help:"Write coordinates and reactions of the joints of a mechanism as CSV." detail:"Reactions are those of the parent on the child, at the frame of the joint on the child, world axes." placeholder:"FILE.csv"`
	Sample    string   `help:"Write the equilibrium as a row of sim at t = 0: tip, tensions, markers." placeholder:"FILE.csv"`
	Jacobian  string   `help:"Write the derivatives of tip and tensions by the inputs as CSV." detail:"The inputs are tensions, pulls, the pose of the base, force and moment at the tip and, for magnets, the field." placeholder:"FILE.csv"`
	By        []string `help:"Differentiate --jacobian by this number of the robot file, too (repeatable)." detail:"Names are those of identify --free." placeholder:"NAME[=MIN:MAX]" sep:"none"`
	Linearise string   `help:"Write A, B and C of a linearised step from the equilibrium, as JSON." detail:"The step is step_s long. States are poses and velocities of the nodes, now and one step before; inputs are those of --jacobian, held during the step." placeholder:"FILE.json"`
	Path      string   `help:"Write the equilibria as the loads grow from none, as CSV." detail:"Limit points, at which the robot jumps, and simple and multiple bifurcations, at which it buckles, are reported. The load is the share of weight, forces, tensions, pulls and field." placeholder:"FILE.csv"`
	ErrorJSON string   `name:"error-json" help:"Write the discretisation error as JSON." placeholder:"FILE.json"`
}

// out returns the file of the nodes, empty for none.
func (c *Static) out() string {
	switch {
	case c.Out != nil:
		return *c.Out
	case c.View.Given:
		return ""
	}
	return "-"
}

// Run finds the equilibrium under the tensions, loads and gravity of the file.
func (c *Static) Run(e *cli.Env) error {
	if len(c.By) > 0 && c.Jacobian == "" {
		return exitcode.Usagef("--by %s: there is no --jacobian, which would have a row for it", c.By[0])
	}
	if err := c.checkOutputs(); err != nil {
		return err
	}
	shape := e.Robot.Shape
	file, err := e.Draft(c.Config, nil)
	if err != nil {
		return err
	}
	file.Set(shape.Path, shape.Value, "static")
	program.WithoutObserver(file)
	made, err := e.MakeWarning(file, "finding the equilibrium")
	if err != nil {
		return err
	}
	if made.Equilibria != "" {
		fmt.Fprintf(e.Stderr, "%s: %s\n", e.Robot.Name, made.Equilibria)
	}
	if err := c.write(e, file, made); err != nil {
		return err
	}
	if c.View.Given {
		return c.show(e, made)
	}
	return nil
}

// write writes the results.
func (c *Static) write(e *cli.Env, file program.File, made *program.Instance) error {
	files := e.Outputs(c.Force, c.Config, made)
	defer files.Discard()
	if err := c.writeShapeAndJoints(e, made, files); err != nil {
		return err
	}
	verdict, isNeutral := c.judge(e, made)
	w := newWatch(made.Model)
	w.measure(0)
	w.warn(e, 0)
	failed := c.writeSample(e, made, files)
	failed = errors.Join(failed, c.writeJacobian(e, file, made, verdict, files))
	failed = errors.Join(failed, c.writeLinearisation(e, made, files))
	failed = errors.Join(failed, c.writePath(e, made, files))
	if exitcode.Code(failed) == exitcode.Mistake {
		return failed
	}
	failed = errors.Join(failed, c.estimate(e, made, files, isNeutral))
	return errors.Join(failed, files.Commit()) // the shape is valid without what these options add
}

// writeShapeAndJoints writes the nodes of the robot, or the links and joints of a mechanism.
func (c *Static) writeShapeAndJoints(e *cli.Env, made *program.Instance, files *output.Set) error {
	m, isMechanism := sim.As[sim.Mechanism](made.Model)
	header, names := shapeHeader, 0
	if isMechanism {
		header, names = linksHeader, nameColumns
	} else if c.Joints != "" {
		return exitcode.Usagef("--joints %s: a robot with one rod has no joints", c.Joints)
	}
	if name := c.out(); name != "" {
		to, err := files.Create("--out", name, output.Rows(header, ",", names))
		if err != nil {
			return err
		}
		if isMechanism {
			err = writeLinks(to, m)
		} else {
			err = writeShape(to, made, e.Robot.Shape.Port)
		}
		if err != nil {
			return err
		}
	}
	if c.Joints == "" {
		return nil
	}
	to, err := files.Create("--joints", c.Joints, output.Rows(jointsHeader, ",", nameColumns))
	if err != nil {
		return err
	}
	return writeJoints(to, m.Joints())
}

// checkOutputs refuses several tables on the standard output.
func (c *Static) checkOutputs() error {
	first := ""
	for _, o := range [...]struct{ flag, name string }{{"--out", c.out()}, {"--joints", c.Joints}, {"--sample", c.Sample}, {"--jacobian", c.Jacobian}, {"--linearise", c.Linearise}, {"--path", c.Path}, {"--error-json", c.ErrorJSON}} {
		switch {
		case o.name != "-":
		case first != "":
			return exitcode.Usagef("%s and %s both write to the standard output; give one of them a file", first, o.flag)
		default:
			first = o.flag
		}
	}
	return nil
}

// judge says whether the equilibrium is stable. It returns the verdict where it is not, whose derivatives mean nothing.
func (c *Static) judge(e *cli.Env, made *program.Instance) (verdict string, isNeutral bool) {
	m, ok := sim.As[sim.StabilityAnalyser](made.Model)
	if !ok || made.Refined == nil { // other methods settle in motion
		return "", false
	}
	bar := e.Progress("deciding whether the equilibrium is stable", -1, "")
	s, err := m.Stability()
	bar.End()
	if err != nil {
		fmt.Fprintf(e.Stderr, "%s: %v\n", e.Robot.Name, err)
		return "", false
	}
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Robot.Name, s.Description)
	if s.IsStable {
		return "", false
	}
	return s.Description, s.IsNeutral
}

// writePath writes the path to the equilibrium, if that is asked for.
func (c *Static) writePath(e *cli.Env, made *program.Instance, files *output.Set) error {
	if c.Path == "" {
		return nil
	}
	m, ok := sim.As[sim.PathFollower](made.Model)
	if !ok {
		return fmt.Errorf("--path: %s has no path of equilibria", made.Describe)
	}
	header := "load," + strings.Join(m.PathOutputs(), ",") + ",unstable_modes"
	file, err := files.Create("--path", c.Path, output.Rows(header, ",", 0))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	fmt.Fprintln(w, header)
	var line []byte
	unstable := 0 // at the end
	bar := e.RowsProgress("static --path", -1, "equilibria", c.Path)
	err = m.FollowPath(func(p *sim.PathPoint) error {
		unstable = p.Unstable
		bar.Note(fmt.Sprintf("load %.4g", p.Load))
		bar.Add(1)
		if p.Event != "" {
			e.Println(bar, p.Event)
		}
		line = appendNumber(line[:0], p.Load)
		for _, v := range p.Outputs {
			line = appendNumber(append(line, ','), v)
		}
		line = strconv.AppendInt(append(line, ','), int64(p.Unstable), 10)
		_, err := w.Write(append(line, '\n'))
		return err
	})
	bar.End()
	if err != nil {
		file.Discard()
		return fmt.Errorf("--path: %w", err)
	}
	if unstable > 0 {
		fmt.Fprintf(e.Stderr, "%s: --path: the path ends in an equilibrium with unstable modes (%d), which the robot would leave\n", e.Robot.Name, unstable)
	}
	return w.Flush()
}

// writeSample writes the equilibrium as the row that sim would write, if it is requested.
func (c *Static) writeSample(e *cli.Env, made *program.Instance, files *output.Set) error {
	if c.Sample == "" {
		return nil
	}
	file, err := files.Create("--sample", c.Sample, samplesOrRecording(e, "", made.Model.Ports()))
	if err != nil {
		return err
	}
	w, err := newSampleWriter(file, made.Model, e.Robot)
	if err != nil {
		return err
	}
	if err := w.write(0); err != nil {
		return err
	}
	return w.finish()
}

// show shows the equilibrium in the browser, as a recording of one moment.
func (c *Static) show(e *cli.Env, made *program.Instance) error {
	names, err := naming.NewNames(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return exitcode.Usage(err)
	}
	moment := new(view.Collector)
	r, err := newModelRecording(made, names, moment)
	if err == nil {
		err = r.write(0)
	}
	if err != nil {
		return err
	}
	title := "equilibrium of a " + made.Describe
	return view.Show(e, view.Page{Address: c.View.Address, Duration: c.Duration, Title: title, Quiet: c.out() == "-"}, view.Robot{}, view.Layer{File: "the equilibrium", Memory: &moment.Memory})
}

const shapeHeader = "s,x,y,z,qx,qy,qz,qw"

// writeShape writes a row for each pose of a port, at the arc lengths of the nodes.
func writeShape(out io.Writer, made *program.Instance, port string) error {
	ports := made.Model.Ports()
	i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == port && p.Kind == sim.PoseArray })
	if i < 0 {
		return fmt.Errorf("the model has no nodes %q", port)
	}
	poses := make([]float64, ports[i].Width())
	made.Model.Value(i, poses)
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, shapeHeader)
	var line []byte
	for i := range len(poses) / poseLen {
		line = appendNumber(line[:0], made.ArcM[i])
		for _, v := range poses[poseLen*i : poseLen*(i+1)] {
			line = appendNumber(append(line, ','), v)
		}
		_, _ = w.Write(append(line, '\n')) // Flush reports the first error
	}
	return w.Flush()
}
