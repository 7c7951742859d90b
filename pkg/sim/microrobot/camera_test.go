package microrobot_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/spatial"
)

// A robot that moves 1 µm per ms: frames every 10 ms arrive 25 ms late.
const moving = `{body: {shape: {sphere_m: 1e-4}}, gravity_m_per_s2: [0, 0, 0], fluid: {flow: {uniform_m_per_s: [1e-3, 0, 0]}}, camera: {`

func TestCameraRateAndLatency(t *testing.T) {
	m := microrobot.NewModel(t, moving+"rate_hz: 100, latency_s: 0.025}}")
	for k := 1; k <= 100; k++ {
		microrobot.StepsInTest(t, m, 1, 1e-3)
		// the newest frame that is at least 25 ms old
		want := math.Max(0, math.Floor((float64(k)-25)/10)*10) * 1e-6
		microrobot.Near(t, "measured x", microrobot.Value(t, m, "measured_cp")[0], want, 1e-15)
		microrobot.Near(t, "true x", m.Placement().P.X, float64(k)*1e-6, 1e-15)
	}
}

func TestCameraWithoutLatencyShowsTheFrame(t *testing.T) {
	m := microrobot.NewModel(t, moving+"rate_hz: 300}}")
	for k := 1; k <= 50; k++ {
		microrobot.StepsInTest(t, m, 1, 1e-3)
		// frames at the first step at or after j/300 s
		frame := math.Floor(float64(k) * 0.3)
		want := math.Ceil(frame/0.3-1e-9) * 1e-6
		microrobot.Near(t, "measured x", microrobot.Value(t, m, "measured_cp")[0], want, 1e-15)
	}
}

func TestCameraNoiseAndPixels(t *testing.T) {
	m := microrobot.NewModel(t, `{body: {shape: {sphere_m: 1e-4}, position_m: [1e-3, 0, 0]}, gravity_m_per_s2: [0, 0, 0],
  camera: {rate_hz: 1000, position_noise_m: 1e-5, angle_noise_rad: 0.01, pixel_m: 2e-6}}`)
	var mean, square, turn float64
	const n = 20000
	for range n {
		microrobot.StepsInTest(t, m, 1, 1e-3)
		v := microrobot.Value(t, m, "measured_cp")
		x := v[0] - 1e-3
		if k := v[0] / 2e-6; math.Abs(k-math.Round(k)) > 1e-6 {
			t.Fatalf("x = %g m is no multiple of a pixel", v[0])
		}
		mean, square = mean+x/n, square+x*x/n
		q := spatial.Quat{X: v[3], Y: v[4], Z: v[5], W: v[6]}
		turn += q.Log().Norm2() / n
	}
	microrobot.Near(t, "mean", mean, 0, 3e-7)
	microrobot.Near(t, "standard deviation", math.Sqrt(square), math.Sqrt(1e-10+4e-12/12), 0.02e-5)
	microrobot.Near(t, "angle", math.Sqrt(turn/3), 0.01, 2e-4)
	if m.Placement().P != (spatial.Vec{X: 1e-3}) {
		t.Error("the camera moves the robot")
	}
}
