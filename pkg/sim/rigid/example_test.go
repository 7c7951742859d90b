package rigid_test

import (
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// A gyroscope on a spherical joint at the world origin, its disk 0.1 m away along the
// horizontal x axis, turns about the vertical at m g l/(J ω) = 4.905 rad/s.
func Example() {
	body, err := rigid.NewBody(rigid.Params{
		Mass:    0.2,
		Inertia: [6]float64{1e-4, 5e-5, 5e-5},
		Pivot:   &spatial.Vec{X: -0.1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	gravity := &rigid.Constant{Body: body, Gravity: spatial.Vec{Z: -9.81}}
	step, err := rigid.NewStepper(rigid.Options{Method: rigid.RKMK4}, body, gravity, spatial.Vec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	const precession = 4.905
	turn := spatial.Vec{X: 400, Z: precession} // rad/s
	x := body.Hold(integrate.Motion{
		Placement: integrate.Placement{Q: spatial.IdentityQuat()},
		V:         spatial.Twist{Angular: turn},
	}, spatial.Vec{})
	const h, n = 1e-4, 3200
	for i := range n {
		if _, err := step.Step(float64(i)*h, h, &x); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("azimuth after 0.32 s: %.3f rad, height below 1e-5 m: %t\n", math.Atan2(x.P.Y, x.P.X), math.Abs(x.P.Z) < 1e-5)
	// Output: azimuth after 0.32 s: 1.570 rad, height below 1e-5 m: true
}
