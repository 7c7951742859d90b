package ros2

import (
	"errors"
	"fmt"
	"strings"
)

// Longest names, in bytes, as rmw has them: 255 less the prefix of the mangled
// name.
const (
	maxTopic     = 255 - 8
	maxNamespace = 255 - 10
	maxNode      = 255
)

// What stands before the names of topics and services in DDS, and behind those
// of services.
const (
	topicPrefix   = "rt"
	requestPrefix = "rq"
	replyPrefix   = "rr"
	requestSuffix = "Request"
	replySuffix   = "Reply"
)

var errNotAbsolute = errors.New("is not absolute: it must begin with /")

// mangle gives the DDS name of a topic.
func mangle(topic string) (string, error) {
	if err := checkPath("topic", topic, maxTopic); err != nil {
		return "", err
	}
	return topicPrefix + topic, nil
}

// mangleService gives the DDS names of the two topics of a service.
func mangleService(service string) (requests, replies string, err error) {
	if err := checkPath("service", service, maxTopic-len(requestSuffix)); err != nil {
		return "", "", err
	}
	return requestPrefix + service + requestSuffix, replyPrefix + service + replySuffix, nil
}

// checkPath tells what is wrong with an absolute name, such as "/lab/tf".
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

// checkElement tells what is wrong with what stands between two slashes.
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

// splitNode takes the absolute name of a node apart.
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

// joinNode is the absolute name of a node, whatever others call it.
func joinNode(namespace, name string) string {
	return strings.TrimSuffix(namespace, "/") + "/" + name
}
