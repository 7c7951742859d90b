package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/launch/robots"
	"sinew/pkg/sim/robotfile"
)

// Robots is the command robots.
type Robots struct{}

// Run lists the robots that come with the program.
func (*Robots) Run(e *cli.Env) error {
	name, size := 0, 0
	for _, r := range e.Robot.Builtin {
		name, size = max(name, len(r.Name)), max(size, len(r.Size))
	}
	for i, r := range e.Robot.Builtin {
		mark := ""
		if i == 0 {
			mark = " (what run shows without a file)"
		}
		fmt.Fprintf(e.Stdout, "%-*s  %-*s  %s%s\n", name, r.Name, size, r.Size, r.Shows, mark)
	}
	return nil
}

// Init is the command init.
type Init struct {
	Name  string `arg:"" optional:"" help:"Choose a robot that the command robots lists (default: the first)."`
	Out   string `help:"Write the robot file here (default: NAME.yaml); commands: FILE_commands.csv." placeholder:"FILE.yaml"`
	Force bool   `help:"Overwrite existing files."`
}

// Run writes the robot file and its commands, and prints the next steps.
func (c *Init) Run(e *cli.Env) error {
	r, err := c.robot(e)
	if err != nil {
		return exitcode.Usage(err)
	}
	file := c.Out
	if file == "" {
		file = r.Name + ".yaml"
	}
	base, isYAML := strings.CutSuffix(file, ".yaml")
	if !isYAML {
		return exitcode.Usagef("--out %s: a robot file ends in .yaml", file)
	}
	table := base + "_commands.csv"
	if err := c.write(e, file, table, r); err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s: %s, %s\n", file, r.Size, r.Shows)
	demo, commands := "", ""
	if r.Commands() != nil {
		fmt.Fprintf(e.Stdout, "%s: commands for it\n", table)
		demo, commands = " --demo", " --commands "+table
	}
	fmt.Fprintf(e.Stdout, `next:
  %[1]s run --config %[2]s%[3]s
  %[1]s sim --config %[2]s%[4]s --duration 3s --out %[5]s.csv
  %[1]s check %[2]s    after each change; %[1]s params explains every key
`, e.Robot.Name, file, demo, commands, base)
	return nil
}

// robot finds the requested robot.
func (c *Init) robot(e *cli.Env) (robots.Robot, error) {
	known := e.Robot.Builtin
	if c.Name == "" {
		return known[0], nil
	}
	r, ok := robots.Find(c.Name)
	if ok && slices.Contains(known, r) {
		return r, nil
	}
	if ok {
		return r, fmt.Errorf("%s is a robot of the other program; use %s init %[1]s", r.Name, r.Program)
	}
	var names []string
	hint := ""
	for _, k := range known {
		names = append(names, k.Name)
		if robotfile.EditDistance(c.Name, k.Name) <= 2 {
			hint = "; did you mean " + k.Name + "?"
		}
	}
	return r, fmt.Errorf("unknown robot %q; allowed: %s%s", c.Name, strings.Join(names, ", "), hint)
}

// write writes all files, or none if one exists and must not be replaced.
func (c *Init) write(e *cli.Env, file, table string, r robots.Robot) error {
	if dir := filepath.Dir(file); !isFolder(dir) {
		return exitcode.Usagef("directory %s does not exist", dir)
	}
	files := output.New(e.Stdout, output.Force{Force: c.Force})
	defer files.Discard()
	for _, f := range []struct {
		name string
		data []byte
	}{{file, r.File()}, {table, r.Commands()}} {
		if f.data == nil {
			continue
		}
		w, err := files.Create("--out", f.name, output.People())
		if err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	return files.Commit()
}

// isFolder reports whether name is a folder.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
