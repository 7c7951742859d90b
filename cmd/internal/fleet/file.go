package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"sinew/cmd/internal/program"
	"sinew/pkg/ros/naming"
)

// MaxRobots is the maximum number of robots of a fleet: their endpoints fit into one DDS participant.
const MaxRobots = 256

// maxFile bounds what is read of a fleet file (bytes).
const maxFile = 1 << 20

// File is a fleet file.
type File struct {
	Name   string
	Robots []Robot
}

// Robot is an entry of a fleet file.
type Robot struct {
	Name      string
	Namespace string   // empty for that of the fleet, relative to that, or absolute
	Config    []string // robot files, later ones override earlier ones, by paths from the working directory
	Place     string   // "fleet.yaml:3"
}

// Configs returns the robot files of each robot.
func (f *File) Configs() [][]string {
	all := make([][]string, len(f.Robots))
	for i := range f.Robots {
		all[i] = f.Robots[i].Config
	}
	return all
}

// The keys of a fleet file. robotsKey is its top-level key, which distinguishes it from a robot file.
const (
	robotsKey    = "robots"
	nameKey      = "name"
	namespaceKey = "namespace"
	configKey    = "config"
)

// Read reads a fleet file.
func Read(name string) (*File, error) {
	data, err := program.ReadFile(name, maxFile)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

// Is reports whether a file is a fleet file, valid or not.
func Is(name string) bool {
	data, err := program.ReadFile(name, maxFile)
	var doc yaml.Node
	if err != nil || yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return false
	}
	top := doc.Content[0]
	for i := 0; top.Kind == yaml.MappingNode && i < len(top.Content); i += 2 {
		if top.Content[i].Value == robotsKey {
			return true
		}
	}
	return false
}

// Parse reads a fleet file with this name and content. The error lists all mistakes with their lines.
func Parse(name string, data []byte) (*File, error) {
	p := parser{name: name}
	var doc yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		return nil, fmt.Errorf("%s: is empty; want %s", name, form)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch err := decoder.Decode(new(yaml.Node)); {
	case err == nil:
		return nil, fmt.Errorf("%s: has several documents; want one", name)
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{Name: name}
	p.mapping(doc.Content[0], "", map[string]func(*yaml.Node){robotsKey: func(n *yaml.Node) {
		if n.Kind != yaml.SequenceNode || len(n.Content) == 0 || len(n.Content) > MaxRobots {
			p.wrong(n, robotsKey, "has %s; want a list of 1 to %d robots", describe(n), MaxRobots)
			return
		}
		for i, r := range n.Content {
			f.Robots = append(f.Robots, p.robot(r, fmt.Sprintf("%s[%d]", robotsKey, i)))
		}
	}}, robotsKey)
	return f, errors.Join(p.errs...)
}

// form is what a fleet file looks like.
const form = "robots: [{name: left, namespace: /lab, config: left.yaml}, ...]"

// parser collects mistakes.
type parser struct {
	name string
	errs []error
}

func (p *parser) wrong(n *yaml.Node, path, format string, a ...any) {
	if path != "" {
		path += ": "
	}
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %s%s", p.name, n.Line, path, fmt.Sprintf(format, a...)))
}

// mapping passes the values of known keys to their functions and reports unknown keys and
// missing required ones.
func (p *parser) mapping(n *yaml.Node, path string, known map[string]func(*yaml.Node), required ...string) {
	if n.Kind != yaml.MappingNode {
		p.wrong(n, path, "is %s; want %s", describe(n), form)
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		take := known[key.Value]
		at := strings.TrimPrefix(path+"."+key.Value, ".")
		switch before, twice := lines[key.Value]; {
		case take == nil:
			p.wrong(key, at, "unknown key; allowed: %s", allowed(known))
		case twice:
			p.wrong(key, at, "is given twice, in line %d before", before)
		default:
			lines[key.Value] = key.Line
			take(value)
		}
	}
	for _, key := range required {
		if lines[key] == 0 {
			p.wrong(n, path, "%s is missing; want %s", key, form)
		}
	}
}

func allowed(known map[string]func(*yaml.Node)) string {
	var names []string
	for _, key := range []string{robotsKey, nameKey, namespaceKey, configKey} {
		if known[key] != nil {
			names = append(names, key)
		}
	}
	return strings.Join(names, ", ")
}

// robot reads one robot. Its files are relative to the folder of the fleet file.
func (p *parser) robot(n *yaml.Node, path string) Robot {
	r := Robot{Place: fmt.Sprintf("%s:%d", p.name, n.Line)}
	text := func(key string, to *string, check func(string) error) func(*yaml.Node) {
		return func(v *yaml.Node) {
			at := path + "." + key
			if v.Kind != yaml.ScalarNode || v.Value == "" || v.Tag == "!!null" {
				p.wrong(v, at, "is %s; want a text", describe(v))
				return
			}
			if err := check(v.Value); err != nil {
				p.wrong(v, at, "%v", err)
			}
			*to = v.Value
		}
	}
	config := func(v *yaml.Node, at string) {
		if v.Kind != yaml.ScalarNode || v.Value == "" || v.Tag == "!!null" {
			p.wrong(v, at, "is %s; want the path of a robot file", describe(v))
			return
		}
		file := v.Value
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(p.name), file)
		}
		r.Config = append(r.Config, file)
	}
	p.mapping(n, path, map[string]func(*yaml.Node){
		nameKey:      text(nameKey, &r.Name, naming.CheckNodeName),
		namespaceKey: text(namespaceKey, &r.Namespace, naming.CheckNamespace),
		configKey: func(v *yaml.Node) {
			at := path + "." + configKey
			if v.Kind != yaml.SequenceNode {
				config(v, at)
				return
			}
			if len(v.Content) == 0 {
				p.wrong(v, at, "is an empty list; want the path of a robot file, or several, of which later ones override earlier ones")
			}
			for i, c := range v.Content {
				config(c, fmt.Sprintf("%s[%d]", at, i))
			}
		},
	}, nameKey, configKey)
	return r
}

// describe describes a value in a few words.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return fmt.Sprintf("a list of %d", len(n.Content))
	case yaml.AliasNode:
		return "an alias"
	}
	if n.Value == "" || n.Tag == "!!null" {
		return "nothing"
	}
	return fmt.Sprintf("%.40q", n.Value)
}
