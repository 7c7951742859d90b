package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"sinew/pkg/sim/spatial"
)

const dir = "launch/examples/hil"

// What the measurement adds to the stand-in for the hardware.
const (
	delay    = 0.037             // s
	noise    = 5e-4              // m, standard deviation of each coordinate
	swing    = 5e-3              // rad, standard deviation of the rotation about each axis
	tilt     = 5 * math.Pi / 180 // rad, of the camera's frame
	simHz    = 100.0
	cameraHz = 120.0
)

// camera is the frame of the measurement: coordinates there are camera · world.
var camera = spatial.Pose{
	R: spatial.ExpRot(spatial.Vec{X: 2, Y: -1, Z: 2}.Unit().Scale(tilt)),
	P: spatial.Vec{X: 0.012, Y: -0.008, Z: 0.02},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "examples:", err)
		os.Exit(1)
	}
}

func run() error {
	robot, overlay := filepath.Join(dir, "robot.yaml"), filepath.Join(dir, "hardware.yaml")
	simulation, err := simulate(stamps(0, simHz), robot)
	if err != nil {
		return err
	}
	// the camera is not triggered by the controller
	const phase = 0.1037 // s
	truth, err := simulate(stamps(phase-delay, cameraHz), robot, overlay)
	if err != nil {
		return err
	}
	hardware := measure(truth)
	if err := writeCSV(filepath.Join(dir, "simulation.csv"), simulation, true); err != nil {
		return err
	}
	if err := writeCSV(filepath.Join(dir, "hardware.csv"), hardware, false); err != nil {
		return err
	}
	return writeMCAP(filepath.Join(dir, "bench.mcap"), robot, simulation, hardware)
}

// stamps are even, from start to the end.
func stamps(start, hz float64) []float64 {
	var t []float64
	for k := 0; ; k++ {
		at := start + float64(k)/hz
		if at > duration {
			return t
		}
		t = append(t, at)
	}
}

// measure returns what the camera says of truth.
func measure(truth []state) []state {
	r := rand.New(rand.NewPCG(20, 11))
	random := func(sigma float64) spatial.Vec {
		return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(sigma)
	}
	out := make([]state, 0, len(truth))
	for _, s := range truth {
		s.t += delay
		s.tip = camera.Mul(s.tip)
		s.tip.P = s.tip.P.Add(random(noise))
		s.tip.R = s.tip.R.Mul(spatial.ExpRot(random(swing)))
		nodes := make([]spatial.Pose, len(s.backbone))
		for i, p := range s.backbone {
			nodes[i] = camera.Mul(p)
			nodes[i].P = nodes[i].P.Add(random(noise))
		}
		s.backbone = nodes
		out = append(out, s)
	}
	return out
}
