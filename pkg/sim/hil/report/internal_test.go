package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
)

// Tests of what has no exported name.

// Without limits the error of the literature decides, where there is one.
func TestMainResultWithoutLimits(t *testing.T) {
	for _, c := range []struct {
		length    float64
		continuum bool
		passed    bool
	}{{0.2, true, true}, {0.01, true, false}, {0.2, false, false}, {0, true, false}} {
		sim, hw := Recordings()
		o := hil.Options{LengthM: c.length, Align: hil.AlignSE3}
		o.Search.Resamples = 10
		got, err := hil.Compare(sim, hw, o)
		if err != nil {
			t.Fatal(err)
		}
		if v := (&Document{Continuum: c.continuum, Comparison: got}).mainResult(); v.Passed != c.passed || v.Failed || v.Threshold != "" {
			t.Errorf("%+v: %+v", c, v)
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

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		n         int
		want      string
	}{{0, 10, 5, "[0 2 4 6 8 10] 0"}, {-0.31, 0.29, 6, "[-0.30000000000000004 -0.2 -0.1 0 0.1 0.2] 1"}, {223, 251, 3, "[230 240 250] 0"}} {
		values, decimals := scale{low: c.low, high: c.high, to: 1}.ticks(c.n)
		if got := fmt.Sprint(values, decimals); got != c.want {
			t.Errorf("[%g, %g]: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// What is thinned looks the same: in each column it keeps the extremes.
func TestThinningKeepsExtremes(t *testing.T) {
	p := newPlot("", 300, 200, axis{low: 0, high: 1}, axis{low: -2, high: 2})
	x, y := make([]float64, 20000), make([]float64, 20000)
	for i := range x {
		x[i] = float64(i) / 20000
		y[i] = math.Sin(40 * x[i])
	}
	y[7777], y[15555] = 2, -2
	tx, ty := p.thinned(x, y)
	if len(tx) > 5000 || slices.Max(ty) != 2 || slices.Min(ty) != -2 || tx[0] != x[0] || tx[len(tx)-1] != x[len(x)-1] || !ascending(tx) {
		t.Errorf("%d points, from %g to %g", len(tx), slices.Min(ty), slices.Max(ty))
	}
}

// Only a continuum robot of known length is measured by the literature's error, and
// small robots are shown in µm.
func TestUnitsAndReferences(t *testing.T) {
	for _, c := range []struct {
		length    float64
		continuum bool
		unit      string
	}{{0.25, true, "mm"}, {0.25, false, "mm"}, {0, true, "mm"}, {3e-4, false, "µm"}} {
		d := DocumentInTest(t, hil.Options{LengthM: c.length}, true)
		d.Continuum = c.continuum
		var b bytes.Buffer
		if err := d.WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		text := Elements(t, b.Bytes(), func(xml.StartElement) {})
		if got, want := strings.Contains(text, "Rucker"), c.continuum && c.length > 0; got != want {
			t.Errorf("%+v: Rucker and Webster are named: %t", c, got)
		}
		if want := "RMS position error: " + LengthUnit(d.Comparison).show(d.Comparison.Removed.Position.RMSE); !strings.Contains(text, want) || !strings.HasSuffix(want, c.unit) {
			t.Errorf("%+v: no %q", c, want)
		}
	}
}
