package sim

import (
	"errors"

	"sinew/pkg/sim/spatial"
)

// Linearisation is one step about the present state and setpoints: x′ = A x + B u and y = C x′ of small changes x of the state at its
// beginning, x′ at its end, u of the inputs, held throughout, and y of the outputs at its end.
type Linearisation struct {
	States      []string    `json:"states"`
	StateUnits  []string    `json:"state_units"`
	Inputs      []string    `json:"inputs"`
	InputUnits  []string    `json:"input_units"`
	Outputs     []string    `json:"outputs"`
	OutputUnits []string    `json:"output_units"`
	A           [][]float64 `json:"a"` // by row, as B and C
	B           [][]float64 `json:"b"`
	C           [][]float64 `json:"c"`
	Inexact     float64     `json:"inexact"` // as of Jacobian
}

// Linearisable is a model whose steps can be linearised.
type Linearisable interface {
	// Linearise linearises a step of dt seconds, dt > 0, from the present state. It leaves the state as it was.
	Linearise(dt float64) (*Linearisation, error)
}

// ErrNoLinearisation is the error, in the sense of errors.Is, of a robot with more state than a Linearisation has, or with kinks.
var ErrNoLinearisation = errors.New("a step of this robot is not linearised")

// StateParts is the number of parts of a state of two levels, of six coordinates a node each: poses and velocities now, and poses and
// velocities one step before.
const StateParts = 4

// NewTwoLevelLinearisation returns a linearisation without outputs by poses and velocities of two levels of nodes with the given names. Its
// values are 0 but those of A by which the present level becomes the one before.
func NewTwoLevelLinearisation(nodes, inputs, inputUnits []string) *Linearisation {
	l := &Linearisation{Inputs: inputs, InputUnits: inputUnits}
	for part, kind := range [StateParts]string{"pose", "velocity", "pose_before", "velocity_before"} {
		for _, node := range nodes {
			for c, axis := range poseAxes {
				unit := poseUnits[c]
				if part%2 == 1 {
					unit += "/s"
				}
				l.States, l.StateUnits = append(l.States, kind+"."+node+"."+axis), append(l.StateUnits, unit)
			}
		}
	}
	n := len(l.States)
	l.A, l.B = make([][]float64, n), make([][]float64, n)
	for i := range n {
		l.A[i], l.B[i] = make([]float64, n), make([]float64, len(inputs))
		if i >= n/2 {
			l.A[i][i-n/2] = 1
		}
	}
	return l
}

var (
	poseAxes  = [...]string{"x", "y", "z", "rx", "ry", "rz"}
	poseUnits = [...]string{"m", "m", "m", "rad", "rad", "rad"}
)

// SetColumn writes column k of A or B of a linearisation of two levels: changes of poses, as body increments, and velocities at the end
// of the step, by node.
func SetColumn(of [][]float64, k int, pose, velocity []spatial.Vec6) {
	n := len(pose)
	for i := range n {
		for c := range 6 {
			of[6*i+c][k], of[6*(n+i)+c][k] = pose[i][c], velocity[i][c]
		}
	}
}

// AddPoseOutputs adds the pose of a node with rotation r at the end of the step to the outputs: position and rotation vector, world axes.
// Their names are prefix and an axis.
func (l *Linearisation) AddPoseOutputs(prefix string, node int, r *spatial.Mat3) {
	for k, axis := range poseAxes {
		l.Outputs, l.OutputUnits = append(l.Outputs, prefix+axis), append(l.OutputUnits, poseUnits[k])
		row := make([]float64, len(l.States))
		direction := [...]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}[k%3]
		r.ApplyT(direction).Put(row[6*node+k/3*3:])
		l.C = append(l.C, row)
	}
}
