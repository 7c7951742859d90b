package run

import (
	"context"
	"maps"
	"slices"
	"strings"

	"go.uber.org/zap"
	"go.yaml.in/yaml/v3"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros/parameter"
)

// serverParameters reads the node's private parameters from the master and returns those that are
// keys of the robot file. Others, which may belong to other programs, are logged. Parameters that a
// node of this name had set and not deleted before it died are ignored.
func (n *ros1Network) serverParameters(f program.File) []cli.Parameter {
	if !n.online {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*masterTimeout)
	defer cancel()
	tree, set, err := n.client().Param(ctx, n.names.Node())
	if err != nil || !set {
		return nil
	}
	n.read = tree
	own := func(string, any) bool { return false }
	if m, ok := tree.(map[string]any); ok {
		own = parameter.OfLastRun(m[parameter.MirrorName])
	}
	var list []cli.Parameter
	flatten(tree, "", func(path string, value any) {
		text, err := yaml.Marshal(value)
		name := strings.ReplaceAll(path, "/", ".")
		switch {
		case path == parameter.MirrorName || path == descriptionName || own(name, value):
		case err != nil || !f.Has(path):
			n.log.Warn("parameter is no key of the robot file", zap.String("parameter", n.names.Node()+"/"+path))
		default:
			n.given = append(n.given, name)
			list = append(list, cli.Parameter{Path: path, Value: strings.TrimSpace(string(text))})
		}
	})
	return list
}

// flatten calls leaf for each value of nested maps, in the order of the names,
// with the names on the way joined by slashes.
func flatten(v any, at string, leaf func(path string, value any)) {
	m, ok := v.(map[string]any)
	if !ok {
		leaf(at, v)
		return
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		flatten(m[k], strings.TrimPrefix(at+"/"+k, "/"), leaf)
	}
}
