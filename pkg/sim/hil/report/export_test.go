package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Unexported names for the external tests.
var (
	Covering = covering
	Means    = means
	Short    = short
)

// Recordings are a simulation and a hardware that follow one tendon for 8 s, first
// by three cycles, then by a step after which the tip rings.
func Recordings() (sim, hw *trajectory.Trajectory) {
	sim, hw = new(trajectory.Trajectory), new(trajectory.Trajectory)
	sim.Actuation.Names = []string{"left"}
	pull := func(t float64) float64 {
		if t < 6 {
			return 5e-3 * (1 - math.Cos(math.Pi*t))
		}
		return 8e-3
	}
	tip := func(t, lag, damping float64) spatial.Pose {
		y := 4 * pull(t-lag)
		if u := t - lag - 6; u > 0 {
			y -= 0.032 * math.Exp(-damping*u) * math.Cos(9*u)
		}
		return spatial.Pose{
			R: spatial.ExpRot(spatial.Vec{Z: 5 * y}),
			P: spatial.Vec{X: 0.2 - 2*y*y, Y: y, Z: 2e-3 * math.Sin(1.3*t)},
		}
	}
	for k := range 201 {
		t := 0.04 * float64(k)
		sim.Tip.Add(t, tip(t, 0.02, 1.2))
		hw.Tip.Add(t+0.005, tip(t+0.005, 0.05, 1.6).Mul(spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.02}), P: spatial.Vec{X: 1e-3}}))
		sim.Actuation.T = append(sim.Actuation.T, t)
		sim.Actuation.Pull = append(sim.Actuation.Pull, []float64{pull(t)})
		sim.Actuation.Tension = append(sim.Actuation.Tension, []float64{200 * pull(t-0.04)})
		if k%20 == 0 {
			for r, p := range map[*trajectory.Trajectory]spatial.Vec{sim: sim.Tip.Pose[k].P, hw: hw.Tip.Pose[k].P} {
				r.Shape.T = append(r.Shape.T, t)
				r.Shape.Nodes = append(r.Shape.Nodes, []spatial.Vec{{}, p.Scale(0.5), p})
			}
		}
	}
	hw.Actuation = sim.Actuation
	hw.Actuation.Pull, hw.Actuation.Tension = nil, nil
	for _, t := range sim.Actuation.T {
		hw.Actuation.Pull = append(hw.Actuation.Pull, []float64{pull(t) + 1e-4*math.Sin(7*t)})
		hw.Actuation.Tension = append(hw.Actuation.Tension, []float64{200*pull(t-0.06) + 0.05})
	}
	sim.Tip.Rotations, hw.Tip.Rotations = true, true
	return sim, hw
}

// Hostile is a name that would be markup if it were not escaped.
const Hostile = `<script>alert("1")</script>`

func at(t float64) spatial.Pose {
	return spatial.Pose{
		R: spatial.ExpRot(spatial.Vec{Y: 0.3 * math.Sin(2*t)}),
		P: spatial.Vec{X: 0.2, Y: 0.04 * math.Sin(3*t), Z: 0.03 * math.Cos(2*t)},
	}
}

// DocumentInTest is a comparison with everything in it.
func DocumentInTest(t *testing.T, o hil.Options, rotations bool) *Document {
	t.Helper()
	var sim, hw trajectory.Trajectory
	sim.Actuation.Names = []string{Hostile}
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
	return &Document{Title: "A " + Hostile, Simulation: Hostile, Hardware: "hw & co", Robot: Hostile, Program: "test", Continuum: true, Comparison: c}
}

// page parses the HTML and calls visit with every element.
func Elements(t *testing.T, html []byte, visit func(xml.StartElement)) (text string) {
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
