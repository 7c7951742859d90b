package compare

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"sinew/cmd/internal/verb"
	"sinew/pkg/sim/hil/report"
)

// writeReport writes all files of a comparison into a directory.
func writeReport(dir string, d *report.Document) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		write func(*os.File) error
	}{
		{"report.html", func(w *os.File) error { return d.WriteHTML(w) }},
		{"metrics.json", func(w *os.File) error { return d.WriteMetrics(w) }},
		{"samples.csv", func(w *os.File) error { return d.WriteSamples(w) }},
		{"sim.tum", func(w *os.File) error { return d.WriteTUM(w, false) }},
		{"hw.tum", func(w *os.File) error { return d.WriteTUM(w, true) }},
	} {
		w, err := os.Create(filepath.Join(dir, f.name))
		if err != nil {
			return err
		}
		err = f.write(w)
		if e := w.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// summarize prints the result in a few lines.
func (c *Cmd) summarize(e *verb.Env, d *report.Document) {
	r := d.Comparison.Removed
	line := func(name, format string, args ...any) {
		fmt.Fprintf(e.Stdout, "%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("samples", "%d of the hardware compared; %s", len(r.Pairs), d.Robot)
	if l := d.Comparison.Latency; l != nil {
		line("latency", "%.1f ms, 95 %% interval %.1f to %.1f ms, correlation %.4f", 1e3*l.Seconds, 1e3*l.Low, 1e3*l.High, l.Correlation)
	}
	line("frame", "%s", d.Aligned())
	unit := report.LengthUnit(d.Comparison)
	position := func(v float64) string {
		if p := r.Percent(v); !math.IsNaN(p) {
			return fmt.Sprintf("%.3f %s (%.3f %%)", unit.PerMetre*v, unit.Name, p)
		}
		return fmt.Sprintf("%.3f %s", unit.PerMetre*v, unit.Name)
	}
	if d.Comparison.Recorded != r {
		line("recorded", "RMSE %s with the latency in", position(d.Comparison.Recorded.Position.RMSE))
	}
	line("position", "RMSE %s, median %s, 95 %% below %s, max %s", position(r.Position.RMSE), position(r.Position.Median), position(r.Position.P95), position(r.Position.Max))
	if r.Rotations {
		line("rotation", "RMSE %.3f deg, max %.3f deg", r.Angle.RMSE*180/math.Pi, r.Angle.Max*180/math.Pi)
	}
	for _, w := range d.Comparison.Warnings {
		line("warning", "%s", w)
	}
	if c.Out != "-" {
		line("report", "%s", filepath.Join(c.Out, "report.html"))
	}
}
