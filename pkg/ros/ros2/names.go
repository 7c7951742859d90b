package ros2

import (
	"errors"
	"fmt"
	"strings"
)

// Greatest lengths of names, in bytes, as in rmw: 255 less the prefix of the mangled name.
const (
	maxTopic     = 255 - 8
	maxNamespace = 255 - 10
	maxNode      = 255
)

// Prefixes of the DDS names of topics and services, and suffixes of those of services.
const (
	topicPrefix   = "rt"
	requestPrefix = "rq"
	replyPrefix   = "rr"
	requestSuffix = "Request"
	replySuffix   = "Reply"
)

var errNotAbsolute = errors.New("is not absolute: it must begin with /")

// mangle returns the DDS name of a topic.
func mangle(topic string) (string, error) {
	if err := checkPath("topic", topic, maxTopic); err != nil {
		return "", err
	}
	return topicPrefix + topic, nil
}

// mangleService returns the DDS names of the two topics of a service.
func mangleService(service string) (requests, replies string, err error) {
	if err := checkPath("service", service, maxTopic-len(requestSuffix)); err != nil {
		return "", "", err
	}
	return requestPrefix + service + requestSuffix, replyPrefix + service + replySuffix, nil
}

// checkPath returns an error for an invalid absolute name; a valid one is "/lab/tf".
func checkPath(what, name string, limit int) error {
	wrong := func(err error) error { return fmt.Errorf("ROS 2: %s name %.60q %w", what, name, err) }
	switch {
	case !strings.HasPrefix(name, "/"):
		return wrong(errNotAbsolute)
	case len(name) > limit:
		return wrong(fmt.Errorf("has %d bytes, at most %d are allowed", len(name), limit))
	}
	for _, element := range strings.Split(name[1:], "/") {
		if err := checkElement(element); err != nil {
			return wrong(err)
		}
	}
	return nil
}

// checkElement returns an error for an invalid name between two slashes.
func checkElement(e string) error {
	if e == "" {
		return errors.New("has an empty element")
	}
	if '0' <= e[0] && e[0] <= '9' {
		return fmt.Errorf("has the element %.60q, which begins with a digit", e)
	}
	for _, c := range e {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_') {
			return fmt.Errorf("contains %q; ROS 2 allows letters of ASCII, digits and _", c)
		}
	}
	return nil
}

// splitNode splits the absolute name of a node.
func splitNode(node string) (namespace, name string, err error) {
	i := strings.LastIndexByte(node, '/')
	if i < 0 {
		return "", "", fmt.Errorf("ROS 2: node name %.60q %w", node, errNotAbsolute)
	}
	namespace, name = node[:i], node[i+1:]
	if err := checkElement(name); err != nil {
		return "", "", fmt.Errorf("ROS 2: node name %.60q %w", node, err)
	}
	if len(name) > maxNode {
		return "", "", fmt.Errorf("ROS 2: node name %.60q has %d bytes, at most %d are allowed", name, len(name), maxNode)
	}
	if namespace == "" {
		return "/", name, nil
	}
	return namespace, name, checkPath("namespace", namespace, maxNamespace)
}

// joinNode returns the absolute name of a node.
func joinNode(namespace, name string) string {
	return strings.TrimSuffix(namespace, "/") + "/" + name
}
