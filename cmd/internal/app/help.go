package app

import (
	"github.com/alecthomas/kong"
)

// helpWidth is where lines of --help end on a terminal that is wider.
const helpWidth = 100

// callTag is the tag of a verb with its usual call: what follows the program's name.
const callTag = "call"

// flagGroups are the headings of flags in --help, by name for all verbs; a flag that has
// the same name means the same in each.
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

// arrangeHelp puts the flags of all verbs into groups and says how a verb is usually
// called.
func arrangeHelp(app *kong.Application) {
	group := map[string]*kong.Group{}
	for title, names := range flagGroups {
		g := &kong.Group{Key: title, Title: title}
		for _, name := range names {
			group[name] = g
		}
	}
	for _, verb := range app.Children {
		for _, f := range verb.Flags {
			f.Group = group[f.Name]
		}
		if call := verb.Tag.Get(callTag); call != "" {
			verb.Detail = "Usually:\n\n    " + app.Name + " " + call
		}
	}
}
