package ros2_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
)

// TestParametersFromPeers: what clients of parameters that know nothing of this project do
// with the running program, on RustDDS with the types of ros2-client and on Cyclone DDS.
func TestParametersFromPeers(t *testing.T) {
	t.Parallel()
	for _, program := range []ddspeer.Program{ddspeer.RustParameters, ddspeer.Parameters} {
		t.Run(program.Name, func(t *testing.T) {
			t.Parallel()
			n, domain := testbench.NewROS2Network(t)
			u := &parameterUser{n: n, peer: program.Start(t, domain, ddspeer.Multicast)}
			u.peer.Tell("events /parameter_events")
			p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo")
			p.Expect("domain")
			u.lists()
			u.gets()
			u.describes()
			u.sets()
		})
	}
}

// parameterUser is a peer that prints what the services of parameters answer.
type parameterUser struct {
	n    *testbench.Network
	peer *ddspeer.Peer
}

// ask has the peer make a request to /tendonsim, and returns the lines of the answer: those
// with the prefix that have come by the time of one with the last prefix.
func (u *parameterUser) ask(prefix, last string, count int, request string, words ...string) []string {
	u.n.T.Helper()
	before, ended := len(u.peer.Lines(prefix)), len(u.peer.Lines(last))
	u.peer.Tell("%s", strings.Join(append([]string{request, "/tendonsim"}, words...), " "))
	u.n.WaitFor("the answer to "+request, func() bool { return len(u.peer.Lines(last)) >= ended+count })
	if bad := u.peer.Lines("unreadable"); len(bad) > 0 {
		u.n.T.Fatalf("%s: %s", request, bad[0])
	}
	return u.peer.Lines(prefix)[before:]
}

// list asks for names, and what stands before their last dots.
func (u *parameterUser) list(words ...string) (names, prefixes []string) {
	u.n.T.Helper()
	one, two, _ := strings.Cut(strings.TrimPrefix(u.ask("list ", "list ", 1, "list", words...)[0], "list "), " below ")
	split := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) }
	return split(one), split(two)
}

func (u *parameterUser) lists() {
	t := u.n.T
	t.Helper()
	all, _ := u.list("0")
	if len(all) < 100 || !slices.Contains(all, "use_sim_time") {
		t.Errorf("%d parameters: %q", len(all), all)
	}
	limits := []string{"max_rate_m_per_s", "max_rate_n_per_s", "max_tension_n", "pretension_n"}
	for i, l := range limits {
		limits[i] = "tendons.long_up.limits." + l
	}
	for _, c := range []struct {
		words []string
		names []string
	}{
		{[]string{"0", "tendons.long_up.limits"}, limits},
		{[]string{"1", "tendons.long_up.limits"}, limits},
		{[]string{"1", "tendons.long_up.limits", "tendons.long_up.limits.max_tension_n"}, limits},
		{[]string{"1", limits[2]}, limits[2:3]},
		{[]string{"0", "tendons.long_up.limit"}, nil}, // a prefix ends at a dot
		{[]string{"0", "none"}, nil},
	} {
		names, prefixes := u.list(c.words...)
		if !slices.Equal(names, c.names) || len(names) > 0 && !slices.Equal(prefixes, []string{"tendons.long_up.limits"}) {
			t.Errorf("list %q: %q below %q, want %q", c.words, names, prefixes, c.names)
		}
	}
	if top, prefixes := u.list("1"); len(prefixes) != 0 || !slices.Contains(top, "command_timeout_s") || slices.ContainsFunc(top, func(s string) bool { return strings.Contains(s, ".") }) {
		t.Errorf("at the top %q below %q", top, prefixes)
	}
}

func (u *parameterUser) gets() {
	t := u.n.T
	t.Helper()
	got := u.ask("get ", "got ", 1, "get", "rates.publish_hz", "none", "use_sim_time", "rod.elements", "solver.method", "gravity_m_per_s2")
	want := []string{"get rates.publish_hz 3 200", "get none 0 ", "get use_sim_time 1 false", "get rod.elements 2 20", "get solver.method 4 implicit"}
	if len(got) != 6 || !slices.Equal(got[:5], want) || !strings.HasPrefix(got[5], "get gravity_m_per_s2 8 ") {
		t.Errorf("get: %q, want %q and the gravity", got, want)
	}
	if got := u.ask("types ", "types ", 1, "types", "rod.elements", "none", "accept", "rates.publish_hz"); got[0] != "types 2,0,9,3" {
		t.Errorf("types: %q", got)
	}
	if got := u.ask("got ", "got ", 1, "get"); got[0] != "got 0" {
		t.Errorf("get of nothing: %q", got)
	}
}

func (u *parameterUser) describes() {
	t := u.n.T
	t.Helper()
	got := u.ask("describe ", "described ", 1, "describe", "rates.publish_hz", "rod.youngs_modulus_pa", "rod.elements", "none")
	for i, want := range [][]string{
		{"describe rates.publish_hz 3 read_only=false range=0..20000: measured values per second, at most control_hz (Hz); (0, 20000] Hz"},
		{"describe rod.youngs_modulus_pa 3 read_only=true range=", " Pa"},
		{"describe rod.elements 2 read_only=true range=1..2000: ", "[1, 2000]"},
		{"describe none 0 read_only=false range=: ; "},
	} {
		for _, part := range want {
			if len(got) != 4 || !strings.Contains(got[i], part) {
				t.Errorf("describe: %q, want %q", got, part)
			}
		}
	}
	u.describesAll()
}

// describesAll: what rqt_reconfigure asks for. Its sliders are made of ranges, and count in
// 32 bits.
func (u *parameterUser) describesAll() {
	t := u.n.T
	t.Helper()
	all, _ := u.list("0")
	for chunk := range slices.Chunk(all, 50) {
		values := u.ask("get ", "got ", 1, "get", chunk...)
		for i, line := range u.ask("describe ", "described ", 1, "describe", chunk...) {
			words, was := strings.Fields(line), strings.Fields(values[i])
			if words[1] != chunk[i] || words[2] != was[2] {
				t.Errorf("%q of %q", line, values[i])
			}
			from, to, ranged := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(words[4], "range="), ":"), "..")
			if words[2] != "2" || !ranged {
				continue
			}
			for _, bound := range []string{from, to} {
				if _, err := strconv.ParseInt(bound, 10, 32); err != nil {
					t.Errorf("%q: %v", line, err)
				}
			}
		}
	}
}

func (u *parameterUser) sets() {
	t := u.n.T
	t.Helper()
	const limit = "tendons.long_up.limits.max_tension_n"
	changed := func() (all []string) { return u.peer.Lines("event /tendonsim changed ") }
	u.n.WaitFor("new parameters", func() bool { return len(u.peer.Lines("event /tendonsim new ")) > 100 })
	watched := []string{"rates.publish_hz", "rates.marker_hz", limit, "rod.youngs_modulus_pa", "rod.elements"}
	values := func() []string { return u.ask("get ", "got ", 1, "get", watched...) }
	before := values()
	refused := []struct{ word, reason string }{
		{"rates.publish_hz=3:-1", "rates.publish_hz: -1 Hz is out of range; allowed: (0, 20000] Hz"},
		{"rates.publish_hz=4:fast", "rates.publish_hz: is a double, not a string"},
		{"rates.publish_hz=4:-1e0", "rates.publish_hz: -1 Hz is out of range; allowed: (0, 20000] Hz"},
		{"rates.publish_hz=8:1,2", "rates.publish_hz: is a double, not a double array"},
		{"rates.publish_hz=0:", "rates.publish_hz: cannot be removed"},
		{"none=3:1", "none: no such parameter"},
		{"rod.youngs_modulus_pa=3:2e6", "rod.youngs_modulus_pa: fixed while the robot runs"},
		{"rod.elements=2:30", "rod.elements: fixed while the robot runs"},
		{"use_sim_time=1:true", "use_sim_time: "},
		{"gravity_m_per_s2=4:0,0,-9.81", "gravity_m_per_s2: is a double array, not a string"},
	}
	words := make([]string, len(refused))
	for i, r := range refused {
		words[i] = r.word
	}
	for i, got := range u.ask("set ", "set ", len(refused), "set", words...) {
		name, _, _ := strings.Cut(refused[i].word, "=")
		if want := fmt.Sprintf("set %s false %s", name, refused[i].reason); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, r := range refused { // a good one before it does not hold either
		got := u.ask("atomically ", "atomically ", 1, "atomically", "rates.marker_hz=3:10", r.word)[0]
		if !strings.HasPrefix(got, "atomically false "+r.reason) {
			t.Errorf("%q, want no success and %q", got, r.reason)
		}
	}
	if now := values(); !slices.Equal(now, before) || len(changed()) > 0 {
		t.Errorf("refused sets have changed something: %q, were %q; events %q", now, before, changed())
	}

	var want []string
	set := func(name string, x int) string {
		want = append(want, fmt.Sprintf("event /tendonsim changed %s 3 %d", name, x))
		return fmt.Sprintf("%s=3:%d", name, x)
	}
	for k := range 20 { // one after the other, several at once, and whole numbers
		u.ask("set ", "set ", 2, "set", set("rates.publish_hz", 100+k), set(limit, 3+k))
	}
	if got := u.ask("atomically ", "atomically ", 1, "atomically", set("rates.marker_hz", 10), set("rates.publish_hz", 90))[0]; got != "atomically true " {
		t.Errorf("both: %q", got)
	}
	for _, typed := range []string{"4:7e1", "2:80"} { // text that is a number, and a whole number
		want = append(want, "event /tendonsim changed rates.publish_hz 3 "+strings.Replace(typed[2:], "e1", "0", 1))
		if got := u.ask("set ", "set ", 1, "set", "rates.publish_hz="+typed)[0]; got != "set rates.publish_hz true " {
			t.Errorf("%s: %q", typed, got)
		}
	}
	for deadline := time.Now().Add(testbench.WaitLimit); len(changed()) < len(want) && time.Now().Before(deadline); {
		time.Sleep(testbench.PollPeriod)
	}
	if got := changed(); !slices.Equal(got, want) {
		t.Errorf("events\n%q, want\n%q", got, want)
	}
	if got := values(); !slices.Equal(got[:3], []string{"get rates.publish_hz 3 80", "get rates.marker_hz 3 10", "get " + limit + " 3 22"}) {
		t.Errorf("now: %q", got)
	}
}
