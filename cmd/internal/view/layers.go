package view

import (
	"errors"
	"path"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil"
)

// Layer is one of the overlaid layers of a page: a file, or topics in memory.
type Layer struct {
	File   string  // file name; for Memory only a label
	Number int     // of the robot that is shown, in a CSV of several
	Memory *Memory // in place of the file
	Shown  string  // topic of the pose of the robot; empty: the usual one
	// Below marks a layer without a robot. Its topics are in the namespace of the node of the first
	// layer and replace topics of the first layer with the same names.
	Below bool
}

// Robot is how robots without a robot file of their own are drawn.
type Robot struct {
	Instance *program.Instance // nil: unknown
	Name     string            // for people
}

// Show shows layers, later ones over earlier ones, until a signal or the end of the duration.
func Show(e *cli.Env, page Page, robot Robot, layers ...Layer) (err error) {
	recordings, err := stack(e, robot, layers)
	defer func() {
		for _, r := range recordings {
			err = errors.Join(err, r.Close())
		}
	}()
	if err != nil {
		return err
	}
	return serve(e, recordings, page)
}

// stack opens layers. After an error the caller closes those that it returns.
func stack(e *cli.Env, robot Robot, layers []Layer) (recordings []*recording, err error) {
	for i, l := range layers {
		if l.Below {
			recordings = append(recordings, below(recordings[0], l.Memory))
			continue
		}
		r, err := l.open(e)
		if err != nil {
			return recordings, err
		}
		r.overlay = i > 0
		if recordings = append(recordings, r); robot.Instance != nil {
			r.useSketch(robot.Instance, robot.Name)
		}
	}
	return recordings, nil
}

// open opens a layer with a robot.
func (l *Layer) open(e *cli.Env) (*recording, error) {
	if l.Memory == nil {
		r, _, err := openFile(e, l.File, l.Number)
		if err == nil && l.Shown != "" {
			r.choose(l.Shown)
		}
		return r, err
	}
	r := &recording{messageSource: l.Memory, file: l.File}
	return r, r.describe(e)
}

// below moves topics to the namespace of the node of a recording, whose own topics of these names
// are not shown.
func below(first *recording, m *Memory) *recording {
	for i := range m.channels {
		name := &m.channels[i].topic.Name
		*name = path.Join(first.node, *name)
		first.without = append(first.without, *name)
	}
	r := &recording{messageSource: m, node: first.node, scale: 1, free: true}
	r.resetDrawing()
	return r
}

// Clock returns the time since 1970 for the time t of a motion, s.
type Clock func(t float64) time.Duration

func (c Clock) of(seconds []float64) []time.Duration {
	times := make([]time.Duration, len(seconds))
	for k, t := range seconds {
		times[k] = c(t)
	}
	return times
}

// Errors returns the topic of the errors of a comparison, as the live comparison publishes it. Its
// means are those of the whole comparison.
func Errors(r *hil.Result, clock Clock) *Memory {
	times := make([]time.Duration, len(r.Pairs))
	for k := range times {
		times[k] = clock(r.Pairs[k].T)
	}
	m := new(Memory)
	m.Add("hil_error", sinew_msgs.HilErrorType, times, func(k int) msgs.Message {
		norm := r.Error[k].Norm()
		h := &sinew_msgs.HilError{
			Header: headerAt(times[k], sim.World), PositionError: geometry_msgs.Vector3(r.Error[k]), PositionErrorNorm: norm,
			PercentOfLength: r.Percent(norm), Latency: r.LatencyS, Rmse: r.Position.RMSE, Max: r.Position.Max, Samples: uint32(len(r.Pairs)),
		}
		if r.Rotations {
			h.RotationError = r.Rotation[k]
		}
		return h
	})
	return m
}
