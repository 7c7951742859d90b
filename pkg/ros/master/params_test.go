package master

import (
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/ros/xmlrpc"
)

// FuzzParams runs scripts of set and remove against the tree and a plain model
// of it, a map from leaf to value, and checks that the size stays exact.
func FuzzParams(f *testing.F) {
	f.Add("+a/b +a +a/b/c -a/b +/ -a +a{} +b +a{/x} -a/x")
	f.Add("+a{/b} +a/b/c/d -a/b/c +a/b +c{} -c +/{}")
	f.Fuzz(func(t *testing.T, script string) {
		p := newParams()
		for i, step := range strings.Fields(script) {
			step, braces, isMap := strings.Cut(step, "{")
			key := canonical(strings.TrimLeft(step, "+-"))
			before := p.root
			copied := clone(before)
			if strings.HasPrefix(step, "-") {
				removed := p.remove(key)
				if _, still := p.get(key); removed && still {
					t.Fatalf("%s is still there", key)
				}
			} else {
				var v any = i
				if isMap {
					v = map[string]any{strings.Trim(braces[:min(1, len(braces))], "/}") + "k": "v"}
				}
				if err := p.set(key, v); err == nil {
					if got, set := p.get(key); !set || !reflect.DeepEqual(got, v) {
						t.Fatalf("%s: got %v, %v; want %v", key, got, set, v)
					}
				}
			}
			if !reflect.DeepEqual(before, copied) {
				t.Fatalf("step %d changed a tree that a reply may still hold", i)
			}
			if want := size(p.root); p.size != want {
				t.Fatalf("step %d: size %d, want %d", i, p.size, want)
			}
			if levels := depth(p.root); levels > maxLevels {
				t.Fatalf("step %d: %d levels", i, levels)
			}
		}
		for _, name := range p.names() {
			if _, set := p.get(name); !set {
				t.Errorf("%s is listed, but not set", name)
			}
		}
	})
}

func clone(v any) any {
	m, isMap := v.(map[string]any)
	if !isMap {
		return v
	}
	c := map[string]any{}
	for name, item := range m {
		c[name] = clone(item)
	}
	return c
}

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
		if took := len(reply) - envelope; took > size(v) {
			t.Errorf("%v takes %d bytes, counted as %d", v, took, size(v))
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, name := range []string{"/a", "a", "~a", "~", "//a//b/", "/", "a b", "é/~x"} {
		f.Add(name, "/ns/node")
	}
	f.Fuzz(func(t *testing.T, name, caller string) {
		if checkName(caller) != nil {
			return
		}
		got, err := resolve(name, canonical(caller))
		if err != nil {
			return
		}
		if again := canonical(got); again != got || got[0] != '/' {
			t.Errorf("%q of %q: %q is not canonical", name, caller, got)
		}
		if len(got) > len(name)+len(canonical(caller))+1 {
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
		got, err := resolve(c.name, c.caller)
		if err != nil || got != c.want {
			t.Errorf("%q of %s: got %q, %v; want %q", c.name, c.caller, got, err, c.want)
		}
	}
}

// TestParamsToTheByte: the parameters may take as much as the limit, and no more.
func TestParamsToTheByte(t *testing.T) {
	p := newParams()
	if err := p.set("/a", ""); err != nil {
		t.Fatal(err)
	}
	room := maxParams - p.size
	if err := p.set("/a", strings.Repeat("x", room+1)); err == nil {
		t.Error("a parameter is one byte too long: no error")
	}
	if err := p.set("/a", strings.Repeat("x", room)); err != nil || p.size != maxParams {
		t.Errorf("a parameter that just fits: %v, %d bytes, want %d", err, p.size, maxParams)
	}
}

// TestTextLength: a text argument may have as many bytes as a name, and no more.
func TestTextLength(t *testing.T) {
	whole := strings.Repeat("x", maxName)
	if v, err := text.check(whole, "/caller"); v != whole || err != nil {
		t.Errorf("%d bytes: %v", maxName, err)
	}
	if _, err := text.check(whole+"x", "/caller"); err == nil {
		t.Errorf("%d bytes: no error", maxName+1)
	}
}

// TestParamLevels: levels count through keys, dictionaries and arrays alike, up to the
// limit.
func TestParamLevels(t *testing.T) {
	for name, wrap := range map[string]func(any) any{
		"arrays":       func(v any) any { return []any{1, v} },
		"dictionaries": func(v any) any { return map[string]any{"a": 1, "b": v} },
	} {
		p := newParams()
		var v any = 1
		for range maxLevels - 1 {
			v = wrap(v)
		}
		if n := depth(v) - depth(1); n != maxLevels-1 {
			t.Errorf("%d %s nest %d levels", maxLevels-1, name, n)
		}
		over := wrap(wrap(v))
		if err := p.set("/a", over); err == nil {
			t.Errorf("%s of %d levels: no error", name, maxLevels+1)
		}
	}
}
