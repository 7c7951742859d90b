package master_test

import (
	"regexp"
	"testing"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
)

func TestParameters(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	c := masterclient.Client{URI: m.URI(), Caller: "/lab/sim"}
	robot := map[string]any{
		"gains": []any{1, 2.5}, "name": "a<b & \"c\"", "on": true, "blob": []byte{0, 255},
		"rod": map[string]any{"length": 0.2, "empty": map[string]any{}},
	}
	ok(t, c.SetParam(ctx, "/robot", robot))
	ok(t, c.SetParam(ctx, "gain", 2))   // /lab/gain
	ok(t, c.SetParam(ctx, "~rate", 50)) // /lab/sim/rate
	ok(t, c.SetParam(ctx, "/robot/rod/radius", 1e-3))

	for key, want := range map[string]any{
		"/robot/gains":           []any{1, 2.5},
		"//robot//name/":         "a<b & \"c\"",
		"/robot/blob":            []byte{0, 255},
		"/robot/rod":             map[string]any{"length": 0.2, "radius": 1e-3, "empty": map[string]any{}},
		"/robot/rod/empty":       map[string]any{},
		"/lab":                   map[string]any{"gain": 2, "sim": map[string]any{"rate": 50}},
		"gain":                   2,
		"sim/rate":               50,
		"~rate":                  50,
		"~":                      map[string]any{"rate": 50},
		"/rosdistro":             "noetic\n",
		"/robot/rod/length/deep": nil,
		"/nothing":               nil,
		"rate":                   nil,
	} {
		v, set, err := c.Param(ctx, key)
		ok(t, err)
		equal(t, key, v, want)
		equal(t, key+" is set", set, want != nil)
		has, err := c.HasParam(ctx, key)
		ok(t, err)
		equal(t, "has "+key, has, want != nil)
	}
	names, err := c.ParamNames(ctx)
	ok(t, err)
	equal(t, "names", names, []string{"/lab/gain", "/lab/sim/rate", "/robot/blob", "/robot/gains", "/robot/name",
		"/robot/on", "/robot/rod/length", "/robot/rod/radius", "/rosdistro", "/rosversion", "/run_id"})
	id, _, err := c.Param(ctx, "/run_id")
	ok(t, err)
	if !regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id.(string)) {
		t.Errorf("run_id %q", id)
	}

	ok(t, c.SetParam(ctx, "/robot/name/first", "x")) // a leaf becomes a namespace
	ok(t, c.DeleteParam(ctx, "/robot/rod"))
	ok(t, c.SetParam(ctx, "/robot/gains", map[string]any{})) // and the other way round
	v, _, err := c.Param(ctx, "/robot")
	ok(t, err)
	equal(t, "robot", v, map[string]any{"name": map[string]any{"first": "x"}, "on": true,
		"blob": []byte{0, 255}, "gains": map[string]any{}})
	refuses(t, c.DeleteParam(ctx, "/robot/rod"), "parameter [/robot/rod] is not set")
	refuses(t, c.DeleteParam(ctx, "/"), "is not set")
	refuses(t, c.SetParam(ctx, "/", 1), "root")
	ok(t, c.SetParam(ctx, "/", map[string]any{"a": map[string]any{"b": 1}}))
	v, _, err = c.Param(ctx, "/")
	ok(t, err)
	equal(t, "everything", v, map[string]any{"a": map[string]any{"b": 1}})
}

func TestSearchParam(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	c := masterclient.Client{URI: m.URI(), Caller: "/lab/left/sim"}
	for _, key := range []string{"/gain", "/lab/left/gain", "/lab/left/sim/rate", "/lab/rod/length", "/top", "/rod/radius"} {
		ok(t, c.SetParam(ctx, key, 1))
	}
	for key, want := range map[string]string{
		"gain":       "/lab/left/gain",
		"rate":       "/lab/left/sim/rate",
		"top":        "/top",
		"rod/length": "/lab/rod/length",
		"rod/radius": "/lab/rod/radius", // the inner rod hides the outer one
		"nothing":    "",
		"/gain":      "/gain",
		"/rate":      "",
		"~gain":      "",
		"/":          "",
		"":           "",
	} {
		found, err := c.SearchParam(ctx, key)
		ok(t, err)
		equal(t, "search for "+key, found, want)
	}
}

func TestParamUpdates(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	c := masterclient.Client{URI: m.URI(), Caller: "/setter"}
	watch := func(caller, key string) *slave {
		s := newSlave(t, nil)
		w := masterclient.Client{URI: m.URI(), Caller: caller}
		v, err := w.SubscribeParam(ctx, key, s.uri)
		ok(t, err)
		equal(t, "unset "+key, v, map[string]any{})
		return s
	}
	leaf, space, other := watch("/leaf", "/robot/gain"), watch("/space", "/robot/"), watch("/other", "/robots")
	own := watch("/setter", "/robot")

	ok(t, c.SetParam(ctx, "/robot/gain", 2))
	leaf.expect(t, "paramUpdate [/master /robot/gain/ 2]")
	space.expect(t, "paramUpdate [/master /robot/gain/ 2]")
	ok(t, c.SetParam(ctx, "/robot", map[string]any{"gain": 3, "b": 4}))
	leaf.expect(t, "paramUpdate [/master /robot/gain/ 3]")
	space.expect(t, "paramUpdate [/master /robot/ map[b:4 gain:3]]")
	ok(t, c.SetParam(ctx, "/robot", 5))
	leaf.expect(t, "paramUpdate [/master /robot/gain/ map[]]")
	space.expect(t, "paramUpdate [/master /robot/ 5]")
	other.expect(t)
	own.expect(t) // the author knows already

	ok(t, c.DeleteParam(ctx, "/robot"))
	space.expect(t, "paramUpdate [/master /robot/ map[]]")
	w := masterclient.Client{URI: m.URI(), Caller: "/space"}
	ok(t, w.UnsubscribeParam(ctx, "/robot", space.uri))
	ok(t, c.SetParam(ctx, "/robot", 6))
	space.expect(t)
	_, err := w.LookupNode(ctx, "/space")
	refuses(t, err, "unknown node")
}
