package compare

import (
	"fmt"
	"math"
	"path/filepath"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/view"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/hil/report"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// show shows the simulation as its file has it and over it the hardware as it was compared: in the frame and without the
// latency of the result, on the clock of the simulation, which its file begins at start since 1970. Below the simulation is the error.
func (c *Cmd) show(e *cli.Env, sim, hw *trajectory.Trajectory, start time.Duration, result *hil.Comparison, robot comparedRobot) error {
	r := result.Removed
	epoch := start - time.Duration(math.Round(sim.Tip.T[0]*1e9))
	clock := func(t float64) time.Duration { return epoch + time.Duration(math.Round((t-r.LatencyS)*1e9)) }
	address := c.View.Address
	if !c.View.Given {
		address = cli.ViewHost
	}
	return view.Show(e, view.Page{Address: address, Duration: c.Duration, Title: c.title(sim, hw, result)}, robot.drawn,
		view.Layer{File: c.Sim, Number: c.Number(), Shown: sim.Topic},
		view.Layer{File: hw.Name, Memory: view.Motion(e, aligned(hw, &r.Frame), clock)},
		view.Layer{Memory: view.Errors(r, clock), Below: true},
	)
}

// title is what is shown and how far apart it is, in a line.
func (c *Cmd) title(sim, hw *trajectory.Trajectory, result *hil.Comparison) string {
	r, unit := result.Removed, report.LengthUnit(result)
	text := fmt.Sprintf("%s under %s: RMSE %.3f %s", filepath.Base(sim.File), filepath.Base(hw.File), unit.PerMetre*r.Position.RMSE, unit.Name)
	if p := r.Percent(r.Position.RMSE); !math.IsNaN(p) {
		text += fmt.Sprintf(" (%.3f %%)", p)
	}
	text += fmt.Sprintf(", max %.3f %s", unit.PerMetre*r.Position.Max, unit.Name)
	if r.LatencyS != 0 {
		text += fmt.Sprintf(", %.1f ms of latency removed", 1e3*r.LatencyS)
	}
	if r.Frame.Kind != hil.AlignNone {
		text += fmt.Sprintf(", aligned by %s", r.Frame.Kind)
	}
	return text
}

// aligned is a motion in the world of the simulation.
func aligned(m *trajectory.Trajectory, f *hil.Frame) *trajectory.Trajectory {
	out := *m
	out.Tip.Pose = make([]spatial.Pose, len(m.Tip.Pose))
	for i := range m.Tip.Pose {
		out.Tip.Pose[i] = f.Apply(&m.Tip.Pose[i], m.Tip.Rotations)
	}
	out.Shape.Nodes = make([][]spatial.Vec, len(m.Shape.Nodes))
	for i, nodes := range m.Shape.Nodes {
		for _, p := range nodes {
			out.Shape.Nodes[i] = append(out.Shape.Nodes[i], f.Pose.Apply(p))
		}
	}
	return &out
}
