package app

import (
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
// the same name have the same meaning.
var flagGroups = map[string][]string{
	"Robot:":      {"config", "robots", "length-m"},
	"Motion:":     {"duration", "commands", "keep-going", "watchdog", "demo", "disabled", "lockstep", "clock"},
	"Network:":    {"ros", "master", "view"},
	"Trials:":     {"node", "static", "sim-topic", "hw-topic", "robot", "hold-out", "leave-one-out"},
	"Search:":     {"free", "plan", "loss", "loss-scale", "noise", "starts", "seed", "rotation-weight"},
	"Steps:":      {"envs", "action", "observe", "hz", "shm"},
	"Samples:":    {"vary", "samples", "shard", "workers"},
	"Comparison:": {"align", "align-rotation", "latency", "max-gap", "start-together"},
	"Output:":     {"out", "open", "sample-hz", "sample-every", "stats", "record", "report", "points", "markdown", "force"},
	"Threshold:":  {"max-rmse-percent", "max-rmse-mm"},
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
			f.Group = group[f.Name]
		}
		if call := command.Tag.Get(callTag); call != "" {
			command.Detail = "Usually:\n\n    " + app.Name + " " + call
		}
		command.Detail += details(command, vars)
	}
}

// details returns a paragraph for each flag and argument of a command that has details.
func details(command *kong.Node, vars kong.Vars) (text string) {
	add := func(name string, v *kong.Value) {
		detail := v.Tag.Get(detailTag)
		for key, value := range vars {
			detail = strings.ReplaceAll(detail, "${"+key+"}", value)
		}
		if detail != "" {
			text += "\n\n" + name + ": " + detail
		}
	}
	for _, p := range command.Positional {
		add("<"+p.Name+">", p)
	}
	for _, f := range command.Flags {
		add("--"+f.Name, f.Value)
	}
	return text
}
