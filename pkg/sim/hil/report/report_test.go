package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// hostile is a name that would be markup if it were not escaped.
const hostile = `<script>alert("1")</script>`

func at(t float64) spatial.Pose {
	return spatial.Pose{
		R: spatial.ExpRot(spatial.Vec{Y: 0.3 * math.Sin(2*t)}),
		P: spatial.Vec{X: 0.2, Y: 0.04 * math.Sin(3*t), Z: 0.03 * math.Cos(2*t)},
	}
}

// document is a comparison with everything in it.
func document(t *testing.T, o hil.Options, rotations bool) *Document {
	t.Helper()
	var sim, hw trajectory.Trajectory
	sim.Actuation.Names = []string{hostile}
	for k := range 800 {
		now := float64(k) * 0.01
		sim.Tip.Add(now, at(now))
		sim.Actuation.T = append(sim.Actuation.T, now)
		sim.Actuation.Pull = append(sim.Actuation.Pull, []float64{0.01 * math.Sin(3*now)})
		sim.Shape.T = append(sim.Shape.T, now)
		p := at(now - 0.02)
		p.P = p.P.Add(spatial.Vec{X: 0.002})
		hw.Tip.Add(now+0.003, p)
		for _, s := range []*trajectory.Shape{&sim.Shape, &hw.Shape} {
			s.Nodes = append(s.Nodes, []spatial.Vec{{}, {X: 0.1}, p.P})
		}
		hw.Shape.T = append(hw.Shape.T, now+0.003)
	}
	sim.Tip.Rotations, hw.Tip.Rotations = rotations, rotations
	o.Search.Resamples = 20 // intervals are not looked at here
	c, err := hil.Compare(&sim, &hw, o)
	if err != nil {
		t.Fatal(err)
	}
	return &Document{Title: "A " + hostile, Simulation: hostile, Hardware: "hw & co", Robot: hostile, Program: "test", Continuum: true, Comparison: c}
}

// page parses the HTML and calls visit with every element.
func elements(t *testing.T, html []byte, visit func(xml.StartElement)) (text string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var b strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("the page cannot be parsed: %v", err)
		}
		switch v := token.(type) {
		case xml.StartElement:
			visit(v.Copy())
		case xml.CharData:
			b.Write(v)
		}
	}
}

// selfContained checks that a page loads nothing and runs nothing, and returns its text and the
// number of its figures.
func selfContained(t *testing.T, html []byte) (text string, svgs int) {
	t.Helper()
	text = elements(t, html, func(e xml.StartElement) {
		name := strings.ToLower(e.Name.Local)
		if slices.Contains([]string{"script", "link", "img", "image", "iframe", "object", "embed", "video", "audio", "source", "use", "form", "a", "base", "feimage"}, name) {
			t.Errorf("the page has an element %s", name)
		}
		if name == "svg" {
			svgs++
		}
		for _, a := range e.Attr {
			key := strings.ToLower(a.Name.Local)
			if slices.Contains([]string{"src", "srcset", "href", "data", "action", "poster", "background"}, key) || strings.HasPrefix(key, "on") || strings.Contains(a.Value, "url(") || strings.Contains(a.Value, "NaN") {
				t.Errorf("%s has %s=%q", name, key, a.Value)
			}
		}
	})
	for _, w := range []string{"url(", "@import", "http:", "https:", "NaN", "Inf"} {
		if strings.Contains(text, w) {
			t.Errorf("the page has %q", w)
		}
	}
	return text, svgs
}

// The page loads nothing and runs nothing, whatever names are in the recordings.
func TestPageIsSelfContained(t *testing.T) {
	for _, o := range []hil.Options{
		{LengthM: 0.25, Align: hil.AlignSE3},
		{Latency: hil.LatencyNone, Align: hil.AlignOrigin},
		{LengthM: 0.25, AlignRotation: hil.RotationRight},
	} {
		d := document(t, o, true)
		d.MaxPercent, d.MaxMM = 2, 1e-12
		var b bytes.Buffer
		if err := d.WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		text, svgs := selfContained(t, b.Bytes())
		for _, w := range []string{hostile, "hw & co", "Exceeds the limit"} {
			if !strings.Contains(text, w) {
				t.Errorf("the page lacks %q", w)
			}
		}
		if svgs < 9 {
			t.Errorf("%d figures", svgs)
		}
	}
}

func TestPageWithoutRotationsOrLength(t *testing.T) {
	d := document(t, hil.Options{Latency: hil.LatencyNone}, false)
	var b bytes.Buffer
	if err := d.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	text := elements(t, b.Bytes(), func(xml.StartElement) {})
	for _, w := range []string{"Rotation error", "Rotation RMSE", "Rucker & Webster"} {
		if strings.Contains(text, w) {
			t.Errorf("the page speaks of %q, which nobody knows", w)
		}
	}
	if !strings.Contains(text, "length is unknown") {
		t.Error("no warning of an unknown length")
	}
}

// A motion that does not move and an error of nothing have figures too.
func TestPageOfNothing(t *testing.T) {
	var s trajectory.Poses
	for k := range 4 {
		s.Add(float64(k)*0.01, spatial.Pose{R: spatial.Identity3()})
	}
	c, err := hil.Compare(&trajectory.Trajectory{Tip: s}, &trajectory.Trajectory{Tip: s}, hil.Options{LengthM: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (&Document{Comparison: c}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	elements(t, b.Bytes(), func(e xml.StartElement) {
		for _, a := range e.Attr {
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Errorf("%s has %s=%q", e.Name.Local, a.Name.Local, a.Value)
			}
		}
	})
}

func TestMetricsAreThoseOfTheComparison(t *testing.T) {
	d := document(t, hil.Options{LengthM: 0.25}, false)
	var b bytes.Buffer
	if err := d.WriteMetrics(&b); err != nil {
		t.Fatal(err)
	}
	var m map[string]map[string]any
	if err := json.Unmarshal(keepObjects(t, b.Bytes()), &m); err != nil {
		t.Fatal(err)
	}
	p := m["latency_removed"]["position"].(map[string]any)
	r := d.Comparison.Removed
	for key, want := range map[string]float64{"rmse_m": r.Position.RMSE, "p95_m": r.Position.P95, "rmse_percent_of_length": 100 * r.Position.RMSE / 0.25} {
		if got := p[key].(float64); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s = %g, want %g", key, got, want)
		}
	}
	if m["latency_removed"]["rotation"] != nil {
		t.Error("there is a rotation error without rotations")
	}
	if got := m["latency"]["estimate_s"].(float64); math.Abs(got-0.023) > 1e-4 {
		t.Errorf("latency %g s", got)
	}
}

// keepObjects drops the keys whose values are no objects.
func keepObjects(t *testing.T, data []byte) []byte {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	for k, v := range m {
		if v[0] != '{' {
			delete(m, k)
		}
	}
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNumberIsNullWhereUnknown(t *testing.T) {
	got, err := json.Marshal([]Number{1.5, Number(math.NaN()), Number(math.Inf(1))})
	if err != nil || string(got) != "[1.5,null,null]" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestSamplesAndTrajectories(t *testing.T) {
	for _, rotations := range []bool{true, false} {
		d := document(t, hil.Options{LengthM: 0.25}, rotations)
		var b bytes.Buffer
		if err := d.WriteSamples(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		r := d.Comparison.Removed
		if len(rows) != len(r.Pairs)+1 || rows[0][0] != "t_s" || rows[0][18] != "error_m" || rows[0][20] != "rotation_error_rad" {
			t.Fatalf("%d rows of %d samples under %v", len(rows), len(r.Pairs), rows[0])
		}
		if want := fmt.Sprintf("%.17g", r.Error[4].Norm()); rows[5][18] != want {
			t.Errorf("error_m = %s, want %s", rows[5][18], want)
		}
		if (rows[5][20] == "") == rotations || (rows[5][4] == "") == rotations {
			t.Errorf("rotations %t: row %v", rotations, rows[5])
		}
		b.Reset()
		if err := d.WriteTUM(&b, true); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		var v [8]float64
		for i, f := range strings.Fields(lines[4]) {
			if _, err := fmt.Sscan(f, &v[i]); err != nil {
				t.Fatal(err)
			}
		}
		if len(lines) != len(r.Pairs) || v[1] != r.Pairs[4].Hw.P.X || math.Abs(v[4]*v[4]+v[5]*v[5]+v[6]*v[6]+v[7]*v[7]-1) > 1e-12 {
			t.Errorf("%d lines, the fifth %v", len(lines), v)
		}
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
		d := document(t, hil.Options{LengthM: c.length}, true)
		d.Continuum = c.continuum
		var b bytes.Buffer
		if err := d.WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		text := elements(t, b.Bytes(), func(xml.StartElement) {})
		if got, want := strings.Contains(text, "Rucker"), c.continuum && c.length > 0; got != want {
			t.Errorf("%+v: Rucker and Webster are named: %t", c, got)
		}
		if want := "RMS position error: " + LengthUnit(d.Comparison).show(d.Comparison.Removed.Position.RMSE); !strings.Contains(text, want) || !strings.HasSuffix(want, c.unit) {
			t.Errorf("%+v: no %q", c, want)
		}
	}
}
