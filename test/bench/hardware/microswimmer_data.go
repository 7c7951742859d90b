package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sinew/pkg/sim/spatial"
)

// swimmerWindow is how long the flow is taken for constant, s.
const swimmerWindow = 2.0

// swimmerTrial is a recording of bodies in one fluid.
type swimmerTrial struct {
	name   string
	t      []float64 // s
	bodies []swimmerBody
}

// swimmerBody is what a camera followed: swimmers, magnetic beads, and plain ones, the tracers of
// the flow.
type swimmerBody struct {
	name  string
	at    []spatial.Vec // m, of each row; NaN where it was not seen
	plain bool
}

// readSwimmers reads a recording: t_s, and columns <body>_x_um and <body>_y_um.
func readSwimmers(file string) (*swimmerTrial, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	records, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(records) < 2 || records[0][0] != "t_s" {
		return nil, fmt.Errorf("%s: want t_s as the first column, and rows below", file)
	}
	tr := &swimmerTrial{name: strings.TrimSuffix(filepath.Base(file), ".csv")}
	columns := map[int]int{} // of x, and which body it is of
	for k, name := range records[0] {
		if body, isX := strings.CutSuffix(name, "_x_um"); isX {
			if k+1 == len(records[0]) || records[0][k+1] != body+"_y_um" {
				return nil, fmt.Errorf("%s: no column %s_y_um behind %s", file, body, name)
			}
			columns[k] = len(tr.bodies)
			tr.bodies = append(tr.bodies, swimmerBody{name: body, plain: strings.HasPrefix(body, "fiducial")})
		}
	}
	for i, r := range records[1:] {
		number := func(k int) float64 {
			x, wrong := strconv.ParseFloat(r[k], 64)
			if wrong != nil && (r[k] != "" || k == 0) {
				err = fmt.Errorf("%s:%d: %s: %q is not a number", file, i+2, records[0][k], r[k])
			}
			if r[k] == "" {
				return math.NaN()
			}
			return x
		}
		tr.t = append(tr.t, number(0))
		for k, body := range columns {
			b := &tr.bodies[body]
			b.at = append(b.at, spatial.Vec{X: 1e-6 * number(k), Y: 1e-6 * number(k+1)})
			if b.plain && !b.at[i].IsFinite() {
				err = fmt.Errorf("%s:%d: %s, by which the flow is measured, was not seen", file, i+2, b.name)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return tr, nil
}

// line is the straight motion that is nearest to a body from one time to another: where it is at
// the time origin, and its velocity. Unless it was seen ten times ok is false.
func (tr *swimmerTrial) line(b *swimmerBody, from, to, origin float64) (at, velocity spatial.Vec, ok bool) {
	var n, st, stt float64
	var sp, stp spatial.Vec
	for i, t := range tr.t {
		if t < from || t >= to || !b.at[i].IsFinite() {
			continue
		}
		t -= origin
		n, st, stt = n+1, st+t, stt+t*t
		sp, stp = sp.Add(b.at[i]), stp.AddScaled(t, b.at[i])
	}
	if n < 10 {
		return at, velocity, false
	}
	velocity = stp.AddScaled(-st/n, sp).Scale(1 / (stt - st*st/n))
	return sp.AddScaled(-st, velocity).Scale(1 / n), velocity, true
}

// swimmerFlow is a flow that is affine in position: u = u(0) + G p, with one G for the whole recording
// and a velocity at the origin in each window.
type swimmerFlow struct {
	gradient [2][2]float64 // 1/s
	origin   []spatial.Vec // m/s
}

// flow is what all tracers but one of a name move with.
func (tr *swimmerTrial) flow(without string) (*swimmerFlow, error) {
	var atAtX, atAtY, atAtXY float64 // about the means of their windows, which the origin's velocity takes up
	var velAtX, velAtY spatial.Vec
	var places, velocities []spatial.Vec
	tracers := 0
	for from := 0.0; from < tr.t[len(tr.t)-1]; from += swimmerWindow {
		var p, v []spatial.Vec
		var meanP, meanV spatial.Vec
		for k := range tr.bodies {
			b := &tr.bodies[k]
			if !b.plain || b.name == without {
				continue
			}
			at, velocity, ok := tr.line(b, from, from+swimmerWindow, from+swimmerWindow/2)
			if !ok {
				break // the recording ends
			}
			p, v = append(p, at), append(v, velocity)
			meanP, meanV = meanP.Add(at), meanV.Add(velocity)
		}
		if len(p) == 0 {
			break
		}
		tracers = len(p)
		meanP, meanV = meanP.Scale(1/float64(len(p))), meanV.Scale(1/float64(len(p)))
		places, velocities = append(places, meanP), append(velocities, meanV)
		for k := range p {
			d, w := p[k].Sub(meanP), v[k].Sub(meanV)
			atAtX, atAtY, atAtXY = atAtX+d.X*d.X, atAtY+d.Y*d.Y, atAtXY+d.X*d.Y
			velAtX, velAtY = velAtX.AddScaled(d.X, w), velAtY.AddScaled(d.Y, w)
		}
	}
	det := atAtX*atAtY - atAtXY*atAtXY
	if tracers < 3 || !(det > 1e-6*atAtX*atAtY) {
		return nil, fmt.Errorf("%s: three tracers that are not on a line are needed to measure the flow", tr.name)
	}
	alongX := velAtX.Scale(atAtY/det).AddScaled(-atAtXY/det, velAtY)
	alongY := velAtY.Scale(atAtX/det).AddScaled(-atAtXY/det, velAtX)
	f := &swimmerFlow{gradient: [2][2]float64{{alongX.X, alongY.X}, {alongX.Y, alongY.Y}}}
	for k := range places {
		f.origin = append(f.origin, velocities[k].AddScaled(-places[k].X, alongX).AddScaled(-places[k].Y, alongY))
	}
	return f, nil
}

// at is the velocity at the origin at a time; that of the last window holds to the end.
func (f *swimmerFlow) at(t float64) spatial.Vec {
	return f.origin[min(int(t/swimmerWindow), len(f.origin)-1)]
}

// write writes a folder with a body's motion in a span of time, and a robot file of where it
// begins and of how the flow changes from place to place.
func (tr *swimmerTrial) write(dir string, b *swimmerBody, f *swimmerFlow, s swimmerSpan) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	start, err := tr.start(b, s.from)
	if err != nil {
		return err
	}
	var rows [][]float64
	for _, i := range tr.rows(b, s) {
		u := f.at(tr.t[i])
		rows = append(rows, []float64{tr.t[i], u.X, u.Y, b.at[i].X, b.at[i].Y, 0})
	}
	if err := writeCSV(filepath.Join(dir, "motion.csv"), []string{"t", "ambient_flow_vx", "ambient_flow_vy", "x", "y", "z"}, rows); err != nil {
		return err
	}
	g := f.gradient
	place := fmt.Sprintf("body: {position_m: [%g, %g, 0]}\nfluid: {flow: {gradient_per_s: [%g, %g, 0, %g, %g, 0, 0, 0, %g]}}\n",
		start.X, start.Y, g[0][0], g[0][1], g[1][0], g[1][1], -g[0][0]-g[1][1]) // the fluid keeps its volume
	return os.WriteFile(filepath.Join(dir, "place.yaml"), []byte(place), 0o644)
}

// rows are those in which a body was seen in a span.
func (tr *swimmerTrial) rows(b *swimmerBody, s swimmerSpan) (list []int) {
	for i, t := range tr.t {
		if t >= s.from && t < s.to && b.at[i].IsFinite() {
			list = append(list, i)
		}
	}
	return list
}

// start is where a body begins a span, m: where its last second leads, at the start of the
// recording where its first one comes from.
func (tr *swimmerTrial) start(b *swimmerBody, from float64) (spatial.Vec, error) {
	at, _, ok := tr.line(b, from-1, from, from)
	if !ok {
		at, _, ok = tr.line(b, from, from+1, from)
	}
	if !ok {
		return at, fmt.Errorf("%s: %s was not seen about %g s", tr.name, b.name, from)
	}
	return at, nil
}

// carried is where a body would be in the rows of a span if it moved as the other tracers do on the average.
func (tr *swimmerTrial) carried(b *swimmerBody, s swimmerSpan) ([]spatial.Vec, error) {
	start, err := tr.start(b, s.from)
	if err != nil {
		return nil, err
	}
	var before spatial.Vec // sums over tracers
	var tracers []*swimmerBody
	for k := range tr.bodies {
		if other := &tr.bodies[k]; other.plain && other != b {
			at, err := tr.start(other, s.from)
			if err != nil {
				return nil, err
			}
			before, tracers = before.Add(at), append(tracers, other)
		}
	}
	var list []spatial.Vec
	for _, i := range tr.rows(b, s) {
		way := before.Neg()
		for _, other := range tracers {
			way = way.Add(other.at[i])
		}
		list = append(list, start.AddScaled(1/float64(len(tracers)), way))
	}
	return list, nil
}
