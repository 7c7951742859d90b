package hil

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// MarkerError is how far a marker of the simulation, or a link of a mechanism, is from that of the hardware, with the
// latency and the alignment of the result.
type MarkerError struct {
	Name     string
	Samples  int         // compared
	Outside  int         // samples of the hardware before, after or in gaps of the simulation
	Position Summary     // of the distance, m
	Angle    Summary     // of the rotation between them, rad; NaN without rotations
	Bias     spatial.Vec // mean of simulation minus hardware, m
}

// compareMarkers compares the markers that both have, and all of them pooled.
func (c *Comparison) compareMarkers(sim, hw []trajectory.Marker) {
	var pooled []float64
	for i := range hw {
		m := &hw[i]
		k := slices.IndexFunc(sim, func(s trajectory.Marker) bool { return s.Name == m.Name })
		if k < 0 {
			if len(sim) > 0 {
				c.Warnings = append(c.Warnings, fmt.Sprintf("Marker %s: the simulation has none of that name; it has %s.", m.Name, markerNames(sim)))
			}
			continue
		}
		pairs, outside, inGaps := match(&sim[k].Poses, &m.Poses, c.Removed.LatencyS, c.Options.MaxGapS)
		e := MarkerError{Name: m.Name, Samples: len(pairs), Outside: outside + inGaps}
		rotations := sim[k].Rotations && m.Rotations
		distances := make([]float64, len(pairs))
		var angles []float64
		for j := range pairs {
			hw := c.Removed.Frame.Apply(&pairs[j].Hw, rotations)
			p, angle := difference(&pairs[j].Sim, &hw, rotations)
			if distances[j] = p.Norm(); rotations {
				angles = append(angles, angle)
			}
			e.Bias = e.Bias.AddScaled(1/float64(len(pairs)), p)
		}
		if len(pairs) == 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("Marker %s: none of its %d samples of the hardware can be compared.", m.Name, m.Len()))
			continue
		}
		pooled = append(pooled, distances...)
		e.Position, e.Angle = summarize(distances), summarize(angles)
		c.Markers = append(c.Markers, e)
	}
	if len(pooled) > 0 {
		c.Pooled = summarize(pooled)
	}
}

func markerNames(all []trajectory.Marker) string {
	text := ""
	for i := range all {
		if i > 0 {
			text += ", "
		}
		text += all[i].Name
	}
	return text
}
