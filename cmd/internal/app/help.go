package app

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// helpWidth is where lines of --help end on a terminal that is wider.
const helpWidth = 100

// Tags beside those of kong.
const (
	callTag   = "call"   // of a command: its usual arguments
	detailTag = "detail" // of a flag or argument: what its help text has no room for
)

// flagGroups are the headings of flags in --help, by flag name for all commands: flags with
// the same name have the same meaning. A group tag of a flag takes precedence.
var flagGroups = map[string][]string{
	"Robot:":      {"config", "robots", "length-m"},
	"Motion:":     {"duration", "commands", "keep-going", "watchdog", "demo", "disabled", "lockstep", "clock", "use-sim-time", "realtime"},
	"Network:":    {"ros", "master", "interface", "view"},
	"Trials:":     {"node", "static", "sim-topic", "hw-topic", "robot", "hold-out", "leave-one-out", "start-together", "time-unit", "keep-occluded"},
	"Search:":     {"free", "plan", "loss", "loss-scale", "noise", "starts", "seed", "rotation-weight"},
	"Steps:":      {"envs", "action", "observe", "hz", "shm"},
	"Samples:":    {"vary", "samples", "shard", "workers"},
	"Comparison:": {"align", "align-rotation", "latency", "max-gap", "offset"},
	"Output:":     {"out", "open", "sample-hz", "sample-every", "stats", "record", "record-all", "record-dir", "record-format", "report", "points", "contacts", "markdown", "force", "sample", "jacobian", "by", "linearise", "error", "error-json", "reactions", "joints", "max-rmse-percent", "max-rmse-mm"},
}

// arrangeHelp puts the flags of all commands into groups and adds to each command its usual
// call and the details of its flags and arguments. vars are the variables of the details.
func arrangeHelp(app *kong.Application, vars kong.Vars) {
	group := map[string]*kong.Group{}
	for title, names := range flagGroups {
		g := &kong.Group{Key: title, Title: title}
		for _, name := range names {
			group[name] = g
		}
	}
	for _, command := range app.Children {
		for _, f := range command.Flags {
			if f.Group == nil {
				f.Group = group[f.Name]
			}
		}
		if call := command.Tag.Get(callTag); call != "" {
			command.Detail = "Usually:\n\n    " + app.Name + " " + substitute(call, vars)
		}
		command.Detail += details(command, vars)
	}
}

// details returns a paragraph for each flag and argument of a command that has details.
func details(command *kong.Node, vars kong.Vars) (text string) {
	for _, name := range detailed(command) {
		text += "\n\n" + name.text + ": " + substitute(name.value.Tag.Get(detailTag), vars)
	}
	return text
}

// substitute replaces variables by their values.
func substitute(text string, vars kong.Vars) string {
	for key, value := range vars {
		text = strings.ReplaceAll(text, "${"+key+"}", value)
	}
	return text
}

// ofRods are the flags that commands refuse for robots without a mesh.
var ofRods = []string{"error", "error-json"}

// hideFlags removes flags from the help of all commands.
func hideFlags(app *kong.Application, names ...string) {
	for _, command := range app.Children {
		for _, f := range command.Flags {
			f.Hidden = f.Hidden || slices.Contains(names, f.Name)
		}
	}
}

// named is a flag or argument as users write it.
type named struct {
	text  string
	value *kong.Value
}

// detailed returns the arguments and flags of a command that have details.
func detailed(command *kong.Node) (all []named) {
	for _, p := range command.Positional {
		all = append(all, named{"<" + p.Name + ">", p})
	}
	for _, f := range command.Flags {
		all = append(all, named{"--" + f.Name, f.Value})
	}
	return slices.DeleteFunc(all, func(n named) bool { return n.value.Tag.Get(detailTag) == "" })
}

// helpPrinter returns the printer of --help. The help of a command fits a page: it names the
// flags whose details are on the manual page, and leaves out --help itself.
func helpPrinter(vars kong.Vars) kong.HelpPrinter {
	return func(options kong.HelpOptions, ctx *kong.Context) error {
		if command := ctx.Selected(); command != nil {
			var names []string
			for _, n := range detailed(command) {
				names = append(names, n.text)
			}
			if names != nil {
				command.Detail = strings.TrimSuffix(command.Detail, details(command, vars)) +
					"\n\nThe manual page (" + ctx.Model.Name + " man | man -l -) has details of " + strings.Join(names, ", ") + "."
			}
			ctx.Model.HelpFlag.Hidden = true
		}
		return kong.DefaultHelpPrinter(options, ctx)
	}
}
