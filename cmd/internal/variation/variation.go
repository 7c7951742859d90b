// Package variation holds the flag --vary, which selects numbers of a robot file and their
// distributions.
package variation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sinew/cmd/internal/program"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sweep"
)

// Numbers are numbers of a robot file that vary.
type Numbers struct {
	Variations []sweep.Variation
	paths      [][]string // in the robot file, for each variation
}

// Read reads the texts of flags --vary and finds the numbers of the robot file that each of them
// varies. given are values from elsewhere; they must not vary.
func Read(texts []string, base program.File, given []naming.Param) (*Numbers, error) {
	numbers, err := base.Numbers()
	if err != nil {
		return nil, err
	}
	n := new(Numbers)
	taken := map[string]string{} // name of the variation by path
	for _, text := range texts {
		v, err := sweep.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--vary %w", err)
		}
		paths, err := pathsOf(v.Name, numbers, base)
		if err != nil {
			return nil, fmt.Errorf("--vary %w", err)
		}
		if err := program.RefuseOverridden(base, paths); err != nil {
			return nil, fmt.Errorf("--vary %s: %w", v.Name, err)
		}
		for _, p := range paths {
			if other, ok := taken[p]; ok {
				return nil, fmt.Errorf("--vary %s and --vary %s both decide about %s", other, v.Name, p)
			}
			taken[p] = v.Name
			for _, g := range given {
				if g.Source == naming.CommandLine && identify.Sets(g.Name, g.Value, p, numbers) {
					return nil, fmt.Errorf("_%s:=%s on the command line sets %s, which --vary %s varies; leave one of them out", g.Name, g.Value, p, v.Name)
				}
			}
		}
		n.Variations, n.paths = append(n.Variations, v), append(n.paths, paths)
	}
	return n, nil
}

// Set sets the varied numbers in a robot file, with all digits of values.
func (n *Numbers) Set(f program.File, values []float64) {
	for k, paths := range n.paths {
		for _, p := range paths {
			f.Set(p, Text(values[k]), "--vary")
		}
	}
}

// Text writes a value with all its digits.
func Text(x float64) string { return strconv.FormatFloat(x, 'g', 17, 64) }

// pathsOf returns the paths of the numbers with a name: a key, its path or the end of it, that of
// all items of a list, or KEY.ITEM for one item, as in tension.long_up.
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
	case found == nil && base.Has(name): // a number that the file does not give
		return []string{name}, identify.MissingItem(numbers, name)
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
