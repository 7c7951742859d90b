package continuum_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// sensorModel is a model of a rod of 0.2 m and 1 mm radius, with a bending stiffness of 0.15708 N m², along x.
func sensorModel(t *testing.T, text string) *continuum.Model {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("f", []byte("tendons: []\nbase: {direction: [1, 0, 0], normal: [0, 0, 1]}\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// newest returns the newest measurement of a sensor.
func newest(t *testing.T, m sim.Model, name string) []float64 {
	t.Helper()
	ports := m.Ports()
	for i := range ports {
		if p := &ports[i]; p.Name == "sensors/"+name {
			v := make([]float64, p.Width())
			m.Value(i, v)
			_, x := p.Sample(v, 0)
			return x
		}
	}
	t.Fatalf("no sensor %s", name)
	return nil
}

// A moment at the tip bends or twists a rod alike everywhere, by the moment over the stiffness, and stretches outer fibres by the
// curvature times their distance; with elements of both orders.
func TestStrainSensorUnderAMoment(t *testing.T) {
	const e, r, g = 1e9, 1e-3, 4e8
	bend, twist := e*math.Pi*math.Pow(r, 4)/4, g*math.Pi*math.Pow(r, 4)/2
	for _, order := range []int{2, 4} {
		for _, moment := range []spatial.Vec{{X: 2e-4, Y: 3e-4}, {Z: 1e-4}} {
			m := sensorModel(t, fmt.Sprintf(`rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 1000, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 8, element_order: %d}
gravity_m_per_s2: [0, 0, 0]
loads: [{at_m: 0.2, moment_nm: [%g, %g, %g], frame: body}]
initial_state: equilibrium
sensors:
  - {name: fbg, rate_hz: 100, strain: {stations_m: [0, 0.07, 0.2]}}
  - {name: light, rate_hz: 100, strain: {stations_m: [0.1], gratings: {radius_m: 5e-4, angles_rad: [0, 1.5707963267948966, 3.141592653589793]}}}`, order, moment.X, moment.Y, moment.Z))
			v := newest(t, m, "fbg")
			for i := range 3 {
				want := spatial.Vec{X: moment.X / bend, Y: moment.Y / bend, Z: moment.Z / twist}
				if d := spatial.VecAt(v[3*i:]).Sub(want).Norm(); d > 1e-6*want.Norm() {
					t.Errorf("order %d: curvature %d is %v, want %v", order, i, v[3*i:3*i+3], want)
				}
			}
			shift := 1.55e-6 * 0.78 * 5e-4 / bend
			w := newest(t, m, "light")
			for i, want := range []float64{-moment.Y * shift, moment.X * shift, moment.Y * shift} {
				if math.Abs(w[i]-want) > 1e-6*shift*moment.Norm() {
					t.Errorf("order %d: wavelength %d is shifted by %g m, want %g", order, i, w[i], want)
				}
			}
		}
	}
}

// A force at the tip bends a rod by the moment that is left: elements of order 4 show it anywhere.
func TestStrainSensorAlongAnElement(t *testing.T) {
	bend := 1e9 * math.Pi * 1e-12 / 4
	m := sensorModel(t, `rod: {length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 1000, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 4, element_order: 4}
gravity_m_per_s2: [0, 0, 0]
loads: [{at_m: 0.2, force_n: [0, 0, 1e-5]}]
initial_state: equilibrium
sensors: [{name: fbg, rate_hz: 100, strain: {stations_m: [0, 0.01, 0.06, 0.13, 0.2]}}]`)
	v := newest(t, m, "fbg")
	for i, s := range []float64{0, 0.01, 0.06, 0.13, 0.2} {
		if want := 1e-5 * (0.2 - s) / bend; math.Abs(math.Abs(v[3*i+1])-want) > 1e-6*1e-5*0.2/bend {
			t.Errorf("curvature at %g m is %g, want %g", s, v[3*i+1], want)
		}
	}
}

// The units of an IMU anywhere on a swinging rod read the derivatives of the motion that a tracker there sees, better by the square of the step.
func TestIMUOnARod(t *testing.T) {
	worst := func(dt float64) (rate, force float64) {
		m := sensorModel(t, fmt.Sprintf(`rod: {length_m: 0.2, radius_m: 0.002, density_kg_per_m3: 2000, youngs_modulus_pa: 2e7, shear_modulus_pa: 8e6, elements: 6, damping: {kelvin_voigt_s: 0.01}}
sensors:
  - {name: chip, rate_hz: %[2]g, imu: {at_m: 0.15, position_m: [0.01, 0.02, 0]}}
  - {name: tracker, rate_hz: %[2]g, pose: {at_m: 0.15, position_m: [0.01, 0.02, 0]}}
solver: {step_s: %[1]g}
rates: {control_hz: 100}`, dt, 1/dt))
		gravity := spatial.Vec{Z: -9.80665}
		var poses [3]spatial.Pose // the newest first
		var seen, before []float64
		n := int(math.Round(0.4 / dt))
		for k := range n {
			if err := m.Step(dt); err != nil {
				t.Fatal(err)
			}
			p := newest(t, m, "tracker")
			poses[2], poses[1], poses[0] = poses[1], poses[0], spatial.Pose{P: spatial.VecAt(p), R: spatial.QuatAt(p[3:]).Rot()}
			before, seen = seen, append([]float64(nil), newest(t, m, "chip")...)
			if t0 := float64(k) * dt; t0 < 0.1 {
				continue
			}
			// about the step before
			now := poses[1]
			w := now.R.TMul(poses[0].R).Log().Sub(now.R.TMul(poses[2].R).Log()).Scale(1 / (2 * dt))
			a := poses[0].P.Add(poses[2].P).AddScaled(-2, now.P).Scale(1 / (dt * dt))
			rate = max(rate, spatial.VecAt(before).Sub(w).Norm())
			force = max(force, spatial.VecAt(before[3:]).Sub(now.R.ApplyT(a.Sub(gravity))).Norm())
		}
		return rate, force
	}
	rate, force := worst(4e-3)
	finer, weaker := worst(2e-3)
	t.Logf("errors at 4 ms %.2g rad/s and %.2g m/s^2, at 2 ms %.2g and %.2g", rate, force, finer, weaker)
	if finer > 6e-3 || weaker > 0.02 || math.Log2(rate/finer) < 1.7 || math.Log2(force/weaker) < 1.7 {
		t.Errorf("errors at 4 ms %.2g rad/s and %.2g m/s^2, at 2 ms %.2g and %.2g: want 6e-3 and 0.02 at most and order 2", rate, force, finer, weaker)
	}
}

// Rates of publishing can change while a robot runs, and with them nothing of its state: another model takes it over.
func TestSensorsDoNotDependOnPublishing(t *testing.T) {
	var models [2]*continuum.Model
	for i, rate := range []int{10, 1000} {
		models[i] = sensorModel(t, fmt.Sprintf(`rod: {length_m: 0.2, radius_m: 0.002, density_kg_per_m3: 2000, youngs_modulus_pa: 2e7, elements: 3}
sensors: [{name: chip, rate_hz: 1000, latency_s: 0.02, imu: {}}]
rates: {publish_hz: %d}`, rate))
	}
	state := make([]float64, models[0].StateLen())
	models[0].Save(state)
	if err := models[1].Restore(state); err != nil {
		t.Error(err)
	}
}
