package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// heldSeries are what the process holds, and how much more of it is allowed in the last
// quarter of a run than in the one before. Frozen subscribers come and go.
var heldSeries = []struct {
	key, what, unit string
	scale, most     float64
}{
	{"memory_bytes", "memory", "MiB", 1.0 / (1 << 20), 4},
	{"open_files", "open files", "", 1, 2},
	{"goroutines", "goroutines", "", 1, 4},
}

// judge fills in what the process held and which targets were missed.
func (e *Endurance) judge() {
	miss := func(format string, args ...any) { e.Missed = append(e.Missed, fmt.Sprintf(format, args...)) }
	p := &e.Phase
	if lost, most := p.Skipped, mostLoss*float64(p.Probe.Skipped); lost > most {
		miss("%.0f periods lost: at most %.1f times the %d of the latency probe are allowed", lost, mostLoss, p.Probe.Skipped)
	}
	for _, r := range e.Refused {
		miss("a subscriber that was to be frozen got nothing %s", r)
	}
	for i, s := range e.Subscribers {
		if s.share() < leastShare {
			miss("subscriber %d, %s: %.4f %% of the messages received: at least %.1f %% are wanted", i+1, s.Network, 100*s.share(), 100*leastShare)
		}
	}
	if r := e.Recording; r.Recorded != r.Published {
		miss("the recording holds %d messages of %s, %d were published", r.Recorded, soakTopic, r.Published)
	}
	if p.Missed > 0 {
		miss("%.0f snapshots were not published", p.Missed)
	}
	for _, h := range heldSeries {
		x := held(e.seconds, h.key, h.scale)
		x.What, x.Unit, x.Most = h.what, h.unit, h.most
		e.Held = append(e.Held, x)
		if x.End-x.Middle > x.Most {
			miss("%s grew from %.1f to %.1f %s between the last two quarters: at most %g are allowed", x.What, x.Middle, x.End, x.Unit, x.Most)
		}
	}
}

// held sums a series of the process up.
func held(s []second, key string, scale float64) (h Held) {
	mean := func(s []second) (m float64) {
		for _, x := range s {
			m += scale * x.held[key] / float64(len(s))
		}
		return m
	}
	half := s[len(s)/2:]
	h.Middle, h.End = mean(half[:len(half)/2]), mean(half[len(half)/2:])
	h.Slope = slope(times(half), series(half, key, scale))
	return h
}

func (e *Endurance) writeTable(w io.Writer) error {
	p := &e.Phase
	fmt.Fprintf(w, "%s\n%.0f s at 1 kHz, %d commands, real-time priority %d (0: none), %d frozen subscribers on each network; CPU %.1f %%, others %.1f %%\n\n",
		e.Node, p.Seconds, e.Commands, e.Priority, e.Frozen, p.CPU, p.Others)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tlost periods\tlateness us p50\tp99\tp99.9\tmax\t")
	fmt.Fprintf(t, "node\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t\n", p.Skipped, e.P50, e.P99, e.P999, e.Max)
	fmt.Fprintf(t, "latency probe\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t\n\n", p.Probe.Skipped, p.Probe.P50, p.Probe.P99, p.Probe.P999, p.Probe.Max)
	fmt.Fprintln(t, "subscriber\treceived\texpected\t%\tlongest silence ms\t")
	for i, s := range e.Subscribers {
		fmt.Fprintf(t, "%d, %s\t%d\t%d\t%.4f\t%.1f\t\n", i+1, s.Network, s.Messages, s.Messages+s.Missing, 100*s.share(), s.Silence)
	}
	fmt.Fprintf(t, "recording\t%d\t%d\t%.4f\t\t\n\n", e.Recording.Recorded, e.Recording.Published, 100*float64(e.Recording.Recorded)/float64(e.Recording.Published))
	fmt.Fprintln(t, "held\tthird quarter\tlast quarter\tper minute\tallowed more\t")
	for _, h := range e.Held {
		fmt.Fprintf(t, "%s %s\t%.1f\t%.1f\t%+.3f\t%g\t\n", h.What, h.Unit, h.Middle, h.End, h.Slope, h.Most)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nrecording: %.1f MB\n", e.Recording.Megabytes)
	writeMissed(w, e.Missed)
	return nil
}

// writeMissed tells of the targets.
func writeMissed(w io.Writer, missed []string) {
	if len(missed) == 0 {
		fmt.Fprintln(w, "all targets met")
	}
	for _, m := range missed {
		fmt.Fprintln(w, "MISSED:", m)
	}
}

// draw draws what the process held and how late the loop was, over time.
func (e *Endurance) draw(path string) error {
	const width, height = 7 * vg.Inch, 7 * vg.Inch
	var rows [][]*plot.Plot
	add := func(label string, y []float64) error {
		p := plot.New()
		p.X.Label.Text, p.Y.Label.Text = "time (min)", label
		p.Y.Min = 0
		var xy plotter.XYs
		for i, at := range times(e.seconds) {
			xy = append(xy, plotter.XY{X: at.Sub(e.seconds[0].usage.at).Minutes(), Y: y[i]})
		}
		line, err := plotter.NewLine(xy)
		if err != nil {
			return err
		}
		p.Add(plotter.NewGrid(), line)
		rows = append(rows, []*plot.Plot{p})
		return nil
	}
	for _, h := range heldSeries {
		label := h.what
		if h.unit != "" {
			label += " (" + h.unit + ")"
		}
		if err := add(label, series(e.seconds, h.key, h.scale)); err != nil {
			return err
		}
	}
	late := make([]float64, len(e.seconds))
	for i, s := range e.seconds {
		late[i] = s.loop["jitter_us_p99"]
	}
	if err := add("lateness p99 (us)", late); err != nil {
		return err
	}
	var canvas interface {
		vg.CanvasWriterTo
		vg.CanvasSizer
	} = vgimg.PngCanvas{Canvas: vgimg.New(width, height)}
	if strings.EqualFold(filepath.Ext(path), ".svg") {
		canvas = vgsvg.New(width, height)
	}
	tiles := draw.Tiles{Rows: len(rows), Cols: 1, PadX: vg.Points(8), PadY: vg.Points(8), PadTop: vg.Points(8), PadRight: vg.Points(8)}
	for i, cells := range plot.Align(rows, tiles, draw.New(canvas)) {
		rows[i][0].Draw(cells[0])
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
