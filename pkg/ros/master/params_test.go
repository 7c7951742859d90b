package master_test

import (
	"testing"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/xmlrpc"
)

// TestSizeCoversReply: what the limit counts is not below what a reply takes.
func TestSizeCoversReply(t *testing.T) {
	for _, v := range []any{
		1, -2147483648, 1.7976931348623157e+308, true, "", "text", []byte("bytes bytes"), []any{}, map[string]any{},
		[]any{1, "a", []any{2.5}}, map[string]any{"a": 1, "bb": map[string]any{"c": "d"}},
	} {
		empty, err := xmlrpc.AppendReply(nil, "")
		if err != nil {
			t.Fatal(err)
		}
		reply, err := xmlrpc.AppendReply(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		envelope := len(empty) - len("<value><string></string></value>")
		if took := len(reply) - envelope; took > master.Size(v) {
			t.Errorf("%v takes %d bytes, counted as %d", v, took, master.Size(v))
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, name := range []string{"/a", "a", "~a", "~", "//a//b/", "/", "a b", "é/~x"} {
		f.Add(name, "/ns/node")
	}
	f.Fuzz(func(t *testing.T, name, caller string) {
		if master.CheckName(caller) != nil {
			return
		}
		got, err := master.Resolve(name, master.Canonical(caller))
		if err != nil {
			return
		}
		if again := master.Canonical(got); again != got || got[0] != '/' {
			t.Errorf("%q of %q: %q is not canonical", name, caller, got)
		}
		if len(got) > len(name)+len(master.Canonical(caller))+1 {
			t.Errorf("%q of %q: %q is too long", name, caller, got)
		}
	})
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ name, caller, want string }{
		{"/a/b", "/ns/node", "/a/b"},
		{"a/b", "/ns/node", "/ns/a/b"},
		{"a", "/node", "/a"},
		{"~a", "/ns/node", "/ns/node/a"},
		{"~/a", "/ns/node", "/ns/node/a"},
		{"~", "/ns/node", "/ns/node"},
		{"//a///b//", "/node", "/a/b"},
		{"/~x", "/node", "/~x"}, // goroslib sends private topics like this
		{"/", "/node", "/"},
	} {
		got, err := master.Resolve(c.name, c.caller)
		if err != nil || got != c.want {
			t.Errorf("%q of %s: got %q, %v; want %q", c.name, c.caller, got, err, c.want)
		}
	}
}
