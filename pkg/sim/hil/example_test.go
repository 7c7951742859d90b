package hil_test

import (
	"fmt"
	"math"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// A camera sees the tip 30 ms late and 2 mm off along z: Compare finds both.
func ExampleCompare() {
	tip := func(t float64) spatial.Pose {
		return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{
			X: 0.04 * math.Sin(2*t), Y: 0.03 * math.Sin(3.1*t+0.5), Z: 0.2,
		}}
	}
	var sim, hardware trajectory.Trajectory
	for k := range 1000 {
		t := 0.01 * float64(k)
		sim.Tip.Add(t, tip(t))
		p := tip(t - 0.03)
		p.P.Z += 0.002
		hardware.Tip.Add(t, p)
	}
	c, err := hil.Compare(&sim, &hardware, hil.Options{LengthM: 0.2})
	if err != nil {
		fmt.Println(err)
		return
	}
	rmse := c.Removed.Position.RMSE
	fmt.Printf("latency %.0f ms\n", 1e3*c.Latency.Seconds)
	fmt.Printf("error %.1f mm, %.1f %% of the length\n", 1e3*rmse, c.Removed.Percent(rmse))
	fmt.Printf("with the latency in: %.1f mm\n", 1e3*c.Recorded.Position.RMSE)
	// Output:
	// latency 30 ms
	// error 2.0 mm, 1.0 % of the length
	// with the latency in: 3.3 mm
}
