package microrobot

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// attitudeAbove draws an attitude of a body in thermal equilibrium above a floor: those that
// lift it by the given length are rarer by e.
func attitudeAbove(r *Robot, seed int, length float64) (rot, extent spatial.Mat3) {
	noise := stokes.NewNoise(uint64(seed), 1)
	e := r.body.Shape.Extent
	least := math.Sqrt(min(e.XX, e.YY, e.ZZ))
	for {
		v, w := noise.Vec(), noise.Vec()
		rot = spatial.Quat{X: v.X, Y: v.Y, Z: v.Z, W: w.Z}.Normalized().Rot()
		extent = r.extent(&rot)
		if (w.X*w.X+w.Y*w.Y)/2 > (math.Sqrt(extent.ZZ)-least)/length { // exponentially distributed
			return rot, extent
		}
	}
}

// Bodies that sink through a thermal fluid lie above the floor as the air does above the
// ground: below a tenth of the length kT/weight are 1 − e^−0.1 = 9.5 % of them, whatever the
// step. With bodies moved out of the floor it was 20 % at 50 ms.
func TestThermalDensityAtAFloor(t *testing.T) {
	const (
		n      = 4000
		length = 5e-7 // m
		text   = `{body: {shape: {%s}, density_kg_per_m3: 1002, load: {force_n: [0, 0, %g]}},
  fluid: {brownian: true}, gravity_m_per_s2: [0, 0, 0], walls: [{plane: {}}]}`
	)
	kT := 1.380649e-23 * 310.15
	want := 1 - math.Exp(-0.1)
	for _, k := range []struct {
		shape      string
		lubricated bool
	}{
		{"sphere_m: 1e-6", false}, {"ellipsoid_m: [1.5e-6, 0.7e-6, 0.7e-6]", false},
	} {
		file := parse(t, fmt.Sprintf(text, k.shape, -kT/length))
		file.Body.Position.Z = 1e-5
		robot, err := NewRobot(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		robot.lubricated = k.lubricated
		for _, c := range []struct{ step, time float64 }{{0.05, 1}, {0.005, 0.5}, {0.0005, 0.1}} {
			below := 0.0
			for i := range n {
				robot.file.Seed = i
				m := robot.NewModel()
				x := m.placement()
				rot, extent := attitudeAbove(robot, i, length)
				x.Q = rot.Quat()
				x.P.Z = math.Sqrt(extent.ZZ) - length*math.Log((float64(i)+0.5)/n)
				steps(t, m, int(math.Round(c.time/c.step)), c.step)
				rot = m.placement().Q.Rot()
				extent = robot.extent(&rot)
				if g := robot.walls.Gap(m.placement().P, &extent); g < 0.1*length {
					below++
				}
			}
			share := below / n
			t.Logf("%s, steps of %g ms: %.2f %%", k.shape, 1e3*c.step, 100*share)
			near(t, fmt.Sprintf("%s, steps of %g s: share below a tenth", k.shape, c.step), share, want, 3*math.Sqrt(want*(1-want)/n))
		}
	}
}
