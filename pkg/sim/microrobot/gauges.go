package microrobot

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Gauges implements sim.Model.
func (m *Model) Gauges() []sim.Gauge { return m.gauges }

// Measure implements sim.Model.
func (m *Model) Measure(dst []float64) {
	m.prepare()
	r, x := m.robot, m.placement()
	b, _ := m.env.At(0, x.P)
	lag := m.lag(b)
	dst[0], dst[1] = lag, flag(m.isSteppedOut(b, lag))
	dst[2], dst[3], dst[4] = m.last.Time, m.last.Substeps, flag(m.last.Alignment == instantaneous)
	dst[5], dst[6] = m.reynolds()
	dst[7] = b.Norm()
	dst[8] = r.drawingScale
	dst[9] = m.turned / m.last.Substeps
	dst[10] = m.env.prescribedRotation(r.file.Solver.Step)
	dst = dst[len(commonGauges):]
	dst = dst[m.engine.Measure(dst):]
	if r.walls != nil {
		rot := x.Q.Rot()
		hull := r.hull(&rot)
		dst[0], dst[1] = saturated(r.walls.Gap(x.P, &hull)), saturated(m.env.flowThrough(x.P))
		dst = dst[2:]
	}
	if r.hasShapes() {
		m.measureContacts(dst)
		dst = dst[len(contactGauges):]
	}
	if m.shapes.Shapes != nil {
		dst[0] = flag(m.isShapeLimited())
		dst = dst[1:]
	}
	if len(r.file.Field.Dipoles) > 0 {
		dst[0] = flag(m.in.Field.IsLimited())
		dst = dst[1:]
	}
	if r.coils != nil {
		dst[0] = saturated(r.coils.Outside(x.P))
	}
}

// reynolds returns the Reynolds numbers of translation and rotation relative to the fluid; 0 without
// drag. Rotation counts with the strain of the flow, which the body does not follow: together they are
// how fast the body's surface moves against the fluid around it.
func (m *Model) reynolds() (translation, rotation float64) {
	r := m.robot
	if r.body.Viscosity == 0 {
		return 0, 0
	}
	v, w := m.engine.Velocity()
	turning := w.Norm()
	if m.env.flowing {
		x := m.placement()
		rot := x.Q.Rot()
		flow := m.env.ambient(0, x.P, &rot)
		v = v.Sub(flow.Velocity)
		turning = frobenius(spatial.Skew(rot.Apply(w)).Sub(flow.Gradient)) / math.Sqrt2 // |w| in fluid at rest
	}
	k := r.file.Fluid.Density * r.size / r.body.Viscosity
	return largest(k * v.Norm()), largest(k * r.size * turning)
}

// angleBetween returns the angle of the rotation from attitude a to b, rad, from 0 to π.
func angleBetween(a, b spatial.Quat) float64 {
	q := a.Conj().Mul(b)
	return 2 * math.Atan2(math.Sqrt(q.X*q.X+q.Y*q.Y+q.Z*q.Z), math.Abs(q.W))
}

// lag returns the angle between the field b (T, world axes) and what it turns toward
// itself, 0 where there is neither.
func (m *Model) lag(b spatial.Vec) float64 {
	body := m.placement().Q.Rot().ApplyT(b)
	if m.robot.magnet.Stiffness(1) == 0 || b == (spatial.Vec{}) {
		return 0
	}
	axis := m.robot.easyAxis(body)
	return math.Atan2(axis.Cross(body).Norm(), axis.Dot(body))
}

// isSteppedOut reports whether the body lags behind the field b (T, world axes) by more than the lag
// at which the magnetic torque is largest: a quarter turn for a magnet, an eighth for soft material
// below saturation. A body that falls further behind then slips.
func (m *Model) isSteppedOut(b spatial.Vec, lag float64) bool {
	if _, permanent := m.robot.magnet.IsPermanent(); permanent || lag == 0 {
		return lag > math.Pi/2
	}
	const difference = 1e-4 // rad
	body := m.placement().Q.Rot().ApplyT(b)
	n := m.robot.easyAxis(body).Cross(body).Unit()
	torque := func(more float64) float64 { // toward the field, at a lag that is so much larger
		at := spatial.ExpQuat(n.Scale(more)).Apply(body)
		return m.robot.magnet.Moment(at).Cross(at).Dot(n)
	}
	return torque(difference) < torque(-difference)
}

// saturated returns x, or the largest number of its sign if x overflows, as it does in the
// moments before a step fails; and 0 for NaN, where overflows cancel.
func saturated(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, x))
}

// saturate makes every value what saturated returns of it.
func saturate(values []float64) {
	for k, x := range values {
		values[k] = saturated(x)
	}
}

// largest returns x, or the largest number where x overflows or is NaN: a number that
// warns when it is large must not hide an overflow.
func largest(x float64) float64 {
	if math.IsNaN(x) {
		return math.MaxFloat64
	}
	return saturated(x)
}

func flag(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
