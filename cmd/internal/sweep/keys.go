package sweep

import (
	"fmt"
	"slices"
	"strings"

	"sinew/cmd/internal/program"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sweep"
)

// plan reads the variations and finds, for each, the paths of the numbers in the robot file
// that it decides about.
func (c *Cmd) plan(base program.File, given []naming.Param) (*sweep.Plan, [][]string, error) {
	numbers, err := base.Numbers()
	if err != nil {
		return nil, nil, err
	}
	var variations []sweep.Variation
	var keys [][]string
	taken := map[string]string{} // name of the variation by path
	for _, text := range c.Vary {
		v, err := sweep.Parse(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--vary %w", err)
		}
		paths, err := pathsOf(v.Name, numbers, base)
		if err != nil {
			return nil, nil, fmt.Errorf("--vary %w", err)
		}
		for _, p := range paths {
			if other, ok := taken[p]; ok {
				return nil, nil, fmt.Errorf("--vary %s and --vary %s both decide about %s", other, v.Name, p)
			}
			taken[p] = v.Name
			for _, g := range given {
				if g.Source == naming.CommandLine && identify.Sets(g.Name, g.Value, p, numbers) {
					return nil, nil, fmt.Errorf("_%s:=%s on the command line sets %s, which --vary %s varies; leave one of them out", g.Name, g.Value, p, v.Name)
				}
			}
		}
		variations, keys = append(variations, v), append(keys, paths)
	}
	plan, err := sweep.NewPlan(variations, c.Samples, c.Seed)
	if err != nil {
		return nil, nil, fmt.Errorf("--vary, --samples: %w", err)
	}
	return plan, keys, nil
}

// pathsOf finds the numbers of a name: a key, its path or the end of that, all items of a
// list that have it, or KEY.ITEM for one of them, as in tension.long_up.
func pathsOf(name string, numbers []robotfile.Number, base program.File) ([]string, error) {
	found, err := identify.Find(numbers, name)
	if err == nil && found == nil {
		key, item, _ := strings.Cut(name, ".")
		if all, e := identify.Find(numbers, key); e == nil && item != "" {
			found = slices.DeleteFunc(slices.Clone(all), func(n robotfile.Number) bool {
				return !strings.Contains(n.Named, "."+item+".")
			})
		}
	}
	switch {
	case err != nil:
		return nil, err
	case found == nil && base.Has(name): // a number that the file leaves out
		return []string{name}, nil
	case len(found) == 0:
		return nil, fmt.Errorf("%s: no such number in the robot file; %s", name, identify.Nearest(numbers, name))
	}
	var paths []string
	for _, n := range found {
		if n.Key != found[0].Key {
			return nil, fmt.Errorf("%s has several components: write %s or %s", name, found[0].Named, n.Named)
		}
		paths = append(paths, n.Path)
	}
	return paths, nil
}
