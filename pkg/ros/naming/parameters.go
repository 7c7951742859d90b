package naming

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Param is a parameter of the node as text, for example "rates/control_hz" and
// "500". Names may be written with slashes (ROS 1) or dots (ROS 2).
type Param struct{ Name, Value string }

// Scalar gives the value the type that YAML gives it, as all ROS tools do:
// bool, int, float64, string, nil, or a list or map of them.
func (p Param) Scalar() (any, error) {
	var v any
	if err := yaml.Unmarshal([]byte(p.Value), &v); err != nil {
		return nil, fmt.Errorf("parameter %s: %q is no YAML value: %s", p.Name, p.Value, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return v, nil
}

// LoadParams puts the parameters of the ParamFiles before Params, which thus
// win. Those of other nodes than the one named (absolute) are left out.
func (a *Args) LoadParams(node string, read func(file string) ([]byte, error)) error {
	var all []Param
	for _, file := range a.ParamFiles {
		data, err := read(file)
		if err != nil {
			return err
		}
		list, err := parseParams(data, node)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, list...)
	}
	a.Params = append(all, a.Params...)
	return nil
}

// parseParams reads a parameter file of ROS 2: names of nodes or patterns, each
// with ros__parameters below.
func parseParams(data []byte, node string) ([]Param, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	var out []Param
	return out, walkNodes(root.Content[0], "", node, &out)
}

const paramsKey = "ros__parameters"

var errNoParams = errors.New("want the names of nodes with " + paramsKey + " below")

// walkNodes descends through names, which may be nested or joined by slashes.
func walkNodes(n *yaml.Node, at, node string, out *[]Param) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: %w", n.Line, errNoParams)
	}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		var err error
		switch {
		case key != paramsKey:
			err = walkNodes(value, at+"/"+strings.Trim(key, "/"), node, out)
		case matchNode(split(at), split(node)):
			err = flatten(value, "", out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func split(name string) []string {
	return slices.DeleteFunc(strings.Split(name, "/"), func(s string) bool { return s == "" })
}

// matchNode matches names element by element: * is any one, ** any number.
func matchNode(pattern, name []string) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == "**" && len(pattern) > 1 && pattern[1] == "**":
		return matchNode(pattern[1:], name)
	case pattern[0] == "**":
		return matchNode(pattern[1:], name) || len(name) > 0 && matchNode(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	return (pattern[0] == "*" || pattern[0] == name[0]) && matchNode(pattern[1:], name[1:])
}

// flatten joins the keys of nested maps with dots.
func flatten(n *yaml.Node, at string, out *[]Param) error {
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if at != "" {
				name = at + "." + name
			}
			if err := flatten(n.Content[i+1], name, out); err != nil {
				return err
			}
		}
		return nil
	}
	if at == "" {
		return fmt.Errorf("line %d: want parameters below %s", n.Line, paramsKey)
	}
	if n.Kind == yaml.AliasNode {
		return fmt.Errorf("line %d: parameter %s: aliases are not supported", n.Line, at)
	}
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	text, err := yaml.Marshal(n)
	if err != nil {
		return fmt.Errorf("line %d: parameter %s: %w", n.Line, at, err)
	}
	*out = append(*out, Param{at, strings.TrimSpace(string(text))})
	return nil
}
