package page_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/test/testbench"
	"sinew/test/testsize"
)

var (
	actionSeed  = flag.Int("actions.seed", 1, "seed of the actions of TestPageAtRandom")
	actionCount = flag.Int("actions", 0, "how many actions TestPageAtRandom does; 0 is as many as the size of tests says")
)

// action is one of what the script random.js does, and what it means.
type action struct {
	Name    string
	Page    int
	Numbers [2]int  // of the connections of the pages
	State   string  // in which the robot is then
	May     [2]bool // whether a page commands from then on
	Waits   [2]bool // whether a command waits for a click on a page
	Silent  [2]bool // whether a page that does not command has ended its commands
	Phases  [2]string
	Notes   [2]string
}

// TestPageAtRandom: two pages on which somebody types, slides, holds keys, changes their mind, stops, pauses, resets, takes over, saves
// pictures, reloads and keeps the processor busy command nothing that an action does not explain, never what was typed and not
// entered, and show whether they command, or wait for a click because the other one does. Thousands are made by hand, some hundred
// at a time with a seed each: go test ./test/page -run AtRandom -actions 500 -actions.seed 7.
func TestPageAtRandom(t *testing.T) {
	count := *actionCount
	if count == 0 {
		count = testsize.Of(20, 40, 80)
	}
	const timeout = "_command_timeout_s:=10" // more than a busy computer keeps a page waiting: no page is silent without a reason
	r := recordCommands(t, testbench.BuildTendonsim(t), timeout)
	var v struct {
		Actions   []action
		Parameter string
	}
	r.useScript("random.js", &v, "random", strconv.Itoa(*actionSeed), strconv.Itoa(count))
	if len(v.Actions) != count {
		t.Fatalf("%d actions of %d", len(v.Actions), count)
	}
	if v.Parameter == "7.77" {
		t.Error("a parameter that was typed and left is set")
	}
	may := [2]bool{}
	kinds := map[string]int{}
	for i, a := range v.Actions {
		kinds[a.Name]++
		begin, end := fmt.Sprintf("%d-begin", i), fmt.Sprintf("%d-end", i)
		fail := func(format string, args ...any) {
			t.Helper()
			for _, b := range v.Actions[max(0, i-10) : i+1] {
				t.Logf("%+v", b)
			}
			t.Fatalf("action %d, %s on page %d, then %s: %s\n%s", i, a.Name, a.Page, a.State, fmt.Sprintf(format, args...), r.story(begin, end))
		}
		for _, s := range r.between(begin, end) {
			p := slices.Index(a.Numbers[:], s.Page)
			if s.Topic == "" || p < 0 {
				continue
			}
			var m tensions
			s.read(t, &m)
			if slices.Contains(m.Effort, 7.77) {
				fail("page %d commands 7.77 N, which nobody entered", p)
			}
			// an action that commands where another page does is refused and ends with that
			if own := p == a.Page && slices.Contains([]string{"enter", "slide", "hold", "take"}, a.Name); !may[p] && !a.May[p] && !own {
				fail("page %d commands %s, which no action explains", p, s.Message)
			}
		}
		for p := range may {
			phases := []string{"none"}
			switch {
			case a.May[p]:
				phases = []string{"commanding"}
			case a.Waits[p]:
				phases = []string{"armed", "relieved"}
			}
			switch {
			case !slices.Contains(phases, a.Phases[p]):
				fail("page %d shows %q and says %q, want one of %q", p, a.Phases[p], a.Notes[p], phases)
			case a.Waits[p] && !strings.HasSuffix(a.Notes[p], "Take over"):
				fail("page %d waits for a click and says %q", p, a.Notes[p])
			case !a.May[p] && !a.Silent[p]:
				fail("page %d goes on commanding", p)
			}
		}
		may = a.May
	}
	text, _ := json.Marshal(kinds)
	t.Logf("%d actions: %s", count, text)
}
