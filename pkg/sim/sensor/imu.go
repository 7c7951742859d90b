package sensor

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// motion is the acceleration of a point by its velocities at the ends of the last three steps.
type motion struct {
	velocity     [3]spatial.Vec // world axes, m/s, the newest first
	acceleration spatial.Vec    // m/s²
	last         float64        // length of the last step, s; 0: no step yet
}

// motionLen is the number of values of a motion in a saved state.
const motionLen = 13

// add adds the velocity after a step of dt seconds. The acceleration is the backward difference of second order of BDF2, by which
// methods with inertia step, and of first order in the first step.
func (m *motion) add(v spatial.Vec, dt float64) {
	m.velocity[2], m.velocity[1], m.velocity[0] = m.velocity[1], m.velocity[0], v
	if m.last == 0 {
		m.acceleration = v.Sub(m.velocity[1]).Scale(1 / dt)
	} else {
		r := dt / m.last
		a := v.Scale((1+2*r)/(1+r)).AddScaled(-(1+r), m.velocity[1]).AddScaled(r*r/(1+r), m.velocity[2])
		m.acceleration = a.Scale(1 / dt)
	}
	m.last = dt
}

// imu reads angular velocity and specific force in the sensor's axes.
func (r *Robot) imu(f *robotfile.IMU, frame string) reading {
	at, axes := r.place(&f.Place), r.mounted(&f.SensorPlace)
	var m motion
	settle := func() { // at the present velocity, with which a robot may begin
		v := at.Twist().Linear
		m = motion{velocity: [3]spatial.Vec{v, v, v}}
	}
	q := quantity{
		frame: axes,
		port:  sim.Port{Kind: sim.Imu, Unit: "rad/s, m/s^2", Frames: []string{frame}},
		read: func(dst []float64) {
			own := axes().R
			own.ApplyT(at.Twist().Angular).Put(dst)
			own.ApplyT(m.acceleration.Sub(r.Gravity)).Put(dst[3:])
		},
		settle: settle,
		follow: func(_, dt float64) {
			if dt == 0 { // it has been stopped
				settle()
				return
			}
			m.add(at.Twist().Linear, dt)
		},
		stateLen: motionLen,
		isLinear: true,
		save: func(dst []float64) {
			for i, v := range m.velocity {
				v.Put(dst[3*i:])
			}
			m.acceleration.Put(dst[9:])
			dst[12] = m.last
		},
		restore: func(src []float64) {
			for i := range m.velocity {
				m.velocity[i] = spatial.VecAt(src[3*i:])
			}
			m.acceleration = spatial.VecAt(src[9:])
			m.last = src[12]
		},
	}
	return reading{q, []signal{{0, 3, false, &f.AngularVelocityError}, {3, 3, false, &f.LinearAccelerationError}}}
}
