package naming

import (
	"fmt"
	"slices"
)

// CheckNodeName returns an error for an invalid name of a node, without its namespace.
func CheckNodeName(name string) error { return checkBase(name) }

// CheckNamespace returns an error for an invalid namespace, absolute or relative.
func CheckNamespace(namespace string) error {
	_, err := cleanNamespace(namespace)
	return err
}

// Of returns the arguments of one node (absolute name) of several: without the parameters and log
// levels of the command line for other nodes. It shares no memory with the arguments of the others.
func (a Args) Of(node string) Args {
	a.Params = slices.DeleteFunc(slices.Clone(a.Params), func(p Param) bool { return p.Node != "" && !isNode(p.Node, node) })
	a.ParamFiles, a.Remaps, a.Idle = slices.Clone(a.ParamFiles), slices.Clone(a.Remaps), slices.Clone(a.Idle)
	a.logLevels = slices.DeleteFunc(slices.Clone(a.logLevels), func(l logLevel) bool { return !l.isFor(node) })
	return a
}

// Strangers returns a line about each parameter, remapping and log level of the command line that
// applies to none of several nodes (absolute names).
func (a Args) Strangers(nodes []string) (lines []string) {
	for _, p := range a.Params {
		if p.Node != "" && !slices.ContainsFunc(nodes, func(n string) bool { return isNode(p.Node, n) }) {
			lines = append(lines, fmt.Sprintf("%s: %s:%s has no effect: no node here has this name", p.Source, p.Node, p.Name))
		}
	}
	for _, r := range a.Remaps {
		if r.Node != "" && !slices.ContainsFunc(nodes, r.isFor) {
			lines = append(lines, fmt.Sprintf("%s: %s has no effect: no node here has this name", CommandLine, r))
		}
	}
	for _, l := range a.logLevels {
		if !slices.ContainsFunc(nodes, l.isFor) {
			lines = append(lines, fmt.Sprintf("%s: --log-level %s:=%s has no effect: no logger here has this name", CommandLine, l.name, l.level))
		}
	}
	return lines
}
