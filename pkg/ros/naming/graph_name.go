package naming

import (
	"errors"
	"fmt"
	"strings"
)

// maxName is the greatest length of a name, in bytes: the limit of file systems for a path element,
// which ROS 2 middleware inherits.
const maxName = 255

// checkName returns an error for an invalid graph name; valid ones are "x", "~a/x" and "/a/x_1". It
// accepts what ROS 1 accepts, except for empty elements.
func checkName(name string) error {
	body := strings.TrimPrefix(strings.TrimSuffix(name, "/"), "~")
	switch {
	case name == "":
		return errors.New("the name is empty")
	case len(name) > maxName:
		return fmt.Errorf("name %.20q… is longer than %d bytes", name, maxName)
	case body == "":
		return fmt.Errorf("name %q names nothing", name)
	case strings.Contains(name, "//"):
		return fmt.Errorf("name %q has an empty element", name)
	case body[0] != '/' && !isLetter(body[0]):
		return fmt.Errorf("name %q must begin with a letter, / or ~", name)
	}
	for i, c := range body {
		if c != '/' && !isWordCharacter(c) {
			return illegal(name, c, i+strings.Index(name, body))
		}
	}
	return nil
}

// checkBase returns an error for an invalid name of a single element, such as that of a node.
func checkBase(name string) error {
	switch {
	case name == "":
		return errors.New("the name is empty")
	case len(name) > maxName:
		return fmt.Errorf("name %.20q… is longer than %d bytes", name, maxName)
	case strings.Contains(name, "/"):
		return fmt.Errorf("name %q must not contain /; give the namespace with __ns:= instead", name)
	case !isLetter(name[0]):
		return fmt.Errorf("name %q must begin with a letter", name)
	}
	for i, c := range name {
		if !isWordCharacter(c) {
			return illegal(name, c, i)
		}
	}
	return nil
}

// checkNode returns an error for an invalid name of a node in a remapping: its base name or, if
// nodes of several namespaces have that, with namespaces before it.
func checkNode(node string) error {
	if err := checkName(node); err != nil {
		return err
	}
	return checkBase(node[strings.LastIndexByte(node, '/')+1:])
}

// cleanNamespace makes a namespace absolute, without a slash at its end unless
// it is "/".
func cleanNamespace(ns string) (string, error) {
	if ns == "/" {
		return ns, nil
	}
	if strings.HasPrefix(ns, "~") {
		return "", fmt.Errorf("namespace %q must not be private", ns)
	}
	if err := checkName(ns); err != nil {
		return "", err
	}
	return "/" + strings.Trim(ns, "/"), nil
}

// join appends a relative name to an absolute one.
func join(namespace, name string) string {
	if namespace == "/" {
		return "/" + name
	}
	return namespace + "/" + name
}

func illegal(name string, c rune, at int) error {
	return fmt.Errorf("name %q contains %q at byte %d; only letters, digits, _ and / are allowed", name, c, at)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isWordCharacter(c rune) bool {
	return c < 0x80 && (isLetter(byte(c)) || '0' <= c && c <= '9' || c == '_')
}

// mistakes collects errors with what they are about.
type mistakes []error

func (m *mistakes) add(what string, err error) {
	if err != nil {
		*m = append(*m, fmt.Errorf("%s: %w", what, err))
	}
}

func (m mistakes) err() error { return errors.Join(m...) }
