package page_test

import (
	"encoding/json"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/test/testbench"
)

// span is what a plot shows, s.
type span struct{ From, To float64 }

func (s span) length() float64 { return s.To - s.From }

// TestPagePlots: a line that is switched off is gone from the figure. Plots zoom by keys, go where they are dragged, stay there while the
// robot moves, and follow it again when they are reset. The cursor shows the numbers that were saved of its time, and its keys drive no robot.
func TestPagePlots(t *testing.T) {
	testbench.NeedChromium(t)
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/plots.js"), testbench.BuildTendonsim(t), "use").Output()
	var v struct {
		Fault           string
		Foreign, Errors []string
		Lines           [][]string
		Pressed         string
		Cursor, Hover   struct {
			At, Last, CSV  float64
			Text, X, Label string
		}
		Driven                                     int
		Zoomed, Still, Dragged, Reset, Five, Sixty span
		Phone                                      struct{ Wide, Tab float64 }
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	t.Logf("%s", out)
	if want := [][]string{{"x", "y", "z"}, {"y", "z"}}; !slices.EqualFunc(v.Lines, want, slices.Equal) || v.Pressed != "false" {
		t.Errorf("lines %q, want %q; pressed %s", v.Lines, want, v.Pressed)
	}
	const message = 0.1 // s, between messages on a busy machine
	if long := v.Zoomed.length(); long > 6.4+message || v.Zoomed != v.Still {
		t.Errorf("zoomed twice by 1.25 from 10 s: %+v, 1.5 s later %+v", v.Zoomed, v.Still)
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(v.Cursor.X, "−", "-"), 64)
	if back := v.Cursor.Last - v.Cursor.At; err != nil || math.Abs(x-v.Cursor.CSV) > 0.5 || math.Abs(back-0.4*6.4) > 0.01 || !strings.Contains(v.Cursor.Text, v.Cursor.X) {
		t.Errorf("the cursor is 40 %% back: %+v", v.Cursor)
	}
	if back := v.Hover.Last - v.Hover.At; math.Abs(back-0.75*6.4) > 0.1 || !strings.HasPrefix(v.Hover.Label, "at −") {
		t.Errorf("a pointer at a quarter of the plot: %+v", v.Hover)
	}
	if v.Driven != 0 {
		t.Errorf("%d cards command after arrows in a plot", v.Driven)
	}
	if d := v.Still.To - v.Dragged.To; math.Abs(d-6.4/4) > 0.15+message {
		t.Errorf("dragged by a quarter of 6.4 s it ends %g s earlier", d)
	}
	if v.Reset.To < v.Still.To+2 || v.Five.length() > 5 || v.Five.length() < 5-message-0.4 || v.Sixty.length() < v.Five.length()+3 {
		t.Errorf("after a reset %+v, of 5 s %+v, of 60 s %+v", v.Reset, v.Five, v.Sixty)
	}
	if v.Phone.Wide > 360 || v.Phone.Tab > 0 {
		t.Errorf("on a phone %+v", v.Phone)
	}
}
