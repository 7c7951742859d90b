package repeat_test

import (
	"encoding/json"
	"flag"
	"os"
	"runtime"
	"testing"

	"sinew/launch/robots"
	"sinew/pkg/sim"
)

var renew = flag.Bool("renew", false, "write testdata/trajectories.json anew")

const goldenFile = "testdata/trajectories.json"

// golden is what is in goldenFile.
type golden struct {
	Renewing   string                 `json:"renewing"`
	Arithmetic string                 `json:"arithmetic"`
	Robots     map[string]*Trajectory `json:"robots"`
}

// renewing is written into the file.
const renewing = "go test ./test/repeat -renew, on amd64 (GOAMD64=v1). It is legitimate in a commit that means to change what a robot does, " +
	"or its robot file, or the commands in test/repeat/commands_test.go, and that says so in its message and in CHANGELOG.md with by how much the " +
	"poses below move. A refactoring, a new Go release or another computer has to give the hashes that are here."

// elsewhere returns how far a robot may be within ten seconds from where it is in the file,
// as a share of its travel, with arithmetic that rounds differently: ARM fuses a product and
// a sum. With GOAMD64=v3, which does so too, it is 3e-12, and 4e-5 where the robot bounces
// off walls, which makes its motion unstable.
func elsewhere(robot string) float64 {
	if robot == "levitation" {
		return 1e-3
	}
	return 1e-9
}

func TestTrajectories(t *testing.T) {
	if *renew {
		write(t)
	}
	g := read(t)
	length := seconds
	if testing.Short() {
		length = 2
	}
	for _, r := range all() {
		t.Run(r.Name, func(t *testing.T) {
			want, ok := g.Robots[r.Name]
			if !ok || len(want.Hashes) != seconds || len(want.Poses) != seconds {
				t.Fatalf("%s has no %d seconds of %s", goldenFile, seconds, r.Name)
			}
			got := begin(t, r).run(t, length)
			if g.Arithmetic != arithmetic() {
				t.Logf("%s is of %s, this is %s: poses are compared", goldenFile, g.Arithmetic, arithmetic())
				compareCoarsely(t, got, want, elsewhere(r.Name))
				return
			}
			for i := range got.Hashes {
				if got.Hashes[i] != want.Hashes[i] {
					t.Fatalf("other bits than in %s within second %d, at the end of which measured_cp is\n%v, in the file it is\n%v\n%s",
						goldenFile, i+1, got.Poses[i], want.Poses[i], renewing)
				}
			}
		})
	}
	if len(g.Robots) != len(all()) {
		t.Errorf("%s has %d robots; %d come with the programs", goldenFile, len(g.Robots), len(all()))
	}
}

// compareCoarsely wants the poses of want to a share of the travel, as far as got goes.
func compareCoarsely(t *testing.T, got, want *Trajectory, share float64) {
	t.Helper()
	worst := 0.0
	for i, p := range got.Poses {
		worst = max(worst, distance(p, want.Poses[i])/want.Travel)
	}
	t.Logf("%.2g of the travel of %.3g m from %s, allowed: %g", worst, want.Travel, goldenFile, share)
	if !(worst <= share) {
		t.Error("that is too far")
	}
}

// TestProcessors wants the same bits on one processor as on two, over which the robots of a
// swarm are divided.
func TestProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, r := range all() {
		runtime.GOMAXPROCS(1)
		alone := begin(t, r).run(t, 1)
		runtime.GOMAXPROCS(2)
		if both := begin(t, r).run(t, 1); both.Hashes[0] != alone.Hashes[0] {
			t.Errorf("%s: other bits on two processors than on one: measured_cp is %v, alone %v", r.Name, both.Poses[0], alone.Poses[0])
		}
	}
}

// TestEveryActuationActs wants other bits without the commands of any one port: what acts
// on nothing would be in no hash.
func TestEveryActuationActs(t *testing.T) {
	const span = 5 // s, in which all ports of a group have their turn
	for _, name := range []string{"servo", "sphere", "levitation"} {
		r, _ := robots.Find(name)
		whole := begin(t, r).run(t, span)
		for i, p := range begin(t, r).ports {
			if p.Direction != sim.In {
				continue
			}
			m := begin(t, r)
			m.many[i], m.nth[i] = 1, 1 // never its turn
			if m.run(t, span).Hashes[span-1] == whole.Hashes[span-1] {
				t.Errorf("%s: the commands of %s change nothing", name, p.Name)
			}
		}
	}
}

// TestRestored wants a fresh robot that takes over the state of another to go on as that one
// does, by all that is published. Random robots are saved and restored in test/torture.
func TestRestored(t *testing.T) {
	for _, r := range all() {
		if r.Name == "swarm" {
			continue // as beads, in half of the time of all
		}
		m, fresh := begin(t, r), begin(t, r)
		m.run(t, 1)
		state := make([]float64, m.model.StateLen())
		m.model.Save(state)
		if err := fresh.model.Restore(state); err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		fresh.in.CopyFrom(m.in)
		if want, got := m.follow(t, 1, 2), fresh.follow(t, 1, 2); got.Hashes[0] != want.Hashes[0] {
			t.Errorf("%s moves otherwise than the robot whose state it has: measured_cp is %v, there %v", r.Name, got.Poses[0], want.Poses[0])
		}
	}
}

// begin makes a robot in its initial state.
func begin(t *testing.T, r robots.Robot) *machine {
	t.Helper()
	m, err := newMachine(r)
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	return m
}

// all are the robots that come with the programs, but for mechanisms.
func all() []robots.Robot { return append(robots.Rods(), robots.Of("microrobot")...) }

// arithmetic names what decides about the last bit: the architecture, and whether the
// compiler fuses products and sums, as it does with GOAMD64=v3.
func arithmetic() string {
	name := runtime.GOARCH
	if fuses(1+0x1p-30, 1-0x1p-30, -1) {
		name += " with fused multiply-add"
	}
	return name
}

// fuses reports whether x*y + z is rounded once; of (1+ε)(1-ε) - 1 rounding twice leaves 0.
//
//go:noinline
func fuses(x, y, z float64) bool { return x*y+z != 0 }

func read(t *testing.T) *golden {
	t.Helper()
	data, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	g := &golden{}
	if err := json.Unmarshal(data, g); err != nil {
		t.Fatalf("%s: %v", goldenFile, err)
	}
	return g
}

// write makes goldenFile anew.
func write(t *testing.T) {
	t.Helper()
	if arithmetic() != "amd64" {
		t.Fatalf("%s is made with the arithmetic of amd64, this is %s", goldenFile, arithmetic())
	}
	g := &golden{Renewing: renewing, Arithmetic: arithmetic(), Robots: map[string]*Trajectory{}}
	for _, r := range all() {
		g.Robots[r.Name] = begin(t, r).run(t, seconds)
	}
	data, err := json.MarshalIndent(g, "", "  ")
	if err == nil {
		err = os.WriteFile(goldenFile, append(data, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
