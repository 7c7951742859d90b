package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// camera measures the pose: frames at a rate, with noise and pixels, that arrive after
// the latency. The frames that have not arrived are part of the state.
type camera struct {
	file  *robotfile.Camera
	seed  uint64
	taken float64 // frames so far, a whole number
	shown integrate.Placement
	// frames holds the frames that have not arrived, the oldest first, in its first
	// pending elements.
	frames  []frame
	pending int
	noise   stokes.Noise // of the frame that is taken
}

// frame is a measured pose and when it is known.
type frame struct {
	x  integrate.Placement
	at float64 // s
}

// newCamera returns the camera of the robot file with a first frame at x, nil if it has
// none.
func newCamera(file *robotfile.Microrobot, x integrate.Placement) *camera {
	f := file.Camera
	if f == nil {
		return nil
	}
	c := &camera{
		file: f, seed: hashBits(hashBits(uint64(file.Seed)) ^ 0x63616d657261), // "camera"
		// one frame more than fit into the latency, and the one that is taken
		frames: make([]frame, int(math.Ceil(f.Latency*f.Rate))+2),
	}
	c.shown = c.measure(x)
	c.taken = 1
	return c
}

// observe takes a frame if one is due at time t (s), with the robot at x, and shows the
// newest that has arrived.
func (c *camera) observe(t float64, x integrate.Placement) {
	const early = 1e-9 // s, of a sum of steps
	if t+early >= c.taken/c.file.Rate {
		if c.pending == len(c.frames) { // the latency is shorter than a step
			c.drop()
		}
		c.frames[c.pending] = frame{x: c.measure(x), at: t + c.file.Latency}
		c.pending++
		c.taken = math.Floor((t+early)*c.file.Rate) + 1
	}
	for c.pending > 0 && c.frames[0].at <= t+early {
		c.shown = c.frames[0].x
		c.drop()
	}
}

// drop removes the oldest frame that has not arrived.
func (c *camera) drop() {
	copy(c.frames, c.frames[1:c.pending])
	c.pending--
}

// measure returns the pose x as the next frame shows it.
func (c *camera) measure(x integrate.Placement) integrate.Placement {
	word := hashBits(c.seed ^ uint64(c.taken))
	noise := &c.noise
	*noise = stokes.NewNoise(word, hashBits(word))
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

// stateLen returns the number of values that put writes.
func (c *camera) stateLen() int {
	if c == nil {
		return 0
	}
	return 2 + placementLen + frameLen*len(c.frames)
}

func (c *camera) put(dst []float64) {
	dst[0], dst[1] = c.taken, float64(c.pending)
	putPlacement(dst[2:], &c.shown)
	dst = dst[2+placementLen:]
	for i := range c.frames {
		putPlacement(dst[frameLen*i:], &c.frames[i].x)
		dst[frameLen*i+placementLen] = c.frames[i].at
	}
}

func (c *camera) take(src []float64) {
	c.taken, c.pending = src[0], min(max(int(src[1]), 0), len(c.frames))
	c.shown = takePlacement(src[2:])
	src = src[2+placementLen:]
	for i := range c.frames {
		c.frames[i] = frame{x: takePlacement(src[frameLen*i:]), at: src[frameLen*i+placementLen]}
	}
}
