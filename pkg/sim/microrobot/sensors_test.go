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
