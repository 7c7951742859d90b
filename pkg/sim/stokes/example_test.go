package stokes_test

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// A spheroid tilted by 45° and pulled along x does not move along x: drag acts in
// body axes.
func Example() {
	shape, err := stokes.Ellipsoid(spatial.Vec{X: 150e-6, Y: 50e-6, Z: 50e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := stokes.NewBody(shape, 8.5e-4)
	if err != nil {
		fmt.Println(err)
		return
	}
	rot := spatial.ExpRot(spatial.Vec{Z: math.Pi / 4})
	load := spatial.Wrench{Force: rot.ApplyT(spatial.Vec{X: 1e-12})}
	v := rot.Apply(body.Mobility.Apply(load).Linear)
	fmt.Printf("%.4e %.4e %.0f m/s\n", v.X, v.Y, v.Z)
	// Output: 8.0566e-07 8.3126e-08 0 m/s
}

// A given resistance must be one that a body can have.
func ExampleGiven() {
	r := stokes.Diagonal(spatial.Vec{X: 1e-7, Y: 2e-7, Z: 2e-7}, spatial.Vec{X: 2e-18, Y: 2e-16, Z: 2e-16})
	r.Coupling.XX = 1e-12
	_, err := stokes.Given(r, 8.5e-4)
	fmt.Println(err)
	// Output: given resistance: stokes: resistance is not positive definite: the smallest eigenvalue, of the matrix scaled to a unit diagonal, is -1.23607; it must be above 1e-12
}
