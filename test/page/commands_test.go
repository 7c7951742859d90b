package page_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/test/testbench"
)

// pose is a geometry_msgs/PoseStamped in JSON.
type pose struct {
	Pose struct {
		Position    struct{ X, Y, Z float64 }
		Orientation struct{ X, Y, Z, W float64 }
	}
}

// TestPagePoses: inputs of poses show the applied pose and command from there: one number that is typed changes one number. A
// jump, above what the pose can follow between two commands, is not commanded before it is confirmed.
func TestPagePoses(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t), "--config", testbench.Absolute(t, "../../launch/worlds/guidewire.yaml"))
	var v struct {
		Magnet, Base, Cancelled []string
		Asked, Rotation, State  string
	}
	r.use(&v, "poses")
	if got := strings.Join(v.Magnet, " "); got != "500 0.00 0.00 0.00 0.00 0.00" {
		t.Errorf("the magnet is at 0.5 0 0 m; the page shows %s", got)
	}
	if got := strings.Join(v.Base, " "); got != "−100 0.00 0.00 0.00 −90.0 180" {
		t.Errorf("the base is at −0.1 0 0 m, turned by half a turn about x = z; the page shows %s", got)
	}
	if !strings.Contains(v.Asked, "210 mm away") || !strings.Contains(v.Asked, "2 m/s") || len(v.Cancelled) == 0 || v.Cancelled[0] != "510" || !strings.Contains(v.Rotation, "90°") {
		t.Errorf("a jump asks %q and %q, and shows %v once cancelled", v.Asked, v.Rotation, v.Cancelled)
	}
	const magnet, base = "/tendonsim/magnet_pose", "/tendonsim/base_pose"
	for _, c := range []struct {
		name, topic string
		was, x, z   float64 // before and after, m
		none        bool
	}{
		{"near", magnet, 0.51, 0.51, 0, false}, {"jump", magnet, 0.51, 0.51, 0, false}, {"confirmed", magnet, 0.51, 0.3, 0, false},
		{"first", base, 0, 0, 0, true}, {"base", base, -0.1, -0.1, 0.0003, false},
	} {
		list := commands(r.between(c.name+"-begin", c.name+"-end"), c.topic)
		if c.none != (len(list) == 0) {
			t.Errorf("%s: %d commands", c.name, len(list))
		}
		for i, s := range list {
			var p pose
			s.read(t, &p)
			at, q := p.Pose.Position, p.Pose.Orientation
			if last := i == len(list)-1; (at.X != c.was || last) && math.Abs(at.X-c.x) > 1e-6 || math.Hypot(at.Y, at.Z-c.z) > 1e-6 ||
				c.topic == base && math.Hypot(q.X-math.Sqrt2/2, q.Z-math.Sqrt2/2) > 1e-6 {
				t.Errorf("%s: command %d of %d is %+v, want %g 0 %g", c.name, i, len(list), p, c.x, c.z)
				break
			}
		}
	}
	if v.State != "ENABLED" {
		t.Errorf("in the end it is %s", v.State)
	}
}

// tensions is a sensor_msgs/JointState in JSON.
type tensions struct{ Effort []float64 }

// TestPageLists: while a list of the page is open, which takes its keys, a key that is let go no longer raises a tension, and
// Escape stops the robot.
func TestPageLists(t *testing.T) {
	var v struct{ Open, Later float64 }
	recordCommands(t, testbench.BuildTendonsim(t)).use(&v, "lists")
	if v.Open <= 0 || v.Later != v.Open {
		t.Errorf("%g N when the key was let go, then %g N", v.Open, v.Later)
	}
}

// TestPageTaps: a key that comes up before the page has looked at it, as on a page that draws slowly, acts for one look: an arrow pulls
// and lets go, a digit raises its tension a little.
func TestPageTaps(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t))
	var v struct{ Phase string }
	r.use(&v, "taps")
	for _, name := range []string{"arrow", "digit"} {
		list := commands(r.between(name+"-begin", name+"-end"), "/tendonsim/servo_jf")
		if len(list) == 0 {
			t.Errorf("%s: a tap commands nothing", name)
			continue
		}
		var m tensions
		list[len(list)-1].read(t, &m)
		const least, most = 0, 0.3 // N, of a look at a range of 8 N
		if up := m.Effort[0]; name == "arrow" && slices.Max(m.Effort) > 0 || name == "digit" && (up <= least || up > most) {
			t.Errorf("%s: in the end %g N are commanded", name, m.Effort)
		}
	}
	if v.Phase != "commanding" {
		t.Errorf("in the end the card is %s", v.Phase)
	}
}

// TestPagePending: what is typed and not entered commands nothing, however the field is left, and neither does a slider or a key that
// was held when the robot was stopped. The number that was there comes back.
func TestPagePending(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t))
	var v struct {
		Left      map[string]string
		Parameter struct{ Was, Left, Entered string }
	}
	r.use(&v, "pending")
	const topic = "/tendonsim/servo_jf"
	for _, name := range []string{"blur", "tab", "escape", "stop"} {
		if n := len(commands(r.between(name+"-begin", name+"-end"), topic)); n > 0 || v.Left[name] != "0.00" {
			t.Errorf("7 was typed, then %s: %d commands, the field shows %s", name, n, v.Left[name])
		}
	}
	if n := len(commands(r.between("dragged-begin", "dragged-end"), topic)); n == 0 {
		t.Error("a slider commands nothing")
	}
	for _, name := range []string{"held", "key"} {
		if n := len(commands(r.between(name+"-begin", name+"-end"), topic)); n > 0 {
			t.Errorf("%s over an emergency stop: %d commands after it", name, n)
		}
	}
	if p := v.Parameter; p.Left != p.Was || p.Entered != "6" {
		t.Errorf("a parameter, typed and left, then entered: %+v", p)
	}
}

// TestPageRelief: a page that takes over relieves the other one by take_command, both say the same of who commands, and the one that is
// relieved sends nothing until somebody clicks there, also when the new one is silent.
func TestPageRelief(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t))
	type about struct{ Phase, Who, Button string }
	var v struct {
		Before   struct{ A, B about }
		Again    about
		Relieved struct {
			A, B        about
			Note, Value string
		}
	}
	r.use(&v, "relief")
	const topic, own = "/tendonsim/servo_jf", " (this page)"
	if a, b := v.Before.A, v.Before.B; a.Phase != "commanding" || b.Phase != "none" || a.Who != b.Who+own || a.Button != "Release" || b.Button != "Take over" {
		t.Errorf("while the first page commands: %+v", v.Before)
	}
	if a, b := v.Relieved.A, v.Relieved.B; a.Phase != "relieved" || b.Phase != "commanding" || b.Who != a.Who+own || a.Button != "Take over" || !strings.HasPrefix(v.Relieved.Note, "viewer 127.0.0.1:") || !strings.Contains(v.Relieved.Note, "has taken over") {
		t.Errorf("after the second one has taken over: %+v", v.Relieved)
	}
	if v.Relieved.Value != "5.00" {
		t.Errorf("the second page takes over at %s N, want the 5 N that are applied", v.Relieved.Value)
	}
	taken := r.between("take-begin", "take-end")
	from := slices.IndexFunc(taken, func(s sent) bool { return s.Page == 1 && s.Topic == topic })
	if i := slices.IndexFunc(taken, func(s sent) bool { return strings.HasSuffix(s.Service, "/take_command") }); i < 0 || i > from {
		t.Errorf("the second page commands without take_command: call %d, command %d", i, from)
	}
	if from >= 0 {
		after := 0
		for _, s := range taken[from:] {
			if s.Page == 0 && s.At > taken[from].At+time.Second {
				after++
			}
		}
		if after > 0 {
			t.Errorf("the first page sends %d commands more than a second after it was relieved", after)
		}
	}
	for _, s := range r.between("silent-begin", "silent-end") {
		if s.Page == 0 {
			t.Errorf("the page that was relieved sends %+v without a click", s)
			break
		}
	}
	if list := commands(r.between("again-begin", "again-end"), topic); len(list) == 0 || v.Again.Phase != "commanding" {
		t.Errorf("a click: %d commands, %+v", len(list), v.Again)
	}
}

// TestPageSlowNetwork: a page that hears only after seconds that another one commands says that, not that it has been relieved, and takes
// over if that was the click; and a click that cannot be sent before an answer says so.
func TestPageSlowNetwork(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t), "_command_timeout_s:=10")
	var v struct {
		Typed, A, B struct{ Phase, Note string }
		Lost        string
	}
	r.use(&v, "slow")
	if s := v.Typed; s.Phase != "armed" || !strings.Contains(s.Note, "is in command until it is silent for 10 s") {
		t.Errorf("a number typed before the page heard of the other one: %+v", s)
	}
	if v.A.Phase != "relieved" || v.B.Phase != "commanding" || v.B.Note != "" {
		t.Errorf("Take over before the page heard of the other one: %+v there, %+v here", v.A, v.B)
	}
	if !strings.Contains(v.Lost, "pause was not sent: the node has not answered reset yet") {
		t.Errorf("a click on Pause while Reset waits for its answer: %q", v.Lost)
	}
}

// TestPageRestored: a reset and a return to a saved state by another client end what a page commands, at once and told on the card, also
// where hardly any time has passed since the page was there or since the reset before.
func TestPageRestored(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t))
	var v struct {
		Restored []struct{ Note, Value string }
	}
	r.use(&v, "restored")
	for _, name := range []string{"reset", "restore_state"} {
		if n := len(commands(r.between(name+"-begin", name+"-end"), "/tendonsim/servo_jf")); n > 0 {
			t.Errorf("%s: %d commands after it", name, n)
		}
	}
	for _, s := range v.Restored {
		if s.Note != "The robot is back at an earlier state: what this page commanded has ended." || s.Value != "0.00" {
			t.Errorf("%+v", s)
		}
	}
}

// TestPageAnew: a reset releases, so that nothing moves at Resume; what was said of a FAULT is gone once it is; a number beyond the range
// is refused with that; what the page says beside the robot leaves its panel free, and what is chosen of a few words is chosen from these.
func TestPageAnew(t *testing.T) {
	r := recordCommands(t, testbench.BuildTendonsim(t))
	var v struct {
		AfterReset string `json:"after_reset"`
		Fault      struct {
			Note, Value string
			Label       bool
		} `json:"fault_seen"`
		Enabled bool // whether the note is there
		// AfterSpace is the state after Space in FAULT.
		AfterSpace string `json:"after_space"`
		Beyond     struct{ Told, Value string }
		Covered    float64 // of the panel by a toast, px
		Words      []string
		Policy     string
	}
	r.use(&v, "anew")
	for _, name := range []string{"reset", "fault", "beyond"} {
		if n := len(commands(r.between(name+"-begin", name+"-end"), "/tendonsim/servo_jf")); n > 0 {
			t.Errorf("%s: %d commands", name, n)
		}
	}
	if v.AfterReset != "0.00" {
		t.Errorf("after a reset %s N are shown", v.AfterReset)
	}
	if f := v.Fault; f.Note != "FAULT: commands are refused; press Enable first" || f.Value != "0.00" || !f.Label || v.Enabled {
		t.Errorf("in FAULT %+v; the note is there after it: %v", f, v.Enabled)
	}
	if v.AfterSpace != "FAULT" {
		t.Errorf("Space after an emergency stop leads to %s", v.AfterSpace)
	}
	if b := v.Beyond; !strings.Contains(b.Told, "99.0 N is outside the limits; allowed: 0.00 to 8.00 N") || b.Value != "0.00" {
		t.Errorf("99 N: %+v", b)
	}
	if v.Covered > 0 {
		t.Errorf("a toast covers %g px of the panel", v.Covered)
	}
	if !slices.Equal(v.Words, []string{"exclusive", "newest"}) || v.Policy != "newest" {
		t.Errorf("command_policy is one of %q, now %q", v.Words, v.Policy)
	}
}

// TestPageOfSmallRobot: a robot of some ten micrometres has its position in micrometres, wherever it is, and round-off is 0.
func TestPageOfSmallRobot(t *testing.T) {
	r := recordCommands(t, testbench.BuildMicrorobot(t), "--config", testbench.Absolute(t, "../../launch/robots/sphere.yaml"), "_body.position_m:=[0.003, 0, 51e-6]")
	var v struct {
		Numbers []string
		Unit    string
	}
	r.use(&v, "small")
	if v.Unit != "µm" {
		t.Errorf("positions are in %q", v.Unit)
	}
	if i := slices.IndexFunc(v.Numbers, func(s string) bool { return strings.Contains(s, "e") }); i >= 0 || len(v.Numbers) == 0 {
		t.Errorf("numbers %q", v.Numbers)
	}
}

// TestPageBusy: commands go on while the page is too busy to send any, for seconds, as while it makes a picture at four times the
// resolution or a GIF, and while its timers are those of a hidden page. A page that cannot be stopped for longer than ten seconds
// commands no more, and says so.
func TestPageBusy(t *testing.T) {
	const timeout = time.Second // more than a busy computer keeps a process waiting
	r := recordCommands(t, testbench.BuildTendonsim(t), "_command_timeout_s:=1")
	var v struct {
		Applied, Phase string
		Lost           struct{ Note, Phase string }
	}
	r.use(&v, "busy")
	const topic = "/tendonsim/servo_jf"
	for _, name := range []string{"timers", "stalled", "png", "gif"} {
		list := commands(r.between(name+"-begin", name+"-end"), topic)
		longest := time.Duration(0)
		for i, s := range list {
			if i > 0 {
				longest = max(longest, s.At-list[i-1].At)
			}
		}
		t.Logf("%s: %d commands, %v apart at most", name, len(list), longest)
		const least = 20 // in 2 s or more, at some 30 a second
		if len(list) < least || longest > timeout {
			t.Errorf("%s: %d commands, %v apart at most, want at least %d, at most %v apart", name, len(list), longest, least, timeout)
		}
	}
	if v.Phase != "commanding" || v.Applied != "5.00" {
		t.Errorf("after the files were made: %s, %s N", v.Phase, v.Applied)
	}
	if l := v.Lost; l.Phase != "none" || !strings.HasPrefix(l.Note, "Commands have ended: this page did not respond for 1") {
		t.Errorf("after 13 s without a sign of the page: %+v", l)
	}
	if n := len(commands(r.between("after-begin", "after-end"), topic)); n > 0 {
		t.Errorf("%d commands after they have ended", n)
	}
}
