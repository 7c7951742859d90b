package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	fieldName    = regexp.MustCompile(`^([a-z][a-z0-9]*(_[a-z0-9]+)*|[A-Z])$`) // CameraInfo has the matrices K, R and P in ROS 1
	constantName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
	typeText     = regexp.MustCompile(`^(?:([a-z][a-z0-9_]*)/)?([A-Za-z][A-Za-z0-9]*)(?:<=([0-9]+))?(\[(<=)?([0-9]*)\])?$`)
	marks        = map[string]Side{"ros1": ROS1Only, "ros2": ROS2Only}
)

func itoa(n int) string { return strconv.Itoa(n) }

// parseMessage reads the field list of the message pkg/name. Line numbers in
// errors start after firstLine.
func parseMessage(pkg, name, source, text string, firstLine int) (*Message, error) {
	m := &Message{Package: pkg, Name: name, Source: source}
	seen := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		if err := m.parseLine(line, seen); err != nil {
			return nil, fmt.Errorf("%s/%s:%d: %w", pkg, source, firstLine+i+1, err)
		}
	}
	return m, nil
}

func (m *Message) parseLine(line string, seen map[string]bool) error {
	body, side, err := splitMark(line)
	if err != nil {
		return err
	}
	if body == "" {
		if side != BothSides {
			m.Side = side
		}
		return nil
	}
	typ, rest, found := strings.Cut(body, " ")
	rest = strings.TrimSpace(rest)
	if !found || rest == "" {
		return fmt.Errorf("%q: want a type and a name", body)
	}
	ref, err := parseType(typ, m.Package)
	if err != nil {
		return err
	}
	if name, value, isConstant := strings.Cut(rest, "="); isConstant {
		c := Constant{typ, strings.TrimSpace(name), strings.TrimSpace(value), side}
		m.Constants = append(m.Constants, c)
		if err := checkConstant(c, ref); err != nil {
			return err
		}
		return unique(seen, c.Name, side)
	}
	if !fieldName.MatchString(rest) {
		return fmt.Errorf("field name %q is not lower_snake_case", rest)
	}
	m.Fields = append(m.Fields, Field{Name: rest, Type: ref, Side: side})
	return unique(seen, rest, side)
}

// splitMark cuts the mark off a line. "#" starts nothing but a mark.
func splitMark(line string) (body string, side Side, err error) {
	body, mark, found := strings.Cut(line, "#")
	if !found {
		return strings.TrimSpace(body), BothSides, nil
	}
	side, known := marks[strings.TrimSpace(mark)]
	if !known {
		return "", 0, fmt.Errorf("%q after #: want ros1 or ros2", strings.TrimSpace(mark))
	}
	return strings.TrimSpace(body), side, nil
}

func parseType(text, pkg string) (TypeRef, error) {
	p := typeText.FindStringSubmatch(text)
	if p == nil {
		return TypeRef{}, fmt.Errorf("%q is not a type", text)
	}
	t := TypeRef{Array: p[4] != "", Written: strings.TrimSuffix(text, p[4])}
	if p[5] != "" || p[6] != "" {
		n, err := strconv.Atoi(p[6])
		if err != nil || n < 1 {
			return TypeRef{}, fmt.Errorf("%q: the array length must be a positive number", text)
		}
		if t.Fixed = n; p[5] != "" {
			t.Fixed, t.Most = 0, n
		}
	}
	if p[3] != "" {
		n, err := strconv.Atoi(p[3])
		if err != nil || n < 1 || p[1] != "" || p[2] != "string" {
			return TypeRef{}, fmt.Errorf("%q: only a string can have a bound, a positive number", text)
		}
		t.Builtin, t.Bound = "string", n
	} else if _, ok := builtins[t.Written]; ok {
		t.Builtin = t.Written
	} else if t.Package, t.Name = p[1], p[2]; t.Package == "" {
		t.Package = pkg
	}
	return t, nil
}

// checkConstant accepts what both ROS versions can express.
func checkConstant(c Constant, t TypeRef) error {
	if !constantName.MatchString(c.Name) {
		return fmt.Errorf("constant name %q is not UPPER_SNAKE_CASE", c.Name)
	}
	if t.Array || t.Bound > 0 || t.Builtin == "" || t.Builtin == "time" || t.Builtin == "duration" {
		return fmt.Errorf("constant %s cannot be of type %s", c.Name, t.Text())
	}
	var err error
	switch b := builtins[t.Builtin]; {
	case b.Go == "string":
		if strings.ContainsAny(c.Value, "\"`\\") {
			err = fmt.Errorf("%q must not contain quotes or backslashes", c.Value)
		}
	case b.Go == "bool":
		_, err = strconv.ParseBool(c.Value)
	case strings.HasPrefix(b.Go, "float"):
		_, err = strconv.ParseFloat(c.Value, 8*b.Size)
	case strings.HasPrefix(b.Go, "int"):
		_, err = strconv.ParseInt(c.Value, 10, 8*b.Size)
	default:
		_, err = strconv.ParseUint(c.Value, 10, 8*b.Size)
	}
	if err != nil {
		return fmt.Errorf("constant %s: %w", c.Name, err)
	}
	return nil
}

// unique refuses a second definition of name on the same side.
func unique(seen map[string]bool, name string, side Side) error {
	for _, s := range []Side{ROS1Only, ROS2Only} {
		key := name + "#" + itoa(int(s))
		if side.On(s) && seen[key] {
			return fmt.Errorf("%s is defined twice", name)
		}
		seen[key] = seen[key] || side.On(s)
	}
	return nil
}

// parseService reads both halves of a service.
func parseService(pkg, name, source, text string) (*Service, error) {
	lines := strings.Split(text, "\n")
	cut := -1
	for i, l := range lines {
		if strings.TrimSpace(l) == "---" {
			if cut >= 0 {
				return nil, fmt.Errorf("%s/%s:%d: second ---", pkg, source, i+1)
			}
			cut = i
		}
	}
	if cut < 0 {
		return nil, fmt.Errorf("%s/%s: no --- between request and response", pkg, source)
	}
	request, err := parseMessage(pkg, name+"Request", source, strings.Join(lines[:cut], "\n"), 0)
	if err != nil {
		return nil, err
	}
	response, err := parseMessage(pkg, name+"Response", source, strings.Join(lines[cut+1:], "\n"), cut+1)
	if err != nil {
		return nil, err
	}
	if request.Side != response.Side {
		return nil, fmt.Errorf("%s/%s: request and response need the same mark", pkg, source)
	}
	return &Service{pkg, name, source, request, response}, nil
}
