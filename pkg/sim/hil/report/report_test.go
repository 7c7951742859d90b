package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/hil/report"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// selfContained checks that a page loads nothing and runs nothing, and returns its text and the
// number of its figures.
func selfContained(t *testing.T, html []byte) (text string, svgs int) {
	t.Helper()
	text = report.Elements(t, html, func(e xml.StartElement) {
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
		d := report.DocumentInTest(t, o, true)
		d.MaxPercent, d.MaxMM = 2, 1e-12
		var b bytes.Buffer
		if err := d.WriteHTML(&b); err != nil {
			t.Fatal(err)
		}
		text, svgs := selfContained(t, b.Bytes())
		for _, w := range []string{report.Hostile, "hw & co", "Exceeds the limit"} {
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
	d := report.DocumentInTest(t, hil.Options{Latency: hil.LatencyNone}, false)
	var b bytes.Buffer
	if err := d.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	text := report.Elements(t, b.Bytes(), func(xml.StartElement) {})
	for _, w := range []string{"Rotation error", "Rotation RMSE", "Rucker & Webster"} {
		if strings.Contains(text, w) {
			t.Errorf("the page has %q, which is no word of it", w)
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
	if err := (&report.Document{Comparison: c}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	report.Elements(t, b.Bytes(), func(e xml.StartElement) {
		for _, a := range e.Attr {
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Errorf("%s has %s=%q", e.Name.Local, a.Name.Local, a.Value)
			}
		}
	})
}

func TestMetricsAreThoseOfTheComparison(t *testing.T) {
	d := report.DocumentInTest(t, hil.Options{LengthM: 0.25}, false)
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
	got, err := json.Marshal([]report.Number{1.5, report.Number(math.NaN()), report.Number(math.Inf(1))})
	if err != nil || string(got) != "[1.5,null,null]" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestSamplesAndTrajectories(t *testing.T) {
	for _, rotations := range []bool{true, false} {
		d := report.DocumentInTest(t, hil.Options{LengthM: 0.25}, rotations)
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
