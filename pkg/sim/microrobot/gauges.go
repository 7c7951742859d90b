package microrobot

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// warnReynolds is the Reynolds number above which flow without inertia is no longer a
// good picture of the fluid.
const warnReynolds = 0.3

func (m *Model) listGauges() {
	m.gauges = []sim.Gauge{
		{Key: "lag_angle", Unit: "rad"},              // between the moment and the field
		{Key: "step_out", Warn: 0.5},                 // 1: the moment lags by more than a quarter turn
		{Key: "alignment_time", Unit: "s"},           // τ of the last step, of a swing √(J/mB); 0: nothing aligns the body
		{Key: "substeps"},                            // of the last step
		{Key: "follows_field", Warn: 0.5},            // 1: τ is far below the step, the moment stays on the field
		{Key: "reynolds_number", Warn: warnReynolds}, // of the larger of translation and rotation
		{Key: "field_strength", Unit: "T"},
		{Key: "drawing_scale"}, // of markers over what they show
	}
	if m.inertia != nil {
		m.gauges = append(m.gauges, m.inertia.gauges()...)
	}
	if m.robot.walls != nil {
		m.gauges = append(m.gauges, sim.Gauge{Key: "wall_gap", Unit: "m"})
	}
	if m.robot.coils != nil {
		m.gauges = append(m.gauges, sim.Gauge{Key: "outside_workspace", Warn: 0.5}) // 1: the calibration is extrapolated
	}
}

// Gauges is that of sim.Model.
func (m *Model) Gauges() []sim.Gauge { return m.gauges }

// Measure is that of sim.Model.
func (m *Model) Measure(dst []float64) {
	m.prepare()
	r := m.robot
	b, _ := m.dyn.fieldAt(0, m.x.P)
	lag := m.lag(b)
	dst[0], dst[1] = lag, flag(lag > math.Pi/2)
	dst[2], dst[3], dst[4] = m.last.Time, m.last.Substeps, flag(m.last.Follow)
	dst[5] = m.reynolds()
	dst[6] = b.Norm()
	dst[7] = r.drawing
	dst = dst[8:]
	if m.inertia != nil {
		dst = dst[m.inertia.measure(dst, m.x):]
	}
	if r.walls != nil {
		rot := m.x.Q.Rot()
		extent := r.extent(&rot)
		dst[0] = r.walls.Gap(m.x.P, &extent)
		dst = dst[1:]
	}
	if r.coils != nil {
		dst[0] = flag(!r.coils.Inside(m.x.P))
	}
}

// reynolds is the Reynolds number of the larger of translation and rotation; 0 without
// drag.
func (m *Model) reynolds() float64 {
	r := m.robot
	if r.body.Viscosity == 0 {
		return 0
	}
	v, w := m.motion()
	return r.file.Fluid.Density * r.size * math.Max(v.Norm(), r.size*w.Norm()) / r.body.Viscosity
}

// lag is the angle between the field b (T, world axes) and what it turns toward
// itself, 0 where there is neither.
func (m *Model) lag(b spatial.Vec) float64 {
	body := m.x.Q.Rot().ApplyT(b)
	if m.robot.magnet.Stiffness(1) == 0 || b == (spatial.Vec{}) {
		return 0
	}
	axis := m.robot.easyAxis(body)
	return math.Atan2(axis.Cross(body).Norm(), axis.Dot(body))
}

func flag(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
