package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
)

// The RMSE may be as large as a threshold, and no larger.
func TestPassedAtTheThreshold(t *testing.T) {
	d := document(t, hil.Options{LengthM: 0.25}, true)
	mm := 1e3 * d.Comparison.Removed.Position.RMSE
	percent := d.Comparison.Removed.Percent(d.Comparison.Removed.Position.RMSE)
	for _, c := range []struct {
		percent, mm float64
		want        bool
	}{{0, 0, true}, {0, mm, true}, {0, 0.999 * mm, false}, {percent, 0, true}, {0.999 * percent, 0, false}, {percent, mm, true}, {percent, 0.999 * mm, false}, {0.999 * percent, mm, false}} {
		d.MaxPercent, d.MaxMM = c.percent, c.mm
		if d.Passed() != c.want {
			t.Errorf("limits %g %% and %g mm: passed %t", c.percent, c.mm, !c.want)
		}
	}
}

// A curve is broken at values that are unknown, of either axis, and in gaps.
func TestCurveIsBroken(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x, y []float64
		gap  float64
		want string // commands
	}{
		{[]float64{0, 1, 2, 3}, []float64{0, 1, 2, 3}, 0, "MLLL"},
		{[]float64{0, 1, 2, 3}, []float64{0, nan, 2, 3}, 0, "MML"},
		{[]float64{0, nan, 2, 3}, []float64{0, 1, 2, 3}, 0, "MML"},
		{[]float64{0, 1, 3, 4}, []float64{0, 1, 2, 3}, 1.5, "MLML"},
		{[]float64{0, 1, 2, 4}, []float64{nan, nan, 2, 3}, 2, "ML"},
		{[]float64{0, 1}, []float64{nan, nan}, 0, ""},
	} {
		p := newPlot("", 200, 100, axis{low: 0, high: 4}, axis{low: 0, high: 4})
		p.b.Reset()
		p.curve("sim", c.x, c.y, c.gap)
		_, d, _ := strings.Cut(p.b.String(), ` d="`)
		got := strings.Map(func(r rune) rune {
			if r == 'M' || r == 'L' {
				return r
			}
			return -1
		}, d)
		if got != c.want || strings.Contains(d, "NaN") {
			t.Errorf("y = %g over x = %g: %s, want the commands %s", c.y, c.x, d, c.want)
		}
	}
}

// The error along the robot is drawn from the base on the left, with no error at the
// bottom; without arc lengths, over the percentage of the length.
func TestErrorAlongTheRobot(t *testing.T) {
	const left, right, bottom = 62, half - 14, tall - 40
	for _, c := range []struct {
		arc   float64 // m, of the middle
		label string
		last  string // tick
	}{{0.1, "arc length from the base, mm", ">200<"}, {math.NaN(), "arc length from the base, % of length", ">100<"}} {
		shape := []hil.ShapeError{{}, {Fraction: 0.5, ArcM: c.arc, Mean: 1e-3, Max: 2e-3}, {Fraction: 1, ArcM: 2 * c.arc, Mean: 2e-3, Max: 4e-3}}
		shape[0].ArcM = 0 * c.arc
		text := string(alongRobot(&hil.Comparison{Shape: shape}, tracks{unit: Unit{"mm", 1e3}}))
		var curves []string
		for rest := text; ; {
			_, after, found := strings.Cut(rest, `<path class="curve `)
			if !found {
				break
			}
			curve, _, _ := strings.Cut(after, `"/>`)
			curves, rest = append(curves, curve), after
		}
		if len(curves) != 2 || !strings.Contains(text, c.label) || !strings.Contains(text, ">0<") || !strings.Contains(text, c.last) || !strings.Contains(text, "position error, mm") {
			t.Fatalf("%d curves in %s", len(curves), text)
		}
		for i, class := range []string{"recorded", "error"} {
			begin := fmt.Sprintf(`%s" d="M%d %d`, class, left, bottom)
			if !strings.HasPrefix(curves[i], begin) || !strings.Contains(curves[i], fmt.Sprintf("L%d ", right)) {
				t.Errorf("curve %d: %s, want it from %s to x = %d", i, curves[i], begin, right)
			}
		}
		heights := func(curve string) (y []float64) {
			for _, point := range strings.FieldsFunc(curve[strings.IndexByte(curve, 'M'):], func(r rune) bool { return r == 'M' || r == 'L' }) {
				var x, v float64
				if _, err := fmt.Sscan(point, &x, &v); err != nil {
					t.Fatal(err)
				}
				y = append(y, bottom-v)
			}
			return y
		}
		most, mean := heights(curves[0]), heights(curves[1])
		for i, want := range []float64{0, 0.5, 1} {
			if math.Abs(most[i]-want*most[2]) > 0.2 || math.Abs(mean[i]-want*mean[2]) > 0.2 || math.Abs(most[i]-2*mean[i]) > 0.2 || !(most[2] > 100) {
				t.Errorf("heights %g and %g pixels, want them to grow evenly, the largest twice the mean", most, mean)
				break
			}
		}
	}
	if text := alongRobot(new(hil.Comparison), tracks{}); text != "" {
		t.Errorf("without shapes: %s", text)
	}
}
