package sensor_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// ball is a solid of the world.
func ball(t testing.TB, center spatial.Vec, radius float64) sensor.Solid {
	s, err := shape.NewSphere(center, radius)
	if err != nil {
		t.Fatal(err)
	}
	return sensor.Solid{Name: "ball", Shape: s}
}

// shown returns what the first sensor shows.
func shown(s *sensor.Set, b *body) []float64 {
	p := &s.Ports()[0]
	v := make([]float64, p.Width())
	s.Value(0, b.t, v)
	_, x := p.Sample(v, 0)
	return x
}

func at(p spatial.Vec) *body {
	return &body{motion: func(float64) (spatial.Pose, spatial.Twist) {
		return spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}), P: p}, spatial.Twist{}
	}}
}

// optics is a camera with the middle of the image at 499.5, 499.5 and 1000 px per unit of slope.
const optics = "width_px: 1000, height_px: 1000, fx_px: 1000"

// A camera that looks down sees the body, which is turned by 90 degrees, and a camera on the body a point of the world.
func TestCameraPlaces(t *testing.T) {
	b := at(spatial.Vec{X: 0.1, Y: 0.05, Z: 0.2})
	for _, c := range []struct {
		name, text string
		want       []float64
	}{
		{"looks down", "world: true, position_m: [0, 0, 1], orientation_xyzw: [1, 0, 0, 0], markers: [{name: a}, {name: b, position_m: [0.04, 0, -0.2]}]",
			[]float64{499.5 + 125, 499.5 - 62.5, 1, 499.5 + 100, 499.5 - 90, 1}},
		{"looks up", "world: true, position_m: [0, 0, -0.3], markers: [{name: a}]", []float64{499.5 + 200, 499.5 + 100, 1}},
		{"looks away", "world: true, position_m: [0, 0, 1], markers: [{name: a}]", []float64{0, 0, 0}},
		{"on the body", "position_m: [0, 0.1, 0], markers: [{name: a, world: true, position_m: [0.02, 0.06, 0.7]}]",
			// the camera is at 0, 0.05, 0.2; its x axis is the y axis of the world, its y axis opposite to x
			[]float64{499.5 + 20, 499.5 - 40, 1}},
		{"out of the image", "world: true, position_m: [0, 0, 0.1], markers: [{name: a}]", []float64{0, 0, 0}},
		{"other pixels", "world: true, position_m: [0, 0, -0.3], fy_px: 500, cx_px: 100, cy_px: 200, markers: [{name: a}]", []float64{300, 250, 1}},
		{"distorted", "world: true, position_m: [0, 0, -0.3], distortion: [0.1, 0.2, 0.01, 0.02], markers: [{name: a}]",
			// x, y = 0.2, 0.1; r2 = 0.05: radial 1.0055
			[]float64{499.5 + 1000*(0.2*1.0055+2*0.01*0.02+0.02*(0.05+0.08)), 499.5 + 1000*(0.1*1.0055+0.01*(0.05+0.02)+2*0.02*0.02), 1}},
	} {
		s := sensors(t, b, 1, "- {name: c, rate_hz: 100, camera: {"+optics+", "+c.text+"}}\n")
		for i, x := range shown(s, b) {
			near(t, fmt.Sprintf("%s: value %d", c.name, i), x, c.want[i], 1e-9)
		}
	}
}

// A ball between a camera and a point hides it, wherever it has moved, unless it is transparent, beside or behind. A body does not hide
// its own middle, but a marker on its far side; and not what a camera within it sees.
func TestCameraIsBlockedBySolids(t *testing.T) {
	far := spatial.Vec{Z: 1}
	moved := func(p spatial.Vec) sensor.Solid {
		s := ball(t, spatial.Vec{}, 0.05)
		s.Pose = func() spatial.Pose { return spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 1}), P: p} }
		return s
	}
	own := func(center spatial.Vec, body string) sensor.Solid {
		s := ball(t, center, 0.05)
		s.Body = body
		return s
	}
	const camera, marker = "world: true, ", "{name: a}"
	for _, c := range []struct {
		name, camera, marker string
		solid                sensor.Solid
		seen                 bool
	}{
		{"between", camera, marker, ball(t, spatial.Vec{Z: 0.5}, 0.05), false},
		{"beside", camera, marker, ball(t, spatial.Vec{Z: 0.5, X: 0.0501}, 0.05), true},
		{"behind", camera, marker, ball(t, spatial.Vec{Z: 1.06}, 0.05), true},
		{"behind the camera", camera, marker, ball(t, spatial.Vec{Z: -0.06}, 0.05), true},
		{"around the point", camera, marker, ball(t, spatial.Vec{Z: 1}, 0.05), false},
		{"around the camera", camera, marker, ball(t, spatial.Vec{}, 0.05), false},
		{"moved between", camera, marker, moved(spatial.Vec{X: 0.04, Z: 0.3}), false},
		{"moved away", camera, marker, moved(spatial.Vec{X: 0.06, Z: 0.3}), true},
		{"transparent", camera + "transparent: [ball], ", marker, ball(t, spatial.Vec{Z: 0.5}, 0.05), true},
	} {
		b := at(far)
		file := "environment: {shapes: [{name: ball, sphere: {center_m: [9, 9, 9], radius_m: 0.05}}]}\n"
		s := sensors(t, b, 1, "- {name: c, rate_hz: 100, camera: {"+optics+", "+c.camera+"markers: ["+c.marker+"]}}\n"+file, c.solid)
		if got := shown(s, b); (got[2] == 1) != c.seen {
			t.Errorf("a ball %s: the point is shown as %v, seen: %v", c.name, got, c.seen)
		}
	}
	mechanism := func(camera, marker string, o sensor.Solid) []float64 {
		b := at(far)
		s := ofMechanism(t, b, "camera: {"+optics+", "+camera+", markers: [{name: a, "+marker+"}]}", o)
		return shown(s, b)
	}
	for _, c := range []struct {
		name, camera, marker string
		solid                sensor.Solid
		seen                 bool
	}{
		{"the middle of its body", "world: true", "body: arm", own(spatial.Vec{Z: 1}, "arm"), true},
		{"the middle of another body", "world: true", "body: arm", own(spatial.Vec{Z: 1}, "hand"), false},
		{"the front of its body", "world: true", "body: arm, position_m: [0, 0, -0.05]", own(spatial.Vec{Z: 1}, "arm"), true},
		{"the back of its body", "world: true", "body: arm, position_m: [0, 0, 0.05]", own(spatial.Vec{Z: 1}, "arm"), false},
		{"what the camera's body is around", "body: arm", "world: true, position_m: [0, 0, 2]", own(spatial.Vec{Z: 1}, "arm"), true},
		{"what another body is around", "body: arm", "world: true, position_m: [0, 0, 2]", own(spatial.Vec{Z: 1}, "hand"), false},
	} {
		if got := mechanism(c.camera, c.marker, c.solid); (got[2] == 1) != c.seen {
			t.Errorf("%s is shown as %v, seen: %v", c.name, got, c.seen)
		}
	}
}

// With an exposure a point is at the mean of its motion, whether or not steps fit in it.
func TestExposureIsAMean(t *testing.T) {
	const speed, exposure = 0.4, 7.3e-3 // m/s, s
	b := &body{motion: func(t float64) (spatial.Pose, spatial.Twist) {
		return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: speed * t, Y: 2 * t * t, Z: 1}}, spatial.Twist{}
	}}
	for _, dt := range []float64{1e-3, 4e-4, 1.7e-3} {
		b.t = 0
		s := sensors(t, b, 1, "- {name: c, rate_hz: 100, camera: {world: true, exposure_s: 7.3e-3, "+optics+", markers: [{name: a}]}}\n")
		count := 0
		run(s, b, int(0.2/dt), dt, func(age float64, v []float64) {
			if b.t < exposure {
				return
			}
			count++
			// the shutter opens at the nominal time less the exposure, and closes at the end of the step
			nominal := math.Floor((b.t+1e-9)*100) / 100
			from, to := nominal-exposure, b.t
			near(t, fmt.Sprintf("u at %g s", b.t), v[0], 499.5+1000*speed*(from+to)/2, 1e-9)
			near(t, fmt.Sprintf("v at %g s", b.t), v[1], 499.5+1000*2*(to*to*to-from*from*from)/3/(to-from), 1000*4*dt*dt/8+1e-9) // as far as a parabola is off its chord
			near(t, "age", age, 0, 1e-12)
		})
		if count < 15 {
			t.Errorf("%d measurements", count)
		}
	}
	// What is in sight for less than half of the exposure is not seen: at 1250 px/s the point leaves the image, whose edge is at 999.5.
	leaves := func(late float64) []float64 {
		b := &body{motion: func(t float64) (spatial.Pose, spatial.Twist) {
			return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.5 + 1.25*(t-0.01+late), Z: 1}}, spatial.Twist{}
		}}
		s := sensors(t, b, 1, "- {name: c, rate_hz: 100, phase_s: 0.01, camera: {world: true, exposure_s: 0.01, "+optics+", markers: [{name: a}]}}\n")
		var last []float64
		run(s, b, 100, 1e-4, func(_ float64, v []float64) { last = append([]float64(nil), v...) })
		return last
	}
	if v := leaves(4e-3); v[2] != 1 {
		t.Errorf("a point that is seen for 6 of 10 ms is shown as %v", v)
	} else {
		near(t, "u of a point that leaves", v[0], 999.5-1250*3e-3, 0.1)
	}
	if v := leaves(6e-3); v[2] != 0 || v[0] != 0 {
		t.Errorf("a point that is seen for 4 of 10 ms is shown as %v", v)
	}
}

// The noise of u and v is white, has the stated bias and standard deviation, and what is not seen has none.
func TestCameraNoise(t *testing.T) {
	b := at(spatial.Vec{Z: 1})
	s := sensors(t, b, 3, "- {name: c, rate_hz: 10000, camera: {world: true, "+optics+", markers: [{name: a}, {name: b, position_m: [0, 0, -3]}], error: {bias: [0.5, -0.25], noise: 0.3}}}\n")
	const n = 200_000
	var sum, square [2]float64
	cross := 0.0
	run(s, b, n, 1e-4, func(_ float64, v []float64) {
		e := [2]float64{v[0] - 499.5, v[1] - 499.5}
		for i, x := range e {
			sum[i] += x
			square[i] += x * x
		}
		cross += (e[0] - 0.5) * (e[1] + 0.25)
		if v[2] != 1 || v[3] != 0 || v[4] != 0 || v[5] != 0 {
			t.Fatalf("shown: %v", v)
		}
	})
	root := math.Sqrt(n)
	for i, bias := range []float64{0.5, -0.25} {
		mean := sum[i] / n
		near(t, fmt.Sprintf("mean %d", i), mean, bias, sure*0.3/root)
		near(t, fmt.Sprintf("variance %d", i), square[i]/n-mean*mean, 0.09, sure*0.09*math.Sqrt2/root)
	}
	near(t, "covariance of u and v", cross/n, 0, sure*0.09/root)
	if noise := s.Ports()[0].Noise; noise[0] != 0.3 || noise[1] != 0.3 || noise[2] != 0 {
		t.Errorf("stated noise %v", noise)
	}
}

// Whatever the errors are, nothing is found out of the image: of a point on its edge about half of the measurements have it.
func TestCameraFindsNothingOutOfItsImage(t *testing.T) {
	b := at(spatial.Vec{X: 0.5, Z: 1}) // at u = 999.5
	s := sensors(t, b, 3, "- {name: c, rate_hz: 10000, camera: {world: true, "+optics+", markers: [{name: a, world: true, position_m: [0.49999999, 0, 1]}], error: {noise: 3}}}\n")
	const n = 10_000
	seen := 0.0
	run(s, b, n, 1e-4, func(_ float64, v []float64) {
		switch {
		case v[2] == 0 && (v[0] != 0 || v[1] != 0), v[2] == 1 && v[0] >= 999.5:
			t.Fatalf("shown: %v", v)
		}
		seen += v[2]
	})
	near(t, "share of measurements with the point", seen/n, 0.5, sure*0.5/math.Sqrt(n))
}
