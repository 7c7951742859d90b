package xmlrpc_test

import (
	"errors"
	"strings"
	"testing"

	"sinew/pkg/ros/xmlrpc"
)

// TestFaultsRefused: a fault needs a number and a text.
func TestFaultsRefused(t *testing.T) {
	fault := func(members string) []byte {
		return []byte("<methodResponse><fault><value><struct>" + members + "</struct></value></fault></methodResponse>")
	}
	const code = "<member><name>faultCode</name><value><int>3</int></value></member>"
	const text = "<member><name>faultString</name><value>no</value></member>"
	var f *xmlrpc.Fault
	if _, err := xmlrpc.DecodeReply(fault(code + text)); !errors.As(err, &f) || f.Code != 3 || f.Message != "no" {
		t.Errorf("a whole fault: %v", err)
	}
	for _, members := range []string{"", code, text} {
		if _, err := xmlrpc.DecodeReply(fault(members)); err == nil || errors.As(err, &f) {
			t.Errorf("%q passes for a fault: %v", members, err)
		}
	}
}

// TestShorten: text of 40 bytes is shown whole, longer text by its first 40.
func TestShorten(t *testing.T) {
	whole := strings.Repeat("x", 40)
	if got := xmlrpc.Shorten(whole); got != whole {
		t.Errorf("%q", got)
	}
	if got := xmlrpc.Shorten(whole + "y"); got != whole+"..." {
		t.Errorf("%q", got)
	}
}
