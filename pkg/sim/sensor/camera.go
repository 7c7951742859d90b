package sensor

import (
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// camera looks at points.
type camera struct {
	optics sim.Camera
	at     func() spatial.Pose // its axes: x to the right in the image, y downward, z forward
	body   string              // that carries it, if any
	points []imagePoint
	solids []Solid // what is opaque
}

// imagePoint is a point that a camera sees, and the body that carries it, if any.
type imagePoint struct {
	Frame
	body string
}

// camera reads where points are in the image.
func (r *Robot) camera(f *robotfile.Sensor) reading {
	s := f.Camera
	c := &camera{
		optics: sim.Camera{
			Width: s.Width, Height: s.Height, FocalX: s.FocalX, FocalY: *s.FocalY, CenterX: *s.CenterX, CenterY: *s.CenterY, Distortion: [5]float64(s.Distortion),
		},
		at: r.mounted(&s.SensorPlace), body: s.Body,
	}
	for _, o := range r.Solids {
		if !slices.Contains(s.Transparent, o.Name) {
			c.solids = append(c.solids, o)
		}
	}
	o := reading{quantity: quantity{
		frame:       c.at,
		port:        sim.Port{Kind: sim.ImagePoints, Unit: "px", Frames: []string{robotfile.SensorTopic(f.Name)}, Camera: &c.optics},
		read:        c.look,
		postprocess: c.clearUnseen,
	}}
	for k := range s.Markers {
		m := &s.Markers[k]
		c.points = append(c.points, imagePoint{r.place(&m.Place), m.Body})
		o.port.Labels = append(o.port.Labels, m.Name)
		o.signals = append(o.signals, signal{sim.ImagePointWidth * k, 2, false, &s.Error})
	}
	if s.Exposure > 0 {
		newShutter(f, c).install(&o.quantity)
	}
	return o
}

// clearUnseen sets points to 0 that are not seen, or that errors move out of the image, where nothing is found.
func (c *camera) clearUnseen(values []float64) {
	for ; len(values) > 0; values = values[sim.ImagePointWidth:] {
		if p := values[:sim.ImagePointWidth]; p[2] == 0 || !c.optics.Shows(p[0], p[1]) {
			clear(p)
		}
	}
}

// look writes where the points are now.
func (c *camera) look(dst []float64) {
	at := c.at()
	for i := range c.points {
		v := dst[sim.ImagePointWidth*i:][:sim.ImagePointWidth]
		clear(v)
		p := c.points[i].Pose().P
		if x, y, ok := c.optics.Project(at.R.ApplyT(p.Sub(at.P))); ok && !c.isHidden(at.P, p, c.points[i].body) {
			v[0], v[1], v[2] = x, y, 1
		}
	}
}

// isHidden reports whether a solid is between the camera and a point of a body. A body does not hide what is within its own shape: as
// the middle of the body, a marker is seen where the body is.
func (c *camera) isHidden(from, to spatial.Vec, body string) bool {
	for i := range c.solids {
		s := &c.solids[i]
		a, b := from, to
		if s.Pose != nil {
			g := s.Pose()
			a, b = g.R.ApplyT(from.Sub(g.P)), g.R.ApplyT(to.Sub(g.P))
		}
		switch {
		case s.Body != "" && s.Body == c.body && s.Shape.Contains(a), s.Body != "" && s.Body == body && s.Shape.Contains(b):
		case s.Shape.Hides(a, b):
			return true
		}
	}
	return false
}

// shutter makes means over exposures, of which each ends with a measurement.
type shutter struct {
	*camera
	rate, phase, exposure float64 // Hz, s, s

	number float64   // of the measurement that comes next
	open   float64   // for how long the shutter has been open for it, s
	last   []float64 // what the camera saw at the end of the last step
	sum    []float64 // of each point: the integrals of u and v while it was in sight (px s), and for how long it was (s)
	now    []float64 // scratch
}

func newShutter(f *robotfile.Sensor, c *camera) *shutter {
	n := sim.ImagePointWidth * len(c.points)
	return &shutter{
		camera: c, rate: f.Rate, phase: f.Phase, exposure: f.Camera.Exposure,
		last: make([]float64, n), sum: make([]float64, n), now: make([]float64, n),
	}
}

// install makes the quantity the mean over exposures.
func (s *shutter) install(q *quantity) {
	q.read, q.settle, q.follow = s.mean, s.begin, s.follow
	q.stateLen = 2 + len(s.last) + len(s.sum)
	q.save = func(dst []float64) {
		dst[0], dst[1] = s.number, s.open
		copy(dst[2+copy(dst[2:], s.last):], s.sum)
	}
	q.restore = func(src []float64) {
		s.number, s.open = src[0], src[1]
		copy(s.sum, src[2+copy(s.last, src[2:]):])
	}
}

func (s *shutter) begin() {
	s.number, s.open = 0, 0
	clear(s.sum)
	s.look(s.last)
}

// follow adds the part of a step of dt seconds, which ends at time t, in which the shutter is open. In between, points move straight.
func (s *shutter) follow(t, dt float64) {
	s.look(s.now)
	number := math.Floor((t-dt+roundoff-s.phase)*s.rate) + 1
	if number != s.number {
		s.number, s.open = number, 0
		clear(s.sum)
	}
	from := math.Max(t-dt, s.phase+number/s.rate-s.exposure)
	if h := t - from; h > roundoff {
		s.open += h
		share := h / dt
		for k := 0; k < len(s.now); k += sim.ImagePointWidth {
			a, b, sum := s.last[k:], s.now[k:], s.sum[k:]
			switch {
			case a[2] > 0 && b[2] > 0:
				sum[0] += h * (b[0] - 0.5*share*(b[0]-a[0]))
				sum[1] += h * (b[1] - 0.5*share*(b[1]-a[1]))
				sum[2] += h
			case a[2] > 0 || b[2] > 0: // for half of the time, where it was seen
				if a[2] > 0 {
					b = a
				}
				sum[0] += 0.5 * h * b[0]
				sum[1] += 0.5 * h * b[1]
				sum[2] += 0.5 * h
			}
		}
	}
	copy(s.last, s.now)
}

// mean writes where the points were on average; without an exposure, where they are.
func (s *shutter) mean(dst []float64) {
	if s.open == 0 {
		copy(dst, s.last)
		return
	}
	for k := 0; k < len(s.sum); k += sim.ImagePointWidth {
		v, sum := dst[k:][:sim.ImagePointWidth], s.sum[k:]
		clear(v)
		if sum[2] > 0 && sum[2] >= 0.5*s.open {
			v[0], v[1], v[2] = sum[0]/sum[2], sum[1]/sum[2], 1
		}
	}
}
