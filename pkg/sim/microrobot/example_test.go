package microrobot_test

import (
	"fmt"
	"log"
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// A magnetic sphere of 100 µm in water turns with a field of 5 mT about the
// vertical. Behind a field that turns slower than the step-out frequency f the moment lags
// by the angle asin(2 Hz/f).
func Example() {
	file, err := robotfile.Parse[robotfile.Microrobot]("sphere.yaml", []byte(`
body:
  shape: {sphere_m: 50e-6}
  magnet: {moment_a_m2: [1e-11, 0, 0]}
`))
	if err != nil {
		log.Fatal(err)
	}
	model, err := microrobot.New(file, nil)
	if err != nil {
		log.Fatal(err)
	}
	turn := slices.IndexFunc(model.Ports(), func(p sim.Port) bool { return p.Name == "rotating_field" })
	model.Command(turn, []float64{0, 0, 1, 0.005, 2, 0}) // axis, T, Hz, T along the axis
	for range 1000 {
		if err := model.Step(1e-3); err != nil {
			log.Fatal(err)
		}
	}
	gauges := make([]float64, len(model.Gauges()))
	model.Measure(gauges)
	for i, g := range model.Gauges() {
		switch g.Key {
		case "lag_angle":
			fmt.Printf("lag %.2f degrees\n", gauges[i]*180/math.Pi)
		case "alignment_time":
			fmt.Printf("step-out frequency %.2f Hz\n", 1/(2*math.Pi*gauges[i]))
		}
	}
	// Output:
	// lag 42.15 degrees
	// step-out frequency 2.98 Hz
}
