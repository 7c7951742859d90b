package master

import (
	"errors"
	"fmt"
	"strings"
)

// resolve makes a graph name absolute as the master does for a caller: private names ("~gain") are
// below the caller, relative ones in its namespace. There are no remappings here; a node applies
// its own before it calls.
func resolve(name, caller string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	switch {
	case name[0] == '/':
		return canonical(name), nil
	case name[0] == '~':
		return canonical(caller + "/" + name[1:]), nil
	}
	return canonical(parent(caller) + "/" + name), nil
}

// checkName returns an error for invalid names. Beyond that the master is lenient: some client
// libraries register unusual names.
func checkName(name string) error {
	if name == "" {
		return errors.New("empty name")
	}
	if len(name) > maxName {
		return fmt.Errorf("name %.40q... has %d bytes, more than %d", name, len(name), maxName)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7F }); i >= 0 {
		return fmt.Errorf("name %q holds a blank or control character", name)
	}
	return nil
}

// canonical makes a name absolute and drops superfluous slashes.
func canonical(name string) string { return "/" + strings.Join(segments(name), "/") }

// segments cuts a name at its slashes.
func segments(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '/' })
}

// parent returns the namespace of an absolute name: "/a" for "/a/b", "" for
// "/a".
func parent(name string) string { return name[:max(0, strings.LastIndexByte(name, '/'))] }

// under reports whether an absolute name is ns or below it.
func under(name, ns string) bool {
	return ns == "/" || name == ns || strings.HasPrefix(name, ns+"/")
}
