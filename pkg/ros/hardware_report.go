package ros

import (
	"fmt"
	"time"

	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// hardwareTimeout is how long the hardware may be silent before diagnostics warn.
const hardwareTimeout = time.Second

// report updates the latency, logs refusals and returns the comparison as diagnostics.
func (h *hardware) report(node string, now time.Duration) diagnostic_msgs.DiagnosticStatus {
	h.estimate()
	h.refusals.flush()
	return h.status(node, now)
}

// estimate updates the latency. It takes milliseconds.
func (h *hardware) estimate() {
	h.mu.Lock()
	idle := h.heard == 0
	h.mu.Unlock()
	if !idle {
		// too little or too slow a motion gives no estimate; the error messages
		// then say so by a latency that is NaN
		_, _ = h.live.Estimate()
	}
}

// status returns the comparison as diagnostics: WARN when the hardware is silent, or its
// measurements cannot be compared.
func (h *hardware) status(node string, now time.Duration) diagnostic_msgs.DiagnosticStatus {
	counts := h.live.Counts()
	h.mu.Lock()
	defer h.mu.Unlock()
	st := status(node+": hardware", "waiting for hardware/measured_cp")
	st.HardwareID = node
	e := h.newest
	switch {
	case h.heard == 0:
	case now-h.heard > hardwareTimeout:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "nothing from the hardware for %.1f s", (now - h.heard).Seconds())
	case h.heard-now > hardwareTimeout:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "the hardware's stamps are %.1f s ahead of this clock", (h.heard - now).Seconds())
	case counts.Compared == 0:
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "nothing could be compared yet: %d of %d poses before the simulation, %d in gaps",
			counts.Early, counts.Hardware, counts.Gaps)
	case h.suspectUnit() != "":
		st.set(diagnostic_msgs.DiagnosticStatusWarn, "%s", h.suspectUnit())
	default:
		st.Message = fmt.Sprintf("rms %.3g m over %d samples, maximum %.3g m", e.RMSE, e.Samples, e.Max)
	}
	if counts.Compared > 0 {
		st.number("position_error_m", e.Norm)
		st.number("rotation_error_rad", e.Rotation)
		st.number("percent_of_length", e.Percent)
		st.number("rmse_m", e.RMSE)
		st.number("max_m", e.Max)
		st.number("latency_s", e.Latency)
		st.number("latency_removed_s", e.Removed)
	}
	st.count("compared", counts.Compared)
	st.count("in_gaps", counts.Gaps)
	st.count("before_simulation", counts.Early)
	st.count("dropped", counts.Dropped)
	st.count("backward_stamps", counts.Backward)
	st.count("refused", h.refused)
	if h.joints >= 0 {
		h.pair.report(st)
	}
	return st.DiagnosticStatus
}

// hardwareColor marks the hardware; no robot's scene has it.
var hardwareColor = sim.Color{R: 1, G: 0.45, B: 0, A: 0.9}

// draw adds the hardware to a scene: its pose with an arrow along the z axis, the error as a
// line, and its shape where that is measured.
func (h *hardware) draw(scene *sim.Scene) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := scene.Scale
	if k == 0 {
		k = 1
	}
	h.drawShape(scene, k)
	if h.heard == 0 {
		return
	}
	size := h.MarkM * k
	at := h.pose
	at.P = at.P.Scale(k)
	scene.Spheres = append(scene.Spheres, sim.Sphere{
		Name: "hardware", Pose: at, SemiAxes: spatial.Vec{X: size / 4, Y: size / 4, Z: size / 4}, Color: hardwareColor,
	})
	if hardwareTypes[h.Type].rotations {
		scene.Arrows = append(scene.Arrows, sim.Arrow{
			Name: "hardware_z", From: at.P, To: at.Apply(spatial.Vec{Z: size}), Radius: size / 16, Color: hardwareColor,
		})
	}
	if h.compared {
		scene.Polylines = append(scene.Polylines, sim.Polyline{
			Name: "hil_error", Points: []spatial.Vec{at.P, at.P.Add(h.newest.Position.Scale(k))}, Width: size / 8, Color: hardwareColor,
		})
	}
}
