package page_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

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
	May     [2]bool // whether a page may command from then on
	Phases  [2]string
	Notes   [2]string
}

// TestPageAtRandom: two pages on which somebody types, slides, holds keys, changes their mind, stops, pauses, resets, takes over, saves
// pictures, reloads and keeps the processor busy command nothing that an action does not explain, never what was typed and not
// entered, and show as commanded what they command. Thousands are made by hand, some hundred at a time with a seed each:
// go test ./test/page -run AtRandom -actions 500 -actions.seed 7.
func TestPageAtRandom(t *testing.T) {
	count := *actionCount
	if count == 0 {
		count = testsize.Of(20, 40, 80)
	}
	r := recordCommands(t, testbench.BuildTendonsim(t))
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
		at := fmt.Sprintf("action %d, %s on page %d, then %s", i, a.Name, a.Page, a.State)
		begin, end := fmt.Sprintf("%d-begin", i), fmt.Sprintf("%d-end", i)
		sent, ended := r.between(begin, end), r.at(end)
		for p := range may {
			sends := 0
			for _, s := range sent {
				if s.Topic == "" || s.Page != a.Numbers[p] {
					continue
				}
				var m tensions
				s.read(t, &m)
				if slices.Contains(m.Effort, 7.77) {
					t.Fatalf("%s: page %d commands 7.77 N, which nobody entered", at, p)
				}
				// an action that commands where another page does is refused and ends with that
				if own := p == a.Page && slices.Contains([]string{"enter", "slide", "hold", "take"}, a.Name); !may[p] && !a.May[p] && !own {
					t.Fatalf("%s: page %d commands %s, which no action explains", at, p, s.Message)
				}
				if s.At > ended-silence+50*time.Millisecond { // which the script has waited for
					sends++
				}
			}
			commanding := a.Phases[p] == "commanding"
			if sends > 0 && !a.May[p] {
				t.Fatalf("%s: page %d goes on commanding", at, p)
			}
			if a.May[p] && !commanding && a.Notes[p] == "" {
				t.Fatalf("%s: the command of page %d is lost, which nothing says", at, p)
			}
			if commanding && !a.May[p] {
				t.Fatalf("%s: page %d shows that it commands", at, p)
			}
		}
		may = a.May
	}
	text, _ := json.Marshal(kinds)
	t.Logf("%d actions: %s", count, text)
}
