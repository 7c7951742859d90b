package offline

import (
	"fmt"
	"math"
	"slices"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// minJump is the distance between the initial state and the equilibrium under the first commands above which it is
// told, as a share of the length.
const minJump = 0.01

// warnStart warns of a robot that begins in equilibrium, but in another one than that under its first commands: without
// them its tendons are slack, or pull as the robot file says.
func warnStart(e *cli.Env, made *program.Instance, commands *trajectory.Commands) {
	if !made.InEquilibrium || made.NewModel == nil || len(commands.T) == 0 || commands.T[0] > trajectory.TimeTolerance {
		return
	}
	other, err := made.NewModel()
	if err != nil {
		return
	}
	settler, ok := sim.As[interface{ Equilibrate() error }](other)
	if !ok {
		return
	}
	const reached = 1e12 // s, in which every setpoint is reached
	in := sim.NewInputs(other)
	commands.Play().Apply(0, in)
	in.Advance(reached)
	if settler.Equilibrate() != nil {
		return // the motion tells what is wrong
	}
	d := shownDistance(made.Model, other, e.Robot.ShownOf(made))
	if !(d > minJump*made.LengthM) {
		return
	}
	fmt.Fprintf(e.Stderr, "%s: warning: the robot begins in the equilibrium of the robot file (initial_state: equilibrium), %.3g mm from that under the commands at t = 0, and moves from one to the other;"+
		" to begin there, give the robot file these commands (tendons[].tension_n of a column NAME, tendons[].pull_m of NAME:m; of mechanisms joints[].position of NAME:rad or NAME:m, loads of LINK.fx)\n", e.Robot.Name, 1e3*d)
}

// shownDistance is how far the position of a port is in one model from where it is in another, m.
func shownDistance(a, b sim.Model, port string) float64 {
	ports := a.Ports()
	i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == port && p.Kind == sim.Pose && p.Direction == sim.Out })
	if i < 0 {
		return 0
	}
	p, q := make([]float64, ports[i].Width()), make([]float64, ports[i].Width())
	a.Value(i, p)
	b.Value(i, q)
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}
