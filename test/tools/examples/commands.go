package main

import "math"

// tendons is their number.
const tendons = 4

// rest is the tension (N) of all tendons while nothing is asked.
const rest = 0.5

// tensions are the commands at t (s): a step and its release, three strokes to and
// fro, a circle.
func tensions(t float64) [tendons]float64 {
	f := [tendons]float64{rest, rest, rest, rest}
	const (
		stepFrom, stepTo     = 0.5, 2.5 // s
		strokeFrom, strokeTo = 4.0, 8.8
		stroke               = 1.6 // s, one to and fro
		circleFrom           = 8.8
		turn                 = 2.3 // s
	)
	switch {
	case t >= stepFrom && t < stepTo:
		f[1] = 2.3
	case t >= strokeFrom && t < strokeTo:
		pull(&f, 0, 1.8*math.Sin(2*math.Pi*(t-strokeFrom)/stroke))
	case t >= circleFrom:
		a := 2 * math.Pi * (t - circleFrom) / turn
		grow := math.Min(1, (t-circleFrom)/0.8)
		pull(&f, 0, 1.5*grow*math.Cos(a))
		pull(&f, 1, 1.5*grow*math.Sin(a))
	}
	return f
}

// pull adds a force (N) to a tendon, or to the one opposite.
func pull(f *[tendons]float64, i int, force float64) {
	if force < 0 {
		i, force = i+tendons/2, -force
	}
	f[i] += force
}
