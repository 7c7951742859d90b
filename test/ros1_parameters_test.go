package test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterapi"
	"sinew/pkg/ros/parameter"
)

// The parameter server has every key of the robot file. What rosparam sets there holds where it
// is live and right; all else is set back.
func TestROS1Parameters(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	withEachMaster(t, func(t *testing.T, n *network) {
		given := 150.0 // of the user, before the node is there
		if err := n.client().SetParam(soon(t), "/tendonsim/rates/publish_hz", given); err != nil {
			t.Fatal(err)
		}
		node := n.startNode()
		n.holds("/tendonsim/rates/publish_hz", given)
		n.setsParameters(node)
		node.Kill()
		n.holds("/tendonsim/tip/mass_kg", 0.0) // nobody took it back
		node = n.startNode("_rod/youngs_modulus_pa:=2e7")
		n.holds("/tendonsim/rod/youngs_modulus_pa", 2e7)
		n.holds("/tendonsim/gravity_m_per_s2", []any{0.0, 0.0, -9.80665})
		if text := node.Output(); strings.Contains(text, "parameter is no key") || strings.Contains(text, "parameter set") {
			t.Errorf("what the dead node left behind counts as of a user:\n%s", text)
		}
		node.End(waitLimit)
		n.holds("/tendonsim/rates/publish_hz", 120.0) // of the user
		n.holds("/tendonsim/tip/mass_kg", nil)
		n.holds("/tendonsim/parameters_of_last_run", nil)
	})
}

// A node that meets its master for the first time takes what was set there since it read its
// parameters, while the robot was built.
func TestSetWhileRobotIsBuilt(t *testing.T) {
	withEachMaster(t, func(t *testing.T, n *network) {
		rate := 1.5
		table := parameter.NewTable(parameter.Options{
			List: func() []parameter.Parameter {
				return []parameter.Parameter{{Name: "b.rate", Value: rate}, {Name: "c", Value: 2.5}}
			},
			Apply: func(values []parameter.Assignment) error {
				rate = values[0].Value.(float64)
				return nil
			},
			Now: func() time.Duration { return 0 },
		})
		client := n.client()
		client.Caller = "/left"
		if err := client.SetParam(soon(t), "/left/b/rate", 4.0); err != nil {
			t.Fatal(err)
		}
		mirror := parameter.NewMirror(table, client, nil, nil, zap.NewNop())
		defer mirror.Close()
		mirror.Known()
		n.holds("/left/c", 2.5) // what the node has beside it
		n.holds("/left/b/rate", 4.0)
		if p, _ := table.Get("b.rate"); p.Value != 4.0 {
			t.Errorf("b.rate is %v, want what was set on the server", p.Value)
		}
	})
}

// TestSetBetweenLookAndWrite: what others set on the server after a node has looked there, and
// before it writes or takes back, holds and stays.
func TestSetBetweenLookAndWrite(t *testing.T) {
	withEachMaster(t, func(t *testing.T, n *network) {
		target, err := url.Parse(n.uri)
		if err != nil {
			t.Fatal(err)
		}
		var meddle atomic.Pointer[func()] // before the next call that is no look
		var looks atomic.Int32
		proxy := httputil.NewSingleHostReverseProxy(target)
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if bytes.Contains(body, []byte("<methodName>getParam<")) {
				looks.Add(1)
			} else if f := meddle.Swap(nil); f != nil {
				(*f)()
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			proxy.ServeHTTP(w, r)
		}))
		defer front.Close()
		others := func(key string, value any) {
			f := func() {
				if err := n.client().SetParam(t.Context(), key, value); err != nil {
					t.Error(err)
				}
			}
			meddle.Store(&f)
		}
		rate := 1.5
		table := parameter.NewTable(parameter.Options{
			List: func() []parameter.Parameter {
				return []parameter.Parameter{{Name: "b.rate", Value: rate}, {Name: "c", Value: 2.5}}
			},
			Apply: func(values []parameter.Assignment) error {
				rate = values[0].Value.(float64)
				return nil
			},
			Now: func() time.Duration { return 0 },
		})
		client := masterapi.Client{URI: front.URL + "/", Caller: "/left"}
		mirror := parameter.NewMirror(table, client, nil, nil, zap.NewNop())
		others("/left/b/rate", 4.0)
		mirror.Known()
		n.holds("/left/c", 2.5)
		n.holds("/left/b/rate", 4.0)
		if p, _ := table.Get("b.rate"); p.Value != 4.0 {
			t.Errorf("b.rate is %v, want what was set on the server", p.Value)
		}
		others("/left/c", 9.0)
		mirror.Close()
		n.holds("/left/c", 9.0)
		n.holds("/left/b/rate", 4.0)
		n.holds("/left/parameters_of_last_run", nil)

		const key = "/left/text"
		offered := func() *parameter.Offer {
			o := parameter.NewOffer(client, key, "ours", func(v any) bool { return v == any("ours") }, zap.NewNop())
			for range 2 { // the second look comes after the first is through
				before := looks.Load()
				o.Look()
				n.waitFor("a look", func() bool { return looks.Load() > before })
			}
			return o
		}
		others(key, "theirs")
		offered().Close()
		n.holds(key, "theirs")
		if err := n.client().DeleteParam(soon(t), key); err != nil {
			t.Fatal(err)
		}
		offer := offered()
		n.holds(key, "ours")
		others(key, "theirs")
		offer.Close()
		n.holds(key, "theirs")
	})
}

// startNode runs tendonsim and waits for its parameters.
func (n *network) startNode(args ...string) *process {
	n.t.Helper()
	p := n.start(buildTendonsim(n.t), append([]string{"run", "--ros", "ros1", "--no-demo"}, args...)...)
	n.waitFor("the parameters", func() bool {
		_, err := n.client().LookupNode(soon(n.t), "/tendonsim")
		_, set, _ := n.client().Param(soon(n.t), "/tendonsim/tip/mass_kg")
		return err == nil && set && strings.Contains(p.Output(), "registered with the ROS master")
	})
	return p
}

// setsParameters sets some as a user does and sees what becomes of them.
func (n *network) setsParameters(node *process) {
	n.t.Helper()
	const limits = "/tendonsim/tendons/long_up/limits"
	for i, c := range []struct {
		key  string
		set  any // nil removes
		is   any // afterwards
		said string
	}{
		{"/tendonsim/rates/publish_hz", 120, 120, `"to": 120`},
		{"/tendonsim/rates/publish_hz", -1.0, 120.0, "rates.publish_hz: -1 Hz is out of range; allowed: (0, 20000] Hz"},
		{"/tendonsim/rates/marker_hz", "often", 25.0, "rates.marker_hz: is a double, not a string"},
		{"/tendonsim/rod/youngs_modulus_pa", 3e6, 16598637.0, "rod.youngs_modulus_pa: fixed while the robot runs"},
		{limits + "/pretension_n", 9.5, 0.0, "pretension_n"}, // above max_tension_n
		{limits, map[string]any{"max_tension_n": 12.0, "pretension_n": 9.5},
			map[string]any{"max_tension_n": 12.0, "pretension_n": 9.5, "max_rate_n_per_s": 40.0, "max_rate_m_per_s": 0.1}, `"name": "tendons.long_up.limits.max_tension_n", "from": 8, "to": 12`},
		{"/tendonsim/gravity_m_per_s2", []any{0, 0, -1}, []any{0, 0, -1}, `"to": [0, 0, -1]`},
		{"/tendonsim/command_policy", "newest", "newest", `"to": "newest"`},
		{"/tendonsim/tip/mass_kg", nil, 0.0, ""},
	} {
		before := len(node.Output())
		var err error
		if c.set == nil {
			err = n.client().DeleteParam(soon(n.t), c.key)
		} else {
			err = n.client().SetParam(soon(n.t), c.key, c.set)
		}
		if err != nil {
			n.t.Fatal(err)
		}
		n.waitFor(fmt.Sprintf("set %d of %s: what is said of it", i, c.key), func() bool {
			return strings.Contains(node.Output()[before:], c.said)
		})
		n.holds(c.key, c.is)
	}
	// what users remove comes back as the node's own
	for _, key := range []string{"gravity_m_per_s2", "command_policy", "tendons"} {
		if err := n.client().DeleteParam(soon(n.t), "/tendonsim/"+key); err != nil {
			n.t.Fatal(err)
		}
	}
	n.holds("/tendonsim/command_policy", "newest")
}

// holds waits until a parameter has a value; nil is that there is none.
func (n *network) holds(key string, want any) {
	n.t.Helper()
	var got any
	var last string
	defer func() {
		if n.t.Failed() {
			n.t.Logf("%s is %v, want %v%s", key, got, want, last)
		}
	}()
	n.waitFor(fmt.Sprintf("%s = %v", key, want), func() bool {
		v, set, err := n.client().Param(soon(n.t), key)
		if got = v; err != nil {
			last = ": " + err.Error()
		}
		return set == (want != nil) && reflect.DeepEqual(v, want)
	})
}
