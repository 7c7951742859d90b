package naming

import (
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim"
)

// Names resolves the names of one node as ROS does: relative to the namespace,
// private to the node, absolute, and remapped.
type Names struct {
	namespace string            // "/" or "/lab/east"
	name      string            // without slashes
	exact     map[string]string // remappings of /x and ~x, by absolute name; they take precedence over bare
	bare      map[string]string // remappings of x, by each absolute name that it may mean
	master    Master
	host      string
	hostFrom  string
}

// NewNames returns the names of a node. The node's name is that of the command line or, without
// __name, def. The rest comes from the command line or the environment: ROS_NAMESPACE,
// ROS_MASTER_URI, ROS_HOSTNAME and ROS_IP; lookup is like os.LookupEnv. The error lists all
// mistakes.
func NewNames(def string, args Args, lookup func(string) (string, bool)) (*Names, error) {
	var errs mistakes
	env := func(key string) string { v, _ := lookup(key); return v }
	n := &Names{name: def, namespace: "/"}

	if args.Name != "" {
		n.name = args.Name
	} else {
		n.name = args.self(def, def, "__node", "__name")
	}
	errs.add("node name", checkBase(n.name))

	what, namespace := "ROS_NAMESPACE", env("ROS_NAMESPACE")
	if args.Namespace != "" {
		what, namespace = "__ns", args.Namespace
	} else if own := args.self(n.name, "", "__ns"); own != "" {
		what, namespace = "__ns", own
	}
	if namespace != "" {
		var err error
		n.namespace, err = cleanNamespace(namespace)
		errs.add(what, err)
	}

	what, uri := "ROS_MASTER_URI", env("ROS_MASTER_URI")
	if args.Master != "" {
		what, uri = "__master", args.Master
	}
	var err error
	n.master, err = parseMaster(uri)
	errs.add(what, err)

	n.hostFrom, n.host = firstHost(args, env)
	if n.host != "" {
		errs.add(n.hostFrom, checkHost(n.host))
	}
	if err := errs.err(); err != nil {
		return nil, err
	}
	return n, n.remap(args.Remaps)
}

// self returns the first of the settings for a node by its name, or def.
func (a Args) self(node, def string, settings ...string) string {
	for _, s := range a.Selves {
		if s.Node == node && slices.Contains(settings, s.From) {
			return s.To
		}
	}
	return def
}

// isFor reports whether a remapping with a node's name applies to this node (absolute name): left
// applies to /arms/left, as do arms/left and /arms/left itself.
func (r Remap) isFor(node string) bool { return r.Node == node || strings.HasSuffix(node, "/"+r.Node) }

// remap resolves both sides of the remappings once.
func (n *Names) remap(list []Remap) error {
	var errs mistakes
	n.exact, n.bare = map[string]string{}, map[string]string{}
	for _, r := range list {
		if r.Node != "" && !r.isFor(n.Node()) {
			continue
		}
		to, err := n.absolute(r.To)
		if err != nil {
			errs.add(r.String(), err)
			continue
		}
		from, err := n.absolute(r.From)
		if err != nil {
			errs.add(r.String(), err)
			continue
		}
		if strings.HasPrefix(r.From, "/") || strings.HasPrefix(r.From, "~") {
			errs.add(r.String(), insert(n.exact, from, to))
			continue
		}
		// A bare name is relative to the namespace in ROS. The node's own topics
		// are private, and their bare names mean them too.
		errs.add(r.String(), insert(n.bare, from, to))
		errs.add(r.String(), insert(n.bare, join(n.Node(), r.From), to))
	}
	return errs.err()
}

func insert(m map[string]string, from, to string) error {
	if old, ok := m[from]; ok && old != to {
		return fmt.Errorf("%s is already remapped to %s", from, old)
	}
	m[from] = to
	return nil
}

// Name returns the node's name without its namespace: "left".
func (n Names) Name() string { return n.name }

// Namespace returns the node's namespace: "/" or "/lab".
func (n Names) Namespace() string { return n.namespace }

// Node returns the node's absolute name: "/lab/left".
func (n Names) Node() string { return join(n.namespace, n.name) }

// Master returns the ROS 1 master to use.
func (n Names) Master() Master { return n.master }

// Host returns the host name or address to advertise, from __hostname, __ip, ROS_HOSTNAME or
// ROS_IP, in this order; empty means that none was given.
func (n Names) Host() string { return n.host }

// HostFrom returns the setting that gives Host, such as "ROS_IP".
func (n Names) HostFrom() string { return n.hostFrom }

// Resolve makes a name absolute and applies the remappings. "x" is relative to
// the namespace, "~x" private to the node, "/x" absolute.
func (n Names) Resolve(name string) (string, error) {
	full, err := n.absolute(name)
	if err != nil {
		return "", err
	}
	if to, ok := n.exact[full]; ok {
		return to, nil
	}
	if to, ok := n.bare[full]; ok {
		return to, nil
	}
	return full, nil
}

// ResolveRemapped is Resolve, and returns the name before remapping if that is another, otherwise nothing.
func (n Names) ResolveRemapped(name string) (resolved, before string, err error) {
	if resolved, err = n.Resolve(name); err != nil {
		return "", "", err
	}
	if before, _ = n.absolute(name); before == resolved {
		before = ""
	}
	return resolved, before, nil
}

// absolute resolves a name without remapping it.
func (n Names) absolute(name string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	name = strings.TrimSuffix(name, "/")
	switch {
	case strings.HasPrefix(name, "~"):
		return join(n.Node(), strings.TrimPrefix(name[1:], "/")), nil
	case strings.HasPrefix(name, "/"):
		return name, nil
	}
	return join(n.namespace, name), nil
}

// Frame returns the ROS name of a frame of the robot: sim.World stays "world", any other is
// prefixed by the node's name without its leading slash, such as "lab/left/tip".
func (n Names) Frame(frame string) string {
	if frame == sim.World {
		return "world"
	}
	return n.Node()[1:] + "/" + frame
}
