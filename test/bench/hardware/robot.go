package main

import (
	"gonum.org/v1/plot"

	"sinew/pkg/sim/spatial"
)

// robot is a physical robot, and how its recordings are used.
type robot struct {
	name    string // on the command line, and of its folder
	program string // tendonsim or microrobot
	data    string // folder of the recordings in -shared

	// convert reads the recordings in one folder, writes into another what identify reads, and
	// returns the names of the files that are to be predicted.
	convert func(from, to string) ([]string, error)
	// sets is what the command line sets for a file, such as a payload.
	sets map[string]string

	// fit, predict and leaveOut are what a robot does that is several bodies; nil: what bench does.
	fit      func(b *bench) error
	predict  func(b *bench) (*prediction, error)
	leaveOut func(b *bench, p *prediction) error

	table  func(p *prediction) ([]line, error)
	figure func(p *prediction) ([]*plot.Plot, error) // side by side
}

// prediction is what a robot file predicts.
type prediction struct {
	from   string // folder of the recordings
	points []point
	pulls  map[string]spatial.Vec // of microswimmer: what a body is pulled through the fluid in a span, m/s
}

// point is a point that was measured, and where it is predicted to be, m.
type point struct {
	file                string
	row                 int     // of the file, from 0
	t                   float64 // s; NaN in equilibria
	name                string  // of the marker, or tip
	leftOut             bool    // predicted by a fit without its recording
	measured, predicted spatial.Vec
}

func (p *point) error() spatial.Vec { return p.predicted.Sub(p.measured) }

// where are the points for which is holds.
func (p *prediction) where(is func(p *point) bool) (list []point) {
	for i := range p.points {
		if is(&p.points[i]) {
			list = append(list, p.points[i])
		}
	}
	return list
}

// errorsOf are predicted minus measured positions, m.
func errorsOf(points []point) []spatial.Vec {
	e := make([]spatial.Vec, len(points))
	for i := range points {
		e[i] = points[i].error()
	}
	return e
}

// lessMean takes the mean from errors: where the origins of robot and camera are may
// not be known.
func lessMean(e []spatial.Vec) []spatial.Vec {
	var mean spatial.Vec
	for _, v := range e {
		mean = mean.AddScaled(1/float64(len(e)), v)
	}
	less := make([]spatial.Vec, len(e))
	for i := range e {
		less[i] = e[i].Sub(mean)
	}
	return less
}
