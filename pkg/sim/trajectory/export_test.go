package trajectory

import "sinew/pkg/sim"

// Unexported names for the external tests.
const MostMetres = mostMetres

var IsRotation = isRotation

// TendonPorts are those of a robot with two tendons.
func TendonPorts() []sim.Port {
	labels := []string{"a", "b"}
	return []sim.Port{
		{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: labels, Parts: sim.Position},
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: labels, Unit: "N", Group: "tendons", Min: []float64{0, 0}, Max: []float64{5, 5}, Strict: true},
	}
}
