package sensor_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/spatial"
)

// body is a robot whose motion is known.
type body struct {
	t      float64 // s
	motion func(t float64) (spatial.Pose, spatial.Twist)
	joint  [3]float64 // position, rate and effort
}

func (b *body) Pose() spatial.Pose   { g, _ := b.motion(b.t); return g }
func (b *body) Twist() spatial.Twist { _, v := b.motion(b.t); return v }

func still(float64) (spatial.Pose, spatial.Twist) { return spatial.IdentityPose(), spatial.Twist{} }

// sensors makes those of a robot file of a body with one tendon.
func sensors(t testing.TB, b *body, seed int, text string, solids ...sensor.Solid) *sensor.Set {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("f", []byte("tendons: [{name: tendon_1, offset_m: [0.015, 0], disks: {last_m: 0.2}}]\nrod: {length_m: 0.25, radius_m: 0.005, density_kg_per_m3: 1000, youngs_modulus_pa: 1e7}\nsolver: {step_s: 1e-4}\nsensors:\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return begun(b, f.Sensors, seed, solids)
}

// ofMechanism makes the one sensor of a mechanism with a body arm.
func ofMechanism(t testing.TB, b *body, quantity string, solids ...sensor.Solid) *sensor.Set {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Mechanism]("f", []byte("bodies: [{name: arm, mass_kg: 1, inertia_kg_m2: [1, 1, 1], position_m: [0, 0, 0]}]\nsensors: [{name: c, rate_hz: 100, "+quantity+"}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return begun(b, f.Sensors, 1, solids)
}

func begun(b *body, files []robotfile.Sensor, seed int, solids []sensor.Solid) *sensor.Set {
	s := sensor.New(files, seed, &sensor.Robot{
		Ports:   []sim.Port{{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: []string{"tendon_1"}, Unit: "m, m/s, N", Parts: sim.Position | sim.Velocity | sim.Effort}},
		Value:   func(_ int, dst []float64) { copy(dst, b.joint[:]) },
		Frame:   func(p *robotfile.Place) sensor.Frame { return sensor.Body(b.Pose, b.Twist, *p.Position) },
		Gravity: spatial.Vec{Z: -9.80665},
		Solids:  solids,
	})
	s.Begin(0)
	return s
}

// run looks n times, dt (s) apart, and visits each measurement that arrives, with its age.
func run(s *sensor.Set, b *body, n int, dt float64, visit func(age float64, v []float64)) {
	p := &s.Ports()[0]
	values := make([]float64, p.Width())
	first := b.t
	s.Value(0, b.t, values)
	shown := values[0]
	for k := 1; k <= n; k++ {
		b.t = first + float64(k)*dt
		s.Look(b.t, dt)
		s.Value(0, b.t, values)
		for i := int(values[0]-shown) - 1; i >= 0; i-- {
			visit(p.Sample(values, i))
		}
		shown = values[0]
	}
}

// near wants a number within so much of another one.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %.6g, want %.6g within %.2g", what, got, want, within)
	}
}

const million = 1_000_000

// sure is the number of standard errors beyond which a statistic of a fixed seed is wrong.
const sure = 4

// The stated noise of a value is that of white noise and of rounding together.
func TestStatedNoise(t *testing.T) {
	s := sensors(t, &body{motion: still}, 1, "- {name: a, rate_hz: 100, pose: {position_error: {noise: 1e-5, resolution: 1e-3}, rotation_error: {noise: 2e-3}}}\n")
	noise := s.Ports()[0].Noise
	near(t, "position", noise[0], math.Sqrt(1e-10+1e-6/12), 1e-12)
	near(t, "rotation", noise[3], 1e-3, 1e-12)
}

// White noise has the mean of the bias and the stated variance, in each value and between them none; outliers add theirs at their rate.
func TestNoise(t *testing.T) {
	b := &body{motion: still}
	s := sensors(t, b, 1, "- {name: a, rate_hz: 10000, outliers: 0.01, pose: {position_error: {bias: [1e-3, 0, -2e-3], noise: 1e-4, outlier: 1e-2}, rotation_error: {bias: [0.01], noise: 2e-3}}}\n")
	var sum, square [6]float64
	var cross, before, after float64
	outliers := 0
	run(s, b, million, 1e-4, func(_ float64, v []float64) {
		r := spatial.QuatAt(v[3:]).Log()
		e := [6]float64{v[0] - 1e-3, v[1], v[2] + 2e-3, r.X, r.Y, r.Z}
		if math.Abs(e[0]) > 6e-4 || math.Abs(e[1]) > 6e-4 || math.Abs(e[2]) > 6e-4 {
			outliers++
			return
		}
		for i, x := range e {
			sum[i] += x
			square[i] += x * x
		}
		cross += e[0] * e[1]
		after += e[0] * before
		before = e[0]
	})
	n := float64(million - outliers)
	root := math.Sqrt(n)
	for i := range 6 {
		want, bias := 1e-4, 0.0
		if i > 2 {
			want, bias = 2e-3, 0.01
		}
		mean := sum[i] / n
		near(t, fmt.Sprintf("mean %d", i), mean, bias, sure*want/root+1e-3*bias*bias) // rotation vectors do not add up exactly
		near(t, fmt.Sprintf("variance %d", i), square[i]/n-mean*mean, want*want, sure*want*want*math.Sqrt(2)/root+2e-3*want*want*float64(i/3))
	}
	near(t, "covariance of x and y", cross/n, 0, sure*1e-8/root)
	near(t, "covariance of x and the x before", after/n, 0, sure*1e-8/root)
	// of the outliers some are as small as noise
	small := math.Pow(math.Erf(6e-4/1e-2/math.Sqrt2), 3)
	share := 0.01 * (1 - small)
	near(t, "share of outliers", float64(outliers)/million, share, sure*math.Sqrt(share/million)+1e-5)
}

// The bias walks with the Allan variance K² τ/3 of a random walk that reaches K in a second (IEEE Std 952).
func TestBiasWalk(t *testing.T) {
	const k, rate = 3e-3, 100.0
	b := &body{motion: still}
	s := sensors(t, b, 2, "- {name: a, rate_hz: 100, encoder: {error: {bias_walk: 3e-3}}}\n")
	all := make([]float64, 0, million)
	run(s, b, million, 1/rate, func(_ float64, v []float64) { all = append(all, v[0]) })
	for _, tau := range []float64{1, 10, 50} {
		m := int(tau * rate)
		var means []float64
		for i := 0; i+m <= len(all); i += m {
			sum := 0.0
			for _, x := range all[i : i+m] {
				sum += x
			}
			means = append(means, sum/float64(m))
		}
		variance := 0.0
		for i := 1; i < len(means); i++ {
			d := means[i] - means[i-1]
			variance += d * d / 2
		}
		n := float64(len(means) - 1)
		variance /= n
		near(t, fmt.Sprintf("Allan variance at %g s over that of a random walk", tau), variance/(k*k*tau/3), 1, sure*math.Sqrt(3/n)+1/float64(m))
	}
}

// Measurements are lost at the stated rate and arrive after latencies spread evenly, stamped with the time at which they were taken.
func TestDropoutAndLatency(t *testing.T) {
	b := &body{motion: func(t float64) (spatial.Pose, spatial.Twist) {
		return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: t}}, spatial.Twist{}
	}}
	s := sensors(t, b, 3, "- {name: a, rate_hz: 1000, latency_s: 0.0123, latency_jitter_s: 0.004, dropout: 0.25, pose: {}}\n")
	var sum, least, most, last float64 = 0, 1, 0, 0
	count, overtaken := 0, 0
	run(s, b, million, 1e-3, func(age float64, v []float64) {
		count++
		sum += age
		least, most = min(least, age), max(most, age)
		near(t, "x when it was taken", v[0], b.t-age, 1e-8)
		if v[0] < last {
			overtaken++
		}
		last = v[0]
	})
	near(t, "share that arrives", float64(count)/million, 0.75, sure*math.Sqrt(0.25*0.75/million)+2e-5)
	// a measurement arrives at the end of the first step at or after its latency
	near(t, "least latency", least, 0.013, 1e-9)
	near(t, "most latency", most, 0.017, 1e-9)
	mean := (0.013*0.7 + 0.014 + 0.015 + 0.016 + 0.017*0.3) / 4
	near(t, "mean latency", sum/float64(count), mean, sure*1.2e-3/math.Sqrt(float64(count)))
	if overtaken == 0 {
		t.Error("nothing overtakes, though latencies differ by more than a period")
	}
}

// Readings are multiples of the resolution within the limit.
func TestResolutionAndLimit(t *testing.T) {
	b := &body{motion: still}
	s := sensors(t, b, 4, "- {name: a, rate_hz: 10000, current: {error: {noise: 1, resolution: 0.25, limit: 1.5}}}\n")
	at, n := map[float64]int{}, 100_000
	run(s, b, n, 1e-4, func(_ float64, v []float64) { at[v[0]]++ })
	if len(at) != 13 {
		t.Errorf("readings %v, want the 13 multiples of 0.25 from -1.5 to 1.5", at)
	}
	share := func(low, high float64) float64 { return 0.5 * (math.Erf(high/math.Sqrt2) - math.Erf(low/math.Sqrt2)) }
	near(t, "share at 0", float64(at[0])/float64(n), share(-0.125, 0.125), sure*math.Sqrt(0.1/float64(n)))
	near(t, "share at the limit", float64(at[1.5])/float64(n), share(1.375, 100), sure*math.Sqrt(0.09/float64(n)))
}

// Measurements are taken at the end of the first step at or after their times, whatever the steps are.
func TestTimes(t *testing.T) {
	b := &body{motion: func(t float64) (spatial.Pose, spatial.Twist) {
		return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: t}}, spatial.Twist{}
	}}
	s := sensors(t, b, 5, "- {name: a, rate_hz: 300, phase_s: 0.002, pose: {}}\n")
	var got []float64
	run(s, b, 20, 1e-3, func(_ float64, v []float64) { got = append(got, math.Round(v[0]*1e3)) })
	if want := []float64{2, 6, 9, 12, 16, 19}; !slices.Equal(got, want) {
		t.Errorf("taken at %v ms, want %v", got, want)
	}
	got = got[:0]
	run(s, b, 3, 10e-3, func(_ float64, v []float64) { got = append(got, math.Round(v[0]*1e3)) })
	if want := []float64{30, 40, 50}; !slices.Equal(got, want) {
		t.Errorf("with steps of three periods taken at %v ms, want %v", got, want)
	}
}

// Before the first measurement arrives a sensor shows how the robot has been, and counts nothing.
func TestBeginning(t *testing.T) {
	b := &body{motion: still, joint: [3]float64{0.5, 0, 0}}
	s := sensors(t, b, 6, "- {name: a, rate_hz: 100, latency_s: 0.02, encoder: {}}\n")
	p := s.Ports()[0]
	v := make([]float64, p.Width())
	s.Value(0, 0, v)
	if age, x := p.Sample(v, 0); v[0] != 0 || age != 0.02 || x[0] != 0.5 {
		t.Errorf("at first %g measurements, the newest %g s old: %v", v[0], age, x)
	}
	b.joint[0] = 1
	run(s, b, 2, 0.01, func(age float64, x []float64) {
		if math.Abs(age-0.02) > 1e-12 || x[0] != 0.5 {
			t.Errorf("the first measurement is %v, %g s old", x, age)
		}
	})
	// a robot that has come to rest elsewhere has been there
	s.Begin(b.t)
	s.Value(0, b.t, v)
	if _, x := p.Sample(v, 0); x[0] != 1 {
		t.Errorf("after an equilibrium %v, want 1", x)
	}
}

// An inertial measurement unit reads the derivatives of the motion: a spinning and swinging body, with an error of second order in the step.
func TestIMU(t *testing.T) {
	g := spatial.Vec{Z: -9.80665}
	w := spatial.Vec{X: 1.3, Y: -0.7, Z: 2}
	position := func(t float64) spatial.Vec {
		return spatial.Vec{X: 0.1 * math.Sin(7*t), Y: 0.05 * math.Cos(5*t), Z: 0.2 * t * t}
	}
	motion := func(t float64) (spatial.Pose, spatial.Twist) {
		return spatial.Pose{R: spatial.ExpRot(w.Scale(t)), P: position(t)},
			spatial.Twist{Linear: spatial.Vec{X: 0.7 * math.Cos(7*t), Y: -0.25 * math.Sin(5*t), Z: 0.4 * t}, Angular: w}
	}
	turn := spatial.Quat{X: 0.5, Y: 0.5, Z: 0.5, W: 0.5}
	worst := func(dt float64) (rate, force float64) {
		b := &body{motion: motion}
		s := sensors(t, b, 7, "- {name: a, rate_hz: 100, imu: {orientation_xyzw: [0.5, 0.5, 0.5, 0.5]}}\n")
		run(s, b, int(math.Round(1/dt)), dt, func(_ float64, v []float64) {
			if b.t < 2.5*dt {
				return // from rest
			}
			own := spatial.ExpRot(w.Scale(b.t)).Mul(turn.Rot())
			a := spatial.Vec{X: -4.9 * math.Sin(7*b.t), Y: -1.25 * math.Cos(5*b.t), Z: 0.4}
			rate = max(rate, spatial.VecAt(v).Sub(own.ApplyT(w)).Norm())
			force = max(force, spatial.VecAt(v[3:]).Sub(own.ApplyT(a.Sub(g))).Norm())
		})
		return rate, force
	}
	rate, coarse := worst(2e-3)
	_, fine := worst(1e-3)
	near(t, "error of the angular velocity", rate, 0, 1e-12)
	near(t, "error of the specific force, m/s^2", fine, 0, 1e-4)
	near(t, "order of the specific force", math.Log2(coarse/fine), 2, 0.1)
}

// A robot that begins with a velocity has not been accelerated to it.
func TestIMUOfARobotThatBeginsInMotion(t *testing.T) {
	b := &body{motion: func(t float64) (spatial.Pose, spatial.Twist) {
		return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 3 * t}}, spatial.Twist{Linear: spatial.Vec{X: 3}}
	}}
	s := sensors(t, b, 7, "- {name: a, rate_hz: 1000, imu: {}}\n")
	run(s, b, 5, 1e-3, func(_ float64, v []float64) {
		if force := spatial.VecAt(v[3:]); force.Sub(spatial.Vec{Z: 9.80665}).Norm() > 1e-9 {
			t.Errorf("after %g s the specific force is %v", b.t, force)
		}
	})
}

// A robot that is stopped where it is has no acceleration.
func TestIMUOfAStoppedRobot(t *testing.T) {
	b := &body{motion: func(t float64) (spatial.Pose, spatial.Twist) {
		return spatial.IdentityPose(), spatial.Twist{Linear: spatial.Vec{X: 5 * t}}
	}}
	s := sensors(t, b, 7, "- {name: a, rate_hz: 1000, imu: {}}\n")
	run(s, b, 5, 1e-3, func(float64, []float64) {})
	b.motion = still
	s.Look(b.t, 0)
	run(s, b, 2, 1e-3, func(_ float64, v []float64) {
		if force := spatial.VecAt(v[3:]); force.Sub(spatial.Vec{Z: 9.80665}).Norm() > 1e-9 {
			t.Errorf("specific force %v", force)
		}
	})
}

// An encoder behind a play shows a reversal after the play, and a current the friction of the way.
func TestGears(t *testing.T) {
	b := &body{motion: still}
	s := sensors(t, b, 8, "- {name: a, rate_hz: 1000, encoder: {backlash: 0.2}}\n")
	for _, c := range []struct{ position, want float64 }{{0.05, 0}, {0.3, 0.2}, {0.15, 0.2}, {0.1, 0.2}, {0, 0.1}, {-0.3, -0.2}, {-0.1, -0.2}, {0, -0.1}} {
		b.joint[0] = c.position
		run(s, b, 1, 1e-3, func(_ float64, v []float64) {
			near(t, fmt.Sprintf("reading at %g", c.position), v[0], c.want, 1e-15)
		})
	}
	b = &body{motion: still, joint: [3]float64{0, 0, 2}}
	s = sensors(t, b, 8, "- {name: a, rate_hz: 1000, current: {friction: 0.3, damping: 0.1}}\n")
	for _, c := range []struct{ rate, want float64 }{{0, 2}, {1, 2.4}, {-2, 1.5}} {
		b.joint[1] = c.rate
		run(s, b, 1, 1e-3, func(_ float64, v []float64) { near(t, fmt.Sprintf("effort at rate %g", c.rate), v[0], c.want, 1e-15) })
	}
}

const everything = `
- {name: a, rate_hz: 700, latency_s: 0.01, latency_jitter_s: 0.006, dropout: 0.2, outliers: 0.1, pose: {position_error: {bias_walk: 1e-3, noise: 1e-4, outlier: 1}, rotation_error: {bias_walk: 0.1}}}
- {name: b, rate_hz: 1000, imu: {angular_velocity_error: {noise: 0.1}}}
- {name: c, rate_hz: 130, encoder: {backlash: 0.05, error: {bias_walk: 0.1}}}
- {name: d, rate_hz: 60, camera: {world: true, position_m: [0, 0, -5], exposure_s: 0.01, width_px: 640, height_px: 480, fx_px: 500, markers: [{name: m}, {name: n, position_m: [0, 2, 0]}], error: {noise: 0.1}}}
`

// A restored state goes on with the same measurements, and equal seeds and names alone give equal errors.
func TestRepeatable(t *testing.T) {
	swinging := func(t float64) (spatial.Pose, spatial.Twist) {
		return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: math.Sin(9 * t)}}, spatial.Twist{Linear: spatial.Vec{X: 9 * math.Cos(9*t)}}
	}
	values := func(s *sensor.Set, t float64) (all []float64) {
		for i, p := range s.Ports() {
			v := make([]float64, p.Width())
			s.Value(i, t, v)
			all = append(all, v...)
		}
		return all
	}
	walk := func(s *sensor.Set, b *body, from, to int) (all []float64) {
		for k := from; k < to; k++ {
			b.t = float64(k+1) * 1e-3
			b.joint[0] = math.Sin(11 * b.t)
			s.Look(b.t, 1e-3)
			all = append(all, values(s, b.t)...)
		}
		return all
	}
	b := &body{motion: swinging}
	s := sensors(t, b, 9, everything)
	walk(s, b, 0, 213)
	state := make([]float64, s.StateLen())
	if left := s.Save(state); len(left) != 0 {
		t.Fatalf("%d values of the state are not written", len(left))
	}
	want := walk(s, b, 213, 600)
	b = &body{motion: swinging}
	other := sensors(t, b, 9, everything)
	walk(other, b, 0, 17)
	if left := other.Restore(state); len(left) != 0 {
		t.Fatalf("%d values of the state are not read", len(left))
	}
	if got := walk(other, b, 213, 600); !slices.Equal(got, want) {
		t.Error("after a restore the measurements are others")
	}
	b = &body{motion: swinging}
	third := sensors(t, b, 10, everything)
	walk(third, b, 0, 213)
	if got := walk(third, b, 213, 600); slices.Equal(got, want) {
		t.Error("another seed gives the same errors")
	}
}

func TestNoAllocations(t *testing.T) {
	b := &body{motion: still}
	s := sensors(t, b, 1, everything, ball(t, spatial.Vec{Z: -1}, 0.1))
	v := make([]float64, 1000)
	var widths []int
	for _, p := range s.Ports() {
		widths = append(widths, p.Width())
	}
	state := make([]float64, s.StateLen())
	if n := testing.AllocsPerRun(1000, func() {
		b.t += 1e-3
		s.Look(b.t, 1e-3)
		for i, w := range widths {
			s.Value(i, b.t, v[:w])
		}
		s.Value(0, b.t, v[:9])
		s.Save(state)
		s.Restore(state)
	}); n != 0 {
		t.Errorf("%g allocations in a step", n)
	}
}

// Whatever finite numbers a state has, sensors go on with finite numbers and end.
func FuzzRestore(f *testing.F) {
	f.Add([]byte{1, 2, 3}, 1e300)
	f.Add([]byte{200, 0, 7, 9}, -1.0)
	f.Fuzz(func(t *testing.T, data []byte, scale float64) {
		if math.IsNaN(scale) || math.IsInf(scale, 0) || len(data) == 0 {
			t.Skip()
		}
		b := &body{motion: still}
		s := sensors(t, b, 1, everything)
		state := make([]float64, s.StateLen())
		for i := range state {
			if state[i] = float64(int8(data[i%len(data)])) / 128 * scale; math.IsInf(state[i], 0) {
				t.Skip()
			}
		}
		s.Restore(state)
		for range 50 {
			b.t += 1e-3
			s.Look(b.t, 1e-3)
		}
		for i, p := range s.Ports() {
			v := make([]float64, p.Width())
			s.Value(i, b.t, v)
			if i != 0 && !spatial.AllFinite(v[:1]) {
				t.Errorf("%s shows %v", p.Name, v)
			}
		}
	})
}
