package sensor

import (
	"math"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// reading makes values with errors of what a sensor looks at.
type reading struct {
	quantity
	signals []signal
}

// signal is a run of values of one unit with the same errors.
type signal struct {
	first, n   int  // values
	isRotation bool // they are a unit quaternion x, y, z, w, whose errors are a rotation vector in its own axes
	err        *robotfile.SensorError
}

// errors is the number of values with errors of their own.
func (s *signal) errors() int {
	if s.isRotation {
		return 3
	}
	return s.n
}

// drift lets the random walks of the biases go on for dt seconds.
func (o *sensor) drift(dt float64) {
	for i := range o.signals {
		s := &o.signals[i]
		if s.err.BiasWalk == 0 {
			continue
		}
		step := s.err.BiasWalk * math.Sqrt(dt)
		for k := range s.errors() {
			o.walk[s.first+k] += step * o.draw.NormFloat64()
		}
	}
}

// measure writes what the sensor reads now.
func (o *sensor) measure(dst []float64, isOutlier bool) {
	o.read(dst)
	var e [3]float64
	for i := range o.signals {
		s := &o.signals[i]
		if s.isRotation {
			for k := range e {
				e[k] = o.error(s, k, isOutlier)
			}
			q := spatial.QuatAt(dst[s.first:]).Mul(spatial.ExpQuat(spatial.Vec{X: e[0], Y: e[1], Z: e[2]}))
			q.Normalized().Put(dst[s.first:])
			continue
		}
		for k := range s.n {
			dst[s.first+k] = s.round(dst[s.first+k] + o.error(s, k, isOutlier))
		}
	}
	if o.postprocess != nil {
		o.postprocess(dst)
	}
}

// error draws the error of value k of a signal but for the rounding of readings.
func (o *sensor) error(s *signal, k int, isOutlier bool) float64 {
	e := s.err
	x := o.walk[s.first+k]
	if len(e.Bias) > 0 {
		x += e.Bias[k]
	}
	if e.Noise > 0 {
		x += e.Noise * o.draw.NormFloat64()
	}
	if isOutlier && e.Outlier > 0 {
		x += e.Outlier * o.draw.NormFloat64()
	}
	return x
}

// round is the reading of a value: a multiple of the resolution within the limits.
func (s *signal) round(x float64) float64 {
	if r := s.err.Resolution; r > 0 {
		x = r * math.Round(x/r)
	}
	return math.Max(-s.err.Limit, math.Min(s.err.Limit, x))
}

// noise is the standard deviation of the noise of each value with that of its rounding, of a quaternion half that of the rotation; nil where there
// is no noise.
func (o *sensor) noise() []float64 {
	all := make([]float64, o.width)
	has := false
	for i := range o.signals {
		s := &o.signals[i]
		noise := math.Hypot(s.err.Noise, s.err.Resolution/math.Sqrt(12))
		if s.isRotation {
			noise /= 2
		}
		for k := range s.n {
			all[s.first+k] = noise
			has = has || s.err.Noise > 0
		}
	}
	if !has {
		return nil
	}
	return all
}
