package fleet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/ros/naming"
)

// Nodes returns the node names of all robots: those of separate programs with the same arguments, with
// relative namespaces below that of the fleet. The error lists all names that clash.
func (f *File) Nodes(program string, args naming.Args, lookup func(string) (string, bool)) ([]*naming.Names, error) {
	own, err := naming.NewNames(program, args, lookup)
	if err != nil {
		return nil, err
	}
	if len(args.Selves) > 0 {
		return nil, fmt.Errorf("%s: the fleet file %s sets the names and namespaces of the robots; allowed: __ns:=, the namespace of the fleet", args.Selves[0], f.Name)
	}
	var all []*naming.Names
	var errs []error
	places := map[string]string{}
	for _, r := range f.Robots {
		n, err := naming.NewNames(program, r.Args(args, own.Namespace()), lookup)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.Place, err))
			continue
		}
		if before, taken := places[n.Node()]; taken {
			errs = append(errs, fmt.Errorf("%s: node %s: %s has the same name and namespace; every robot needs its own", r.Place, n.Node(), before))
			continue
		}
		places[n.Node()] = r.Place
		all = append(all, n)
	}
	for _, n := range all {
		for _, above := range all {
			if strings.HasPrefix(n.Node(), above.Node()+"/") {
				errs = append(errs, fmt.Errorf("%s: node %s is among the topics of node %s of %s; allowed: namespaces that differ from the names of robots",
					places[n.Node()], n.Node(), above.Node(), places[above.Node()]))
			}
		}
	}
	return all, errors.Join(errs...)
}

// CheckSimTime returns an error if source, a setting that makes a robot follow /clock, is not empty.
func CheckSimTime(source string) error {
	if source == "" {
		return nil
	}
	return fmt.Errorf("%s: only one robot can follow /clock; allowed: false", source)
}

// Join joins errors of the robots of a fleet; errors with the same text appear once.
func Join(errs []error) error {
	said := map[string]bool{}
	return errors.Join(slices.DeleteFunc(slices.Clone(errs), func(err error) bool {
		if err == nil {
			return true
		}
		again := said[err.Error()]
		said[err.Error()] = true
		return again
	})...)
}

// Namespace returns the namespace of the fleet.
func (f *File) Namespace(program string, args naming.Args, lookup func(string) (string, bool)) (string, error) {
	own, err := naming.NewNames(program, args, lookup)
	if err != nil {
		return "", err
	}
	return own.Namespace(), nil
}

// Args returns the arguments of a fleet in a namespace for one robot.
func (r *Robot) Args(args naming.Args, namespace string) naming.Args {
	args.Name, args.Namespace = r.Name, namespace
	switch {
	case strings.HasPrefix(r.Namespace, "/"):
		args.Namespace = r.Namespace
	case r.Namespace != "":
		args.Namespace = strings.TrimSuffix(namespace, "/") + "/" + r.Namespace
	}
	return args
}
