package naming

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Param is a parameter of the node as text, for example "rates/control_hz" and "500". Names have
// slashes (ROS 1) or dots (ROS 2). Source is its origin for messages: CommandLine, or file:line.
// Shared means that it was given for a pattern of names such as /** and may belong to other nodes;
// /**/left means this one. Node, if not empty, is the name or pattern of names of the nodes of a
// parameter of the command line.
type Param struct {
	Name, Value, Source string
	Shared              bool
	Node                string
}

// CommandLine is the Source of parameters of the command line.
const CommandLine = "command line"

// Scalar returns the value with the type that it has in YAML, as in all ROS tools:
// bool, int, float64, string, nil, or a list or map of them.
func (p Param) Scalar() (any, error) {
	var v any
	if err := yaml.Unmarshal([]byte(p.Value), &v); err != nil {
		return nil, fmt.Errorf("parameter %s: %q is no YAML value: %s", p.Name, p.Value, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return v, nil
}

// LoadParams inserts the parameters of the ParamFiles before Params, which override them. It skips
// those of other nodes than the named one (absolute). It moves those of every node from Params to
// SimTime, WallTime and Idle. A second call changes nothing.
func (a *Args) LoadParams(node string, read func(file string) ([]byte, error)) error {
	var all []Param
	for _, file := range a.ParamFiles {
		data, err := read(file)
		if err != nil {
			return err
		}
		list, err := parseParams(file, data, node)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	for _, p := range a.Params {
		switch {
		case p.Node == "" || isNode(p.Node, node):
			all = append(all, p)
		default:
			a.Idle = append(a.Idle, fmt.Sprintf("%s: %s:%s has no effect: this node is %s", p.Source, p.Node, p.Name, node))
		}
	}
	a.Params, a.ParamFiles = all, nil
	return a.takeNodeParams()
}

// isNode reports whether a name, with or without its namespace, or a pattern of names means a
// node (absolute name).
func isNode(name, node string) bool {
	parts := split(node)
	return name == parts[len(parts)-1] || matchNode(split(name), parts)
}

// parseParams reads a parameter file of ROS 2: names of nodes or patterns, each
// with ros__parameters below. Errors begin with the file's name and the line.
func parseParams(file string, data []byte, node string) ([]Param, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("%s:%s", file, placeOf(err))
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	p := paramsParser{file: file, node: split(node)}
	err := p.walkNodes(root.Content[0], "")
	return p.out, err
}

// placeOf returns the text of an error of YAML, beginning with its line, as in 3: did not find ...
func placeOf(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		return rest
	}
	return " " + text
}

// paramsParser collects the parameters of one node from a file.
type paramsParser struct {
	file   string
	node   []string
	shared bool // the section of now is a pattern
	out    []Param
}

const paramsKey = "ros__parameters"

// errorAt returns an error with the position of n in the file.
func (p *paramsParser) errorAt(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.file, n.Line, fmt.Sprintf(format, args...))
}

// walkNodes descends through names, which may be nested or joined by slashes.
func (p *paramsParser) walkNodes(n *yaml.Node, at string) error {
	if n.Kind != yaml.MappingNode {
		return p.errorAt(n, "want the names of nodes with %s below", paramsKey)
	}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		var err error
		switch {
		case key.Value != paramsKey:
			err = p.walkNodes(value, at+"/"+strings.Trim(key.Value, "/"))
		case matchNode(split(at), p.node):
			p.shared = strings.Contains(at[strings.LastIndexByte(at, '/')+1:], "*")
			err = p.flatten(value, "", key)
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

// flatten joins the keys of nested maps with dots. key is what n is the value of.
func (p *paramsParser) flatten(n *yaml.Node, at string, key *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if at != "" {
				name = at + "." + name
			}
			if err := p.flatten(n.Content[i+1], name, n.Content[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if at == "" {
		return p.errorAt(n, "want parameters below %s", paramsKey)
	}
	if n.Kind == yaml.AliasNode {
		return p.errorAt(key, "parameter %s: aliases are not supported", at)
	}
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	text, err := yaml.Marshal(n)
	if err != nil {
		return p.errorAt(key, "parameter %s: %v", at, err)
	}
	p.out = append(p.out, Param{Name: at, Value: strings.TrimSpace(string(text)), Source: fmt.Sprintf("%s:%d", p.file, key.Line), Shared: p.shared})
	return nil
}
