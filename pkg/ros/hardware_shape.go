package ros

import (
	"fmt"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// mostShapePoints bounds the points of a measured shape.
const mostShapePoints = 2000

// ghostColor is the colour of the measured shape, transparent so that the simulated one is visible.
var ghostColor = sim.Color{R: hardwareColor.R, G: hardwareColor.G, B: hardwareColor.B, A: 0.45}

// openShape subscribes to the points that are measured along the hardware, base to tip.
func (h *hardware) openShape(e *endpoints) error {
	name := "hardware/" + h.Shape
	in := newInputPort(-1, &sim.Port{Name: name, Kind: sim.PoseArray, Frames: []string{h.Frame}}, e.names)
	return e.subscribe(Topic{Name: "~" + name, Type: geometry_msgs.PoseArrayType}, func(topic string) handler {
		return func(got Received) bool {
			a := got.Message.(*geometry_msgs.PoseArray)
			if r := h.takeShape(a, in.inFrame(a.Header.FrameID)); r.status != sim.Accepted {
				h.refuse(topic, r)
			}
			return true
		}
	})
}

// takeShape makes the positions of a message the newest shape unless they, or the result frame of the check of their
// frame, are refused. Orientations are not read: they are unknown for points that a camera tracks.
func (h *hardware) takeShape(a *geometry_msgs.PoseArray, frame refusal) refusal {
	n := len(a.Poses)
	switch {
	case frame.status != sim.Accepted:
		return frame
	case n < 2 || n > mostShapePoints:
		return refusal{sim.WrongLength, fmt.Sprintf("%d poses; allowed are 2 to %d", n, mostShapePoints)}
	}
	points := make([]spatial.Vec, n)
	for i := range points {
		p := spatial.Vec(a.Poses[i].Position)
		if !p.IsFinite() {
			return refusal{sim.NotFinite, fmt.Sprintf("the position of pose %d is %g, %g, %g", i, p.X, p.Y, p.Z)}
		}
		points[i] = h.Place.Apply(p)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shape = points
	return refusal{}
}

// drawShape adds the measured shape to a scene, enlarged by k, as thick as the robot is drawn. The caller holds the lock.
func (h *hardware) drawShape(scene *sim.Scene, k float64) {
	if len(h.shape) == 0 {
		return
	}
	t := sim.Tube{Name: "hardware_shape", Points: make([]spatial.Vec, len(h.shape)), Radius: k * h.MarkM / 8, Color: ghostColor}
	if len(scene.Tubes) > 0 {
		t.Radius = scene.Tubes[0].Radius
	}
	for i, p := range h.shape {
		t.Points[i] = p.Scale(k)
	}
	scene.Tubes = append(scene.Tubes, t)
}
