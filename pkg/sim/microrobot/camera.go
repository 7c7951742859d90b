package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// camera is what measures the pose: frames at a rate, with noise and pixels, that
// arrive after a while. The frames under way are part of the state.
type camera struct {
	file  *robotfile.Camera
	seed  uint64
	taken float64 // frames so far, a whole number
	shown integrate.Placement
	way   []frame // the first waiting are under way, the oldest first
	count int
	noise stokes.Noise // scratch
}

// frame is a measured pose and when it is known.
type frame struct {
	x  integrate.Placement
	at float64 // s
}

// newCamera returns the camera of the robot with a first frame at x, nil if it has none.
func (r *Robot) newCamera(x integrate.Placement) *camera {
	f := r.file.Camera
	if f == nil {
		return nil
	}
	c := &camera{
		file: f, seed: scramble(scramble(uint64(r.file.Seed)) ^ 0x63616d657261), // "camera"
		// a frame more than fit into the latency, and one being taken
		way: make([]frame, int(math.Ceil(f.Latency*f.Rate))+2),
	}
	c.shown = c.measure(x)
	c.taken = 1
	return c
}

// watch takes a frame if one is due at time t (s), with the robot at x, and shows the
// newest that has arrived.
func (c *camera) watch(t float64, x integrate.Placement) {
	const early = 1e-9 // s, of a sum of steps
	if t+early >= c.taken/c.file.Rate {
		if c.count == len(c.way) { // the latency is shorter than a step
			c.drop()
		}
		c.way[c.count] = frame{x: c.measure(x), at: t + c.file.Latency}
		c.count++
		c.taken = math.Floor((t+early)*c.file.Rate) + 1
	}
	for c.count > 0 && c.way[0].at <= t+early {
		c.shown = c.way[0].x
		c.drop()
	}
}

// drop removes the oldest frame under way.
func (c *camera) drop() {
	copy(c.way, c.way[1:c.count])
	c.count--
}

// measure is the pose x as the next frame shows it.
func (c *camera) measure(x integrate.Placement) integrate.Placement {
	word := scramble(c.seed ^ uint64(c.taken))
	noise := &c.noise
	*noise = stokes.NewNoise(word, scramble(word))
	if s := c.file.PositionNoise; s > 0 {
		x.P = x.P.AddScaled(s, noise.Vec())
	}
	if s := c.file.AngleNoise; s > 0 {
		x.Q = x.Q.Mul(spatial.ExpQuat(noise.Vec().Scale(s)))
	}
	if p := c.file.Pixel; p > 0 {
		x.P = spatial.Vec{X: p * math.Round(x.P.X/p), Y: p * math.Round(x.P.Y/p), Z: p * math.Round(x.P.Z/p)}
	}
	return x
}

// frameLen is the number of values of a frame in a saved state.
const frameLen = placementLen + 1

// stateLen is the number of values that put writes.
func (c *camera) stateLen() int {
	if c == nil {
		return 0
	}
	return 2 + placementLen + frameLen*len(c.way)
}

func (c *camera) put(dst []float64) {
	dst[0], dst[1] = c.taken, float64(c.count)
	putPlacement(dst[2:], &c.shown)
	dst = dst[2+placementLen:]
	for i := range c.way {
		putPlacement(dst[frameLen*i:], &c.way[i].x)
		dst[frameLen*i+placementLen] = c.way[i].at
	}
}

func (c *camera) take(src []float64) {
	c.taken, c.count = src[0], min(max(int(src[1]), 0), len(c.way))
	c.shown = takePlacement(src[2:])
	src = src[2+placementLen:]
	for i := range c.way {
		c.way[i] = frame{x: takePlacement(src[frameLen*i:]), at: src[frameLen*i+placementLen]}
	}
}
