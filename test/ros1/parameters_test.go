package ros1_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/parameter"
	"sinew/test/testbench"
)

// The parameter server has every key of the robot file. What rosparam sets there holds where it
// is live and right; all else is set back.
func TestROS1Parameters(t *testing.T) {
	t.Parallel()
	testbench.WithEachMaster(t, func(t *testing.T, n *testbench.Network) {
		given := 150.0 // of the user, before the node is there
		if err := n.Client().SetParam(testbench.Deadline(t), "/tendonsim/rates/publish_hz", given); err != nil {
			t.Fatal(err)
		}
		node := startNode(n)
		n.ExpectParameter("/tendonsim/rates/publish_hz", given)
		setsParameters(n, node)
		node.Kill()
		n.ExpectParameter("/tendonsim/tip/mass_kg", 0.0) // no later value
		node = startNode(n, "_rod/youngs_modulus_pa:=2e7")
		n.ExpectParameter("/tendonsim/rod/youngs_modulus_pa", 2e7)
		n.ExpectParameter("/tendonsim/gravity_m_per_s2", []any{0.0, 0.0, -9.80665})
		if text := node.Output(); strings.Contains(text, "parameter is no key") || strings.Contains(text, "parameter set") {
			t.Errorf("what the dead node left behind counts as of a user:\n%s", text)
		}
		node.End(testbench.WaitLimit)
		n.ExpectParameter("/tendonsim/rates/publish_hz", 120.0) // of the user
		n.ExpectParameter("/tendonsim/tip/mass_kg", nil)
		n.ExpectParameter("/tendonsim/parameters_of_last_run", nil)
	})
}

// A node that meets its master for the first time takes what was set there since it read its
// parameters, while the robot was built.
func TestSetWhileRobotIsBuilt(t *testing.T) {
	testbench.WithEachMaster(t, func(t *testing.T, n *testbench.Network) {
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
		client := n.Client()
		client.Caller = "/left"
		if err := client.SetParam(testbench.Deadline(t), "/left/b/rate", 4.0); err != nil {
			t.Fatal(err)
		}
		mirror := parameter.NewMirror(table, client, nil, nil, zap.NewNop())
		defer mirror.Close()
		mirror.Known()
		n.ExpectParameter("/left/c", 2.5) // what the node has beside it
		n.ExpectParameter("/left/b/rate", 4.0)
		if p, _ := table.Get("b.rate"); p.Value != 4.0 {
			t.Errorf("b.rate is %v, want what was set on the server", p.Value)
		}
	})
}

// TestSetBetweenLookAndWrite: what others set on the server after a node has looked there, and
// before it writes or takes back, holds and stays.
func TestSetBetweenLookAndWrite(t *testing.T) {
	testbench.WithEachMaster(t, func(t *testing.T, n *testbench.Network) {
		target, err := url.Parse(n.URI)
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
				if err := n.Client().SetParam(t.Context(), key, value); err != nil {
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
		client := masterclient.Client{URI: front.URL + "/", Caller: "/left"}
		mirror := parameter.NewMirror(table, client, nil, nil, zap.NewNop())
		others("/left/b/rate", 4.0)
		mirror.Known()
		n.ExpectParameter("/left/c", 2.5)
		n.ExpectParameter("/left/b/rate", 4.0)
		if p, _ := table.Get("b.rate"); p.Value != 4.0 {
			t.Errorf("b.rate is %v, want what was set on the server", p.Value)
		}
		others("/left/c", 9.0)
		mirror.Close()
		n.ExpectParameter("/left/c", 9.0)
		n.ExpectParameter("/left/b/rate", 4.0)
		n.ExpectParameter("/left/parameters_of_last_run", nil)

		const key = "/left/text"
		offered := func() *parameter.Offer {
			o := parameter.NewOffer(client, key, "ours", func(v any) bool { return v == any("ours") }, zap.NewNop())
			for range 2 { // the second look comes after the first is through
				before := looks.Load()
				o.Recheck()
				n.WaitFor("a look", func() bool { return looks.Load() > before })
			}
			return o
		}
		others(key, "theirs")
		offered().Close()
		n.ExpectParameter(key, "theirs")
		if err := n.Client().DeleteParam(testbench.Deadline(t), key); err != nil {
			t.Fatal(err)
		}
		offer := offered()
		n.ExpectParameter(key, "ours")
		others(key, "theirs")
		offer.Close()
		n.ExpectParameter(key, "theirs")
	})
}

// startNode runs tendonsim and waits for its parameters.
func startNode(n *testbench.Network, args ...string) *testbench.Process {
	n.T.Helper()
	p := n.Start(testbench.BuildTendonsim(n.T), append([]string{"run", "--ros", "ros1", "--no-demo"}, args...)...)
	n.WaitFor("the parameters", func() bool {
		_, err := n.Client().LookupNode(testbench.Deadline(n.T), "/tendonsim")
		_, set, _ := n.Client().Param(testbench.Deadline(n.T), "/tendonsim/tip/mass_kg")
		return err == nil && set && strings.Contains(p.Output(), "registered with the ROS master")
	})
	return p
}

// setsParameters sets some as a user does and sees what becomes of them.
func setsParameters(n *testbench.Network, node *testbench.Process) {
	n.T.Helper()
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
			err = n.Client().DeleteParam(testbench.Deadline(n.T), c.key)
		} else {
			err = n.Client().SetParam(testbench.Deadline(n.T), c.key, c.set)
		}
		if err != nil {
			n.T.Fatal(err)
		}
		n.WaitFor(fmt.Sprintf("set %d of %s: what is said of it", i, c.key), func() bool {
			return strings.Contains(node.Output()[before:], c.said)
		})
		n.ExpectParameter(c.key, c.is)
	}
	// what users remove comes back as the node's own
	for _, key := range []string{"gravity_m_per_s2", "command_policy", "tendons"} {
		if err := n.Client().DeleteParam(testbench.Deadline(n.T), "/tendonsim/"+key); err != nil {
			n.T.Fatal(err)
		}
	}
	n.ExpectParameter("/tendonsim/command_policy", "newest")
}
