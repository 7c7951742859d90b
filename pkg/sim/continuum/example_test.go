package continuum_test

import (
	"fmt"
	"log"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// The tendon of a small robot pulls with 3 N for a second of simulated time.
func Example() {
	file := robotfile.Example[robotfile.Continuum]()
	robot, err := continuum.NewRobot(file) // never changes
	if err != nil {
		log.Fatal(err)
	}
	model, err := robot.NewModel() // a state of the robot, one of any number
	if err != nil {
		log.Fatal(err)
	}
	ports := map[string]int{}
	for i, p := range model.Ports() {
		ports[p.Name] = i
	}
	model.Command(ports["servo_jf"], []float64{3}) // N
	for range int(1/file.Solver.Step + 0.5) {
		if err := model.Step(file.Solver.Step); err != nil {
			log.Fatal(err)
		}
	}
	tip := make([]float64, 7) // position and unit quaternion
	model.Value(ports["measured_cp"], tip)
	fmt.Printf("The tip is at %.1f, %.1f, %.1f mm.\n", 1000*tip[0], 1000*tip[1], 1000*tip[2])
	// Output: The tip is at 213.5, 0.0, 105.9 mm.
}
