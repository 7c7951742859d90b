package hil

import (
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// point returns the point at the fraction u ∈ [0, 1] of the length, interpolated
// between nodes.
func point(nodes []spatial.Vec, u float64) spatial.Vec {
	h := u * float64(len(nodes)-1)
	i := min(int(h), len(nodes)-2)
	return nodes[i].AddScaled(h-float64(i), nodes[i+1].Sub(nodes[i]))
}

// ShapeError is the error at one place along the robot.
type ShapeError struct {
	Fraction float64 // place from the base as a fraction of the length
	ArcM     float64 // place as arc length from the base, m; NaN if the length is unknown
	RMSE     float64 // root mean square of the error, m
	Mean     float64 // m
	Max      float64 // m
}

// compareShapes returns the errors at the nodes of the hardware, nil if the
// recordings have no shapes at common times.
func compareShapes(sim, hw *trajectory.Shape, r *Result, maxGap float64) []ShapeError {
	if len(sim.T) == 0 || len(hw.T) == 0 {
		return nil
	}
	n := len(hw.Nodes[0])
	errs := make([][]float64, n)
	for i, t := range hw.T {
		t -= r.LatencyS
		k, where := trajectory.Locate(len(sim.T), func(k int) float64 { return sim.T[k] }, t, maxGap)
		if where != trajectory.Inside {
			continue
		}
		for j := range n {
			u := float64(j) / float64(n-1)
			p := point(sim.Nodes[k], u)
			if sim.T[k] != t {
				next := point(sim.Nodes[k+1], u)
				p = p.AddScaled((t-sim.T[k])/(sim.T[k+1]-sim.T[k]), next.Sub(p))
			}
			errs[j] = append(errs[j], p.Sub(r.Frame.Pose.Apply(hw.Nodes[i][j])).Norm())
		}
	}
	if len(errs[0]) == 0 {
		return nil
	}
	out := make([]ShapeError, n)
	for j := range out {
		s, u := summarize(errs[j]), float64(j)/float64(n-1)
		out[j] = ShapeError{Fraction: u, ArcM: r.arc(u), RMSE: s.RMSE, Mean: s.Mean, Max: s.Max}
	}
	return out
}
