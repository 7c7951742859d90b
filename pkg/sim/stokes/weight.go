package stokes

import "sinew/pkg/sim/spatial"

// Weight is gravity less buoyancy, acting at different points: the centre of mass
// and the centre of volume. It is immutable.
type Weight struct {
	excess float64     // mass less displaced mass, kg
	moment spatial.Vec // of mass less displaced mass about the reference point, kg m, body axes
}

// NewWeight returns the weight of a body of the given mass (kg) with its centre of
// mass at center (m, body axes) and the volume of shape s, in fluid of the given
// density (kg/m³).
func NewWeight(mass float64, center spatial.Vec, s *Shape, fluidDensity float64) Weight {
	displaced := fluidDensity * s.Volume
	return Weight{
		excess: mass - displaced,
		moment: center.Scale(mass).AddScaled(-displaced, s.Centroid),
	}
}

// Wrench returns the load under the gravitational acceleration g (m/s², body axes),
// body axes, about the reference point.
func (w *Weight) Wrench(g spatial.Vec) spatial.Wrench {
	return spatial.Wrench{Force: g.Scale(w.excess), Moment: w.moment.Cross(g)}
}
