package microrobot_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
)

// A robot that moves 1 µm per ms is seen 25 ms late by a camera with a frame every 10 ms, and its true pose is exact.
func TestCameraRateAndLatency(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {sphere_m: 1e-4}}, gravity_m_per_s2: [0, 0, 0], fluid: {flow: {uniform_m_per_s: [1e-3, 0, 0]}},
  sensors: [{name: camera, rate_hz: 100, latency_s: 0.025, pose: {}}]}`)
	i := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == "sensors/camera" && p.Direction == sim.Out })
	p := m.Ports()[i]
	v := make([]float64, p.Width())
	for k := 1; k <= 100; k++ {
		microrobot.StepsInTest(t, m, 1, 1e-3)
		// the newest frame that is at least 25 ms old
		want := math.Max(0, math.Floor((float64(k)-25)/10)*10) * 1e-6
		m.Value(i, v)
		age, x := p.Sample(v, 0)
		microrobot.Near(t, "measured x", x[0], want, 1e-15)
		microrobot.Near(t, "true x", microrobot.Value(t, m, "measured_cp")[0], float64(k)*1e-6, 1e-15)
		if v[0] > 0 {
			microrobot.Near(t, "time of the frame", float64(k)*1e-3-age, want*1e3, 1e-12)
		}
	}
}

// newest is the newest measurement of a sensor.
func newest(t *testing.T, m *microrobot.Model, name string) []float64 {
	t.Helper()
	i := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == "sensors/"+name && p.Direction == sim.Out })
	p := m.Ports()[i]
	v := make([]float64, p.Width())
	m.Value(i, v)
	_, x := p.Sample(v, 0)
	return x
}

// A microscope below a chamber sees a robot that moves 1 µm per ms at 10 px per µm, over an exposure of 4 ms at its mean, until it
// comes behind a post.
func TestMicroscope(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {sphere_m: 1e-5}}, gravity_m_per_s2: [0, 0, 0], fluid: {flow: {uniform_m_per_s: [1e-3, 0, 0]}},
  environment: {shapes: [{name: post, sphere: {center_m: [2e-4, 0, -1e-3], radius_m: 5e-5}}]},
  sensors: [{name: microscope, rate_hz: 100, camera: {world: true, position_m: [0, 0, -0.01], exposure_s: 0.004, width_px: 8001, height_px: 1001, fx_px: 1e5, markers: [{name: robot}]}}]}`)
	seen, path := 0, []float64{0}
	for k := 1; k <= 300; k++ {
		microrobot.StepsInTest(t, m, 1, 1e-3)
		at := microrobot.Value(t, m, "measured_cp")
		path = append(path, at[0]/(0.01+at[2])) // slope of the ray
		if k%10 != 0 {
			continue
		}
		slope := (path[k]/2 + path[k-1] + path[k-2] + path[k-3] + path[k-4]/2) / 4
		v := newest(t, m, "microscope")
		switch gone := math.Abs(9e-3*slope - 2e-4); { // of the ray from the middle of the post, nearly
		case gone > 5.5e-5:
			seen++
			microrobot.Near(t, "u", v[0], 4000+1e5*slope, 1e-6)
			microrobot.Near(t, "v", v[1], 500, 1e-6)
			microrobot.Near(t, "seen", v[2], 1, 0)
		case gone < 4.5e-5 && v[2] != 0:
			t.Errorf("behind the post, at a slope of %g, the robot is seen: %v", slope, v)
		}
	}
	if seen < 10 || seen > 25 {
		t.Errorf("seen %d times of 30", seen)
	}
}

// A probe in the world measures the flux density there, in its axes, wherever the robot is.
func TestFieldSensorInTheWorld(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {sphere_m: 1e-5}}, gravity_m_per_s2: [0, 0, 0], fluid: {flow: {uniform_m_per_s: [1e-3, 0, 0]}},
  field: {uniform_t: [1e-3, 2e-3, 3e-3], gradient_t_per_m: [0.1, 0, 0, -0.1, 0]},
  sensors: [
    {name: probe, rate_hz: 100, field: {world: true, position_m: [0.01, 0.02, 0], orientation_xyzw: [0, 0, 0.70710678118654757, 0.70710678118654757]}},
    {name: carried, rate_hz: 100, field: {}}]}`)
	before := newest(t, m, "carried")[0]
	microrobot.StepsInTest(t, m, 100, 1e-3)
	// the x axis of the sensor is the y axis of the world, its y axis opposite to x
	want := []float64{2e-3 - 0.1*0.02, -(1e-3 + 0.1*0.01), 3e-3}
	for i, x := range newest(t, m, "probe") {
		microrobot.Near(t, "flux density", x, want[i], 1e-12)
	}
	if now := newest(t, m, "carried")[0]; math.Abs(now-before-0.1*1e-4) > 1e-9 {
		t.Errorf("on the robot the flux density has gone from %g to %g T", before, now)
	}
}

// At the very place of a dipole, where its field has no value, a probe measures a number, and the state of the robot is one.
func TestFieldSensorAtADipole(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {sphere_m: 1e-5}}, gravity_m_per_s2: [0, 0, 0],
  field: {uniform_t: [1e-3, 0, 0], dipoles: [{name: arm, position_m: [0.25, 0, 0], moment_a_m2: [20, 0, 0]}]},
  sensors: [{name: probe, rate_hz: 100, field: {world: true, position_m: [0.25, 0, 0]}}]}`)
	microrobot.StepsInTest(t, m, 10, 1e-3)
	if got := newest(t, m, "probe"); !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("measured %v", got)
	}
	state := make([]float64, m.StateLen())
	m.Save(state)
	for i, x := range state {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("value %d of the state is %g", i, x)
		}
	}
}
