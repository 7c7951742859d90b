package master_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"sinew/pkg/ros/master"
	"sinew/pkg/ros/masterclient"
)

func TestPublishersAndSubscribersMeet(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	talker := masterclient.Client{URI: m.URI(), Caller: "/talker"}
	listener := masterclient.Client{URI: m.URI(), Caller: "/lab/listener"}
	st, sl := newSlave(t, nil), newSlave(t, nil)

	publishers, err := listener.RegisterSubscriber(ctx, "/chat", "*", sl.uri)
	ok(t, err)
	equal(t, "publishers", publishers, []string{})
	subscribers, err := talker.RegisterPublisher(ctx, "chat", "std_msgs/String", st.uri)
	ok(t, err)
	equal(t, "subscribers", subscribers, []string{sl.uri})
	sl.expect(t, "publisherUpdate [/master /chat ["+st.uri+"]]")

	_, err = talker.RegisterPublisher(ctx, "~out", "std_msgs/Bool", st.uri)
	ok(t, err)
	publishers, err = listener.RegisterSubscriber(ctx, "//talker/out/", "*", sl.uri)
	ok(t, err)
	equal(t, "publishers of a private topic", publishers, []string{st.uri})
	ok(t, talker.RegisterService(ctx, "~reset", "rosrpc://127.0.0.1:1", st.uri))

	state, err := listener.SystemState(ctx)
	ok(t, err)
	equal(t, "state", state, masterclient.SystemState{
		Publishers:  map[string][]string{"/chat": {"/talker"}, "/talker/out": {"/talker"}},
		Subscribers: map[string][]string{"/chat": {"/lab/listener"}, "/talker/out": {"/lab/listener"}},
		Services:    map[string][]string{"/talker/reset": {"/talker"}},
	})
	chat := masterclient.TopicType{Topic: "/chat", Type: "std_msgs/String"}
	out := masterclient.TopicType{Topic: "/talker/out", Type: "std_msgs/Bool"}
	for namespace, want := range map[string][]masterclient.TopicType{
		"":         {chat, out},
		"/":        {chat, out},
		"/talker":  {out},
		"/talker/": {out},
		"/talk":    {},
		"/chat":    {},
	} {
		topics, err := listener.PublishedTopics(ctx, namespace)
		ok(t, err)
		equal(t, "topics in "+namespace, topics, want)
	}
	uri, err := listener.LookupNode(ctx, "/talker")
	ok(t, err)
	equal(t, "node", uri, st.uri)
	uri, err = listener.LookupService(ctx, "/talker/reset")
	ok(t, err)
	equal(t, "service", uri, "rosrpc://127.0.0.1:1")

	ok(t, talker.UnregisterPublisher(ctx, "/chat", st.uri))
	sl.expect(t, "publisherUpdate [/master /chat []]")
	ok(t, talker.UnregisterPublisher(ctx, "/talker/out", st.uri))
	sl.expect(t, "publisherUpdate [/master /talker/out []]")
	ok(t, talker.UnregisterService(ctx, "~reset", "rosrpc://127.0.0.1:1"))
	_, err = listener.LookupNode(ctx, "/talker")
	refuses(t, err, "unknown node [/talker]")
	_, err = listener.LookupService(ctx, "/talker/reset")
	refuses(t, err, "no provider")
	ok(t, listener.UnregisterSubscriber(ctx, "/chat", sl.uri))
	ok(t, listener.UnregisterSubscriber(ctx, "/talker/out", sl.uri))
	state, err = listener.SystemState(ctx)
	ok(t, err)
	equal(t, "state at the end", state, masterclient.SystemState{
		Publishers: map[string][]string{}, Subscribers: map[string][]string{}, Services: map[string][]string{}})
	st.expect(t)
}

// TestUnregisterChecksOwner: what is registered under another address or by
// another node stays.
func TestUnregisterChecksOwner(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	a := masterclient.Client{URI: m.URI(), Caller: "/a"}
	b := masterclient.Client{URI: m.URI(), Caller: "/b"}
	const uri, other, rpc = "http://127.0.0.1:1/", "http://127.0.0.1:2/", "rosrpc://127.0.0.1:3"
	_, err := a.RegisterPublisher(ctx, "/t", "x/Y", uri)
	ok(t, err)
	ok(t, a.RegisterService(ctx, "/s", rpc, uri))
	ok(t, a.UnregisterPublisher(ctx, "/t", other))
	ok(t, b.UnregisterPublisher(ctx, "/t", uri))
	ok(t, b.UnregisterService(ctx, "/s", rpc))
	ok(t, a.UnregisterService(ctx, "/s", "rosrpc://127.0.0.1:4"))
	v, err := masterclient.Call(ctx, m.URI(), "unregisterPublisher", "/b", "/t", uri)
	ok(t, err)
	equal(t, "number removed", v, 0)
	state, err := a.SystemState(ctx)
	ok(t, err)
	equal(t, "state", state, masterclient.SystemState{
		Publishers:  map[string][]string{"/t": {"/a"}},
		Subscribers: map[string][]string{},
		Services:    map[string][]string{"/s": {"/a"}},
	})
	ok(t, b.RegisterService(ctx, "/s", "rosrpc://127.0.0.1:5", other)) // the newest provider serves
	found, err := a.LookupService(ctx, "/s")
	ok(t, err)
	equal(t, "provider", found, "rosrpc://127.0.0.1:5")
	ok(t, a.UnregisterService(ctx, "/s", rpc))
	v, err = masterclient.Call(ctx, m.URI(), "unregisterPublisher", "/a", "/t", uri)
	ok(t, err)
	equal(t, "number removed", v, 1)
	_, err = a.LookupNode(ctx, "/a")
	refuses(t, err, "unknown node")
}

func TestSameNameEviction(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	node := masterclient.Client{URI: m.URI(), Caller: "/sim"}
	watcher := masterclient.Client{URI: m.URI(), Caller: "/watcher"}
	old, fresh, sw := newSlave(t, nil), newSlave(t, nil), newSlave(t, nil)
	for _, topic := range []string{"/pose", "/tf"} {
		_, err := node.RegisterPublisher(ctx, topic, "x/Y", old.uri)
		ok(t, err)
	}
	_, err := node.RegisterSubscriber(ctx, "/command", "x/Y", old.uri)
	ok(t, err)
	ok(t, node.RegisterService(ctx, "/sim/reset", "rosrpc://127.0.0.1:1", old.uri))
	_, err = node.SubscribeParam(ctx, "/gain", old.uri)
	ok(t, err)
	_, err = watcher.RegisterSubscriber(ctx, "/pose", "*", sw.uri)
	ok(t, err)

	_, err = node.RegisterPublisher(ctx, "/tf", "x/Y", fresh.uri)
	ok(t, err)
	old.expect(t, "shutdown [/master [/sim] Reason: new node registered with same name]")
	sw.expect(t, "publisherUpdate [/master /pose []]")
	state, err := watcher.SystemState(ctx)
	ok(t, err)
	equal(t, "state", state, masterclient.SystemState{
		Publishers:  map[string][]string{"/tf": {"/sim"}},
		Subscribers: map[string][]string{"/pose": {"/watcher"}},
		Services:    map[string][]string{},
	})
	ok(t, watcher.SetParam(ctx, "/gain", 1))
	ok(t, node.UnregisterPublisher(ctx, "/tf", old.uri)) // the old one says good-bye
	uri, err := watcher.LookupNode(ctx, "/sim")
	ok(t, err)
	equal(t, "node", uri, fresh.uri)
	old.expect(t)
	fresh.expect(t)
}

// TestNotificationsCoalesce: a slave that does not answer misses intermediate
// states, gets the newest one, and delays neither the caller nor other slaves.
func TestNotificationsCoalesce(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	gate := make(chan struct{})
	slow, quick := newSlave(t, gate), newSlave(t, nil)
	for i, s := range []*slave{slow, quick} {
		c := masterclient.Client{URI: m.URI(), Caller: fmt.Sprint("/watcher", i)}
		_, err := c.SubscribeParam(ctx, "/n", s.uri)
		ok(t, err)
		_, err = c.RegisterSubscriber(ctx, "/t", "*", s.uri)
		ok(t, err)
	}
	c := masterclient.Client{URI: m.URI(), Caller: "/setter"}
	began := time.Now()
	const last = 200
	ok(t, c.SetParam(ctx, "/n", 0))
	if got := <-slow.calls; got != "paramUpdate [/master /n/ 0]" {
		t.Errorf("first: %s", got)
	}
	_, err := c.RegisterPublisher(ctx, "/t", "x/Y", "http://127.0.0.1:1/")
	ok(t, err)
	for i := 1; i <= last; i++ {
		ok(t, c.SetParam(ctx, "/n", i))
	}
	if d := time.Since(began); d > patience {
		t.Errorf("a hanging slave delayed the callers to %v", d)
	}
	newest := fmt.Sprintf("paramUpdate [/master /n/ %d]", last)
	for got := ""; got != newest; {
		select {
		case got = <-quick.calls:
		case <-time.After(patience):
			t.Fatal("a hanging slave holds up another one")
		}
	}
	close(gate)
	slow.expect(t, "publisherUpdate [/master /t [http://127.0.0.1:1/]]", newest)
}

func TestMasterItself(t *testing.T) {
	ctx := patiently(t)
	reason := make(chan string, 1)
	m := startMaster(t, master.Options{Shutdown: func(r string) { reason <- r }})
	c := masterclient.Client{URI: m.URI(), Caller: "/c"}
	pid, err := c.PID(ctx)
	ok(t, err)
	equal(t, "PID", pid, os.Getpid())
	uri, err := masterclient.Call(ctx, m.URI(), "getUri", "/c")
	ok(t, err)
	equal(t, "URI", uri, m.URI())
	for _, r := range []string{"enough", "more than enough"} {
		_, err = masterclient.Call(ctx, m.URI(), "shutdown", "/c", r)
		ok(t, err)
	}
	equal(t, "reason", <-reason, "enough")
	select {
	case r := <-reason:
		t.Errorf("shut down again: %s", r)
	case <-time.After(quietTime):
	}

	endless := startMaster(t, master.Options{})
	_, err = masterclient.Call(ctx, endless.URI(), "shutdown", "/c", "enough")
	refuses(t, err, "ends with its program")
	if _, err := master.Start(m.URI()[len("http://"):len(m.URI())-1], master.Options{}); err == nil {
		t.Error("two masters on one port")
	}
}

func TestTopicTypes(t *testing.T) {
	ctx := patiently(t)
	m := startMaster(t, master.Options{})
	c := masterclient.Client{URI: m.URI(), Caller: "/c"}
	const uri = "http://127.0.0.1:1/"
	types := func() any {
		v, err := masterclient.Call(ctx, m.URI(), "getTopicTypes", "/c")
		ok(t, err)
		return v
	}
	is := func(kind string) any { return []any{[]any{"/t", kind}} }
	_, err := c.RegisterSubscriber(ctx, "/t", "*", uri)
	ok(t, err)
	equal(t, "unknown", types(), []any{})
	_, err = c.RegisterPublisher(ctx, "/t", "*", uri)
	ok(t, err)
	equal(t, "untyped publisher", types(), is("*"))
	_, err = c.RegisterSubscriber(ctx, "/t", "a/B", uri)
	ok(t, err)
	equal(t, "subscriber's guess", types(), is("a/B"))
	_, err = c.RegisterPublisher(ctx, "/t", "c/D", uri)
	ok(t, err)
	equal(t, "publisher's word", types(), is("c/D"))
	_, err = c.RegisterSubscriber(ctx, "/t", "a/B", uri)
	ok(t, err)
	equal(t, "publisher's word stays", types(), is("c/D"))
}
