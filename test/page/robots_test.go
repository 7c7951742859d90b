package page_test

import (
	"encoding/json"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// robotSeen is what robots.js tells of a robot.
type robotSeen struct {
	Title, Path, Told string
	At, Drawn         []float64 // position by the numbers of the page, and of the body of that number as it is drawn, m
	Off               float64   // of the mark of the chosen robot from that body, px
	Plots             []string
	Wide              float64 // of the page, px
}

type robotsSeen struct {
	Fault                       string
	Foreign, Errors             []string
	First, Second, Chosen, Link robotSeen
	Refused, Next               string
	Robots, States              []string
	Ways                        []float64 // of the tips of both robots of a fleet under a command to the second, m
	Wide                        float64
}

func useRobots(t *testing.T, program, task, file string) (v robotsSeen) {
	t.Helper()
	testbench.NeedChromium(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/robots.js"), program, task, testbench.Absolute(t, file)).Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	return v
}

// TestPageChoosesRobotOfSwarm: numbers, plots, mark and link are of the chosen robot, whose numbers are those of the body that
// is drawn with its number. The page says that commands act on all.
func TestPageChoosesRobotOfSwarm(t *testing.T) {
	v := useRobots(t, testbench.BuildMicrorobot(t), "swarm", "../../launch/robots/swarm.yaml")
	if v.First.Title != "microrobot robot 0" || v.Next != "microrobot robot 8" || v.Refused != "There is no robot 100: from 0 to 99." {
		t.Errorf("at first %q, next %q, refused %q", v.First.Title, v.Next, v.Refused)
	}
	c := v.Chosen
	if c.Title != "microrobot robot 7" || c.Plots[0] != "position of robot 7" || !strings.Contains(c.Told, "commands act on all") || c.Off > 2 {
		t.Errorf("chosen: %+v", c)
	}
	const float32s = 1e-9 // m, of scenes, over 1 mm
	for i := range c.Drawn {
		if math.Abs(c.At[i]-c.Drawn[i]) > float32s {
			t.Errorf("the numbers say %v, drawn is %v", c.At, c.Drawn)
		}
	}
	if math.Hypot(c.At[0]-v.First.At[0], c.At[1]-v.First.At[1]) < 50e-6 {
		t.Errorf("robots 0 and 7 are at %v and %v", v.First.At, c.At)
	}
	if v.Link.Title != c.Title || v.Link.Wide > 390 {
		t.Errorf("the link shows %+v", v.Link)
	}
}

// TestPageChoosesRobotOfFleet: the page of a fleet leads to each robot by an address of its own; commands and emergency stop
// are of the robot that it names.
func TestPageChoosesRobotOfFleet(t *testing.T) {
	v := useRobots(t, testbench.BuildTendonsim(t), "fleet", "../../launch/examples/fleet.yaml")
	if v.First.Title != "arms/left" || v.First.Path != "/arms/left/" || !slices.Equal(v.Robots, []string{"arms/left", "arms/right"}) {
		t.Errorf("at first %+v of %q", v.First, v.Robots)
	}
	if v.Second.Title != "arms/right" || v.Second.Path != "/arms/right/" || !strings.Contains(v.Second.Told, "numbers and commands are of this one") {
		t.Errorf("then %+v", v.Second)
	}
	if len(v.Ways) != 2 || v.Ways[0] > 1e-9 || v.Ways[1] < 0.005 || !slices.Equal(v.States, []string{"ENABLED", "FAULT"}) || v.Wide > 390 {
		t.Errorf("ways %v m, states %q, %g px wide", v.Ways, v.States, v.Wide)
	}
}
