package inspect

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/fleet"
	"sinew/cmd/internal/program"
)

// checkFleet checks a fleet file and the robots of it, and whether all of them keep real time here.
func (c *Check) checkFleet(e *cli.Env) error {
	if len(c.Files) > 1 {
		return exitcode.Usagef("%s is a fleet file, which no further file overrides; give it alone", c.Files[0])
	}
	f, err := fleet.Read(c.Files[0])
	if err != nil {
		return exitcode.Usage(err)
	}
	nodes, err := f.Nodes(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return exitcode.Usage(err)
	}
	var errs []error
	made := make([]*program.Instance, len(f.Robots))
	for i, r := range f.Robots {
		env := *e
		env.Args = e.Args.Of(nodes[i].Node())
		if err := env.Args.LoadParams(nodes[i].Node(), cli.ReadParamFile); err != nil {
			return exitcode.Usage(err)
		}
		if env.Args.SimTime != "" {
			errs = append(errs, fleet.CheckSimTime(env.Args.SimTime+": use_sim_time: true"))
		}
		made[i], err = env.Open(r.Config, func(program.File) []cli.Parameter { return nil })
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", r.Place, nodes[i].Node(), err))
		}
	}
	if len(errs) > 0 {
		return exitcode.Usage(fleet.Join(errs))
	}
	costs := make([]float64, len(f.Robots))
	for i, cost := range cli.MeasureCosts(context.Background(), made, f.Configs()) {
		if cost.Failed != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %v", f.Robots[i].Place, nodes[i].Node(), cost))
			continue
		}
		costs[i] = cost.Slowdown
		fmt.Fprintf(e.Stdout, "%s: ok: %s\n", nodes[i].Node(), made[i].Describe)
	}
	if len(errs) > 0 {
		return fleet.Join(errs)
	}
	of, load := fleet.Share(costs, runtime.NumCPU())
	if text := fleet.TooMany(of, load); text != "" {
		fmt.Fprintf(e.Stderr, "%s: warning: %s: %s\n", e.Robot.Name, f.Name, text)
		return nil
	}
	sum := 0.0
	for _, l := range load {
		sum += l
	}
	fmt.Fprintf(e.Stdout, "%s: ok: %d robots keep real time here, of which their steps take %.2g %% on %d loops\n", f.Name, len(f.Robots), 100*sum/float64(len(load)), len(load))
	return nil
}
