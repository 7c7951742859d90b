package compare

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/hil/report"
)

// writeReport writes all files of a comparison into a directory: none of them, or all.
func writeReport(files *output.Set, dir string, d *report.Document) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tum := output.Rows("", " ", 1) // times have nine decimals
	for _, f := range []struct {
		name  string
		ours  output.Recognizer
		write func(io.Writer) error
	}{
		{"report.html", output.Text("<title>"+d.Title+"</title>", "--sim: #", "--hw: #"), d.WriteHTML},
		{"metrics.json", output.Text(`"simulation": {`, `"as_recorded": {`, `"latency_removed": {`), d.WriteMetrics},
		{"samples.csv", output.Rows("t_s,sim_x_m,sim_y_m,sim_z_m,", ",", 0), d.WriteSamples},
		{"sim.tum", tum, func(w io.Writer) error { return d.WriteTUM(w, false) }},
		{"hw.tum", tum, func(w io.Writer) error { return d.WriteTUM(w, true) }},
	} {
		w, err := files.Create("--out", filepath.Join(dir, f.name), f.ours)
		if err != nil {
			return err
		}
		if err := f.write(w); err != nil {
			return err
		}
	}
	return files.Commit()
}

// summarize prints the result in a few lines.
func (c *Cmd) summarize(e *cli.Env, d *report.Document) {
	r := d.Comparison.Removed
	line := func(name, format string, args ...any) {
		fmt.Fprintf(e.Stdout, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("samples", "%d measured samples compared; %s", len(r.Pairs), d.Robot)
	if l := d.Comparison.Latency; l != nil {
		line("latency", "%.1f ms, 95 %% interval %.1f to %.1f ms, correlation %.4f", 1e3*l.Seconds, 1e3*l.Low, 1e3*l.High, l.Correlation)
	}
	line("frame", "%s", d.AlignmentText())
	unit := report.LengthUnit(d.Comparison)
	position := func(v float64) string {
		if p := r.Percent(v); !math.IsNaN(p) {
			return fmt.Sprintf("%.3f %s (%.3f %%)", unit.PerMetre*v, unit.Name, p)
		}
		return fmt.Sprintf("%.3f %s", unit.PerMetre*v, unit.Name)
	}
	if removed := removal(d.Comparison, position); removed != "" {
		line("recorded", "RMSE %s with the latency in; %s", position(d.Comparison.Recorded.Position.RMSE), removed)
	}
	line("position", "RMSE %s, median %s, 95 %% below %s, max %s", position(r.Position.RMSE), position(r.Position.Median), position(r.Position.P95), position(r.Position.Max))
	if r.Rotations {
		line("rotation", "RMSE %.3f deg, max %.3f deg", r.Angle.RMSE*180/math.Pi, r.Angle.Max*180/math.Pi)
	}
	for i := range d.Comparison.Markers {
		m := &d.Comparison.Markers[i]
		if math.IsNaN(m.Angle.RMSE) {
			line("marker", "%s: RMSE %s, max %s, %d samples", m.Name, position(m.Position.RMSE), position(m.Position.Max), m.Samples)
		} else {
			line("link", "%s: RMSE %s, %.3f deg, max %s, %.3f deg, %d samples", m.Name, position(m.Position.RMSE), m.Angle.RMSE*180/math.Pi,
				position(m.Position.Max), m.Angle.Max*180/math.Pi, m.Samples)
		}
	}
	if p := &d.Comparison.Pooled; len(d.Comparison.Markers) > 1 {
		line("markers", "all: RMSE %s, max %s", position(p.RMSE), position(p.Max))
	}
	for _, w := range d.Comparison.Warnings {
		line("warning", "%s", w)
	}
}

// removal says what removing the latency does to the error; nothing if none was found.
func removal(c *hil.Comparison, position func(float64) string) string {
	with, without := c.Recorded, c.Removed
	if c.Worse != nil {
		without = c.Worse
	}
	if with == without {
		return ""
	}
	before, after := with.Position.RMSE, without.Position.RMSE
	change := fmt.Sprintf("removing %.1f ms makes it %s (%+.1f %%)", 1e3*without.LatencyS, position(after), 100*(after/before-1))
	if c.Worse != nil {
		change += ", so it was left in"
	}
	return change
}
