package ros2

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/pkg/ros/rtps"
)

func addresses(all ...string) (list []netip.Addr) {
	for _, a := range all {
		list = append(list, netip.MustParseAddr(a))
	}
	return list
}

// Names of peers are followed: one without an address is told of once and tried again, one
// that changes is used at its new address alone, one of several addresses keeps the first
// that was used, and a name service that fails changes nothing.
func TestNamesOfPeersAreFollowed(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	r := newResolver([]Peer{{"10.0.0.1", 0}, {"lab", 7412}, {"late", 0}}, zap.New(core))
	names := map[string][]netip.Addr{"lab": addresses("::ffff:10.0.0.2")}
	r.lookup = func(_ context.Context, name string) ([]netip.Addr, error) {
		if a := names[name]; a != nil {
			return slices.Clone(a), nil
		}
		return nil, errors.New("no such host")
	}
	for _, c := range []struct {
		when    string
		name    string
		is      []netip.Addr
		changed bool
		want    string
		told    string // in all since the last case
	}{
		{"at first", "", nil, true, "10.0.0.1:0 10.0.0.2:7412", "late no such host"},
		{"again", "", nil, false, "10.0.0.1:0 10.0.0.2:7412", ""},
		{"the late one appears", "late", addresses("10.0.0.3"), true, "10.0.0.1:0 10.0.0.2:7412 10.0.0.3:0", "late 10.0.0.3"},
		{"more addresses", "lab", addresses("10.0.0.9", "10.0.0.2"), false, "10.0.0.1:0 10.0.0.2:7412 10.0.0.3:0", ""},
		{"a new address", "lab", addresses("10.0.0.8"), true, "10.0.0.1:0 10.0.0.8:7412 10.0.0.3:0", "lab 10.0.0.8 10.0.0.2"},
		{"no name service", "lab", nil, false, "10.0.0.1:0 10.0.0.8:7412 10.0.0.3:0", "lab no such host 10.0.0.8"},
		{"it is back", "lab", addresses("10.0.0.8"), false, "10.0.0.1:0 10.0.0.8:7412 10.0.0.3:0", ""},
	} {
		if c.name != "" {
			names[c.name] = c.is
		}
		if changed := r.update(t.Context()); changed != c.changed {
			t.Errorf("%s: changed %t", c.when, changed)
		}
		var got []string
		for _, a := range r.addresses() {
			got = append(got, a.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: addresses %v, want %s", c.when, got, c.want)
		}
		var told []string
		for _, l := range logs.TakeAll() {
			for _, key := range []string{"peer", "error", "address", "before", "kept"} {
				if v, ok := l.ContextMap()[key]; ok {
					told = append(told, v.(string))
				}
			}
		}
		if strings.Join(told, " ") != c.told {
			t.Errorf("%s: told %q, want %q", c.when, told, c.told)
		}
	}
}

// A static peer that does not resolve, or hangs, keeps nobody from joining, and the others
// are met meanwhile.
func TestUnknownPeerHoldsUpNothing(t *testing.T) {
	begin := func(name string) (us *Transport, logs *observer.ObservedLogs, spent time.Duration) {
		start := time.Now()
		us, logs = nodeIn(t, name, Discovery{Domain: testDomain, Range: rtps.Host, Peers: []Peer{{"no.such.host.invalid", 0}, {"127.0.0.1", 0}}})
		return us, logs, time.Since(start)
	}
	us, logs, spent := begin("/us")
	for i := 0; i < 5 && spent > resolveTimeout/2; i++ { // what the machine takes from one it does not take from all
		_, _, spent = begin(fmt.Sprint("/us", i))
	}
	if spent > resolveTimeout/2 {
		t.Errorf("the start took %v", spent)
	}
	got := subscribe(t, us, text("/chatter"))
	them, _ := node(t, "/them")
	p := advertise(t, them, text("/chatter"))
	eventually(t, "a message", func() bool { p.Publish(say("hello")); time.Sleep(10 * time.Millisecond); return got.len() > 0 })
	eventually(t, "the warning", func() bool {
		l := logs.FilterMessageSnippet("does not resolve")
		return l.Len() == 1 && l.All()[0].ContextMap()["peer"] == "no.such.host.invalid"
	})
}
