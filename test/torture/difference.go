package torture

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Difference is how far two runs of a robot are from one another, rms over time and
// robots.
type Difference struct {
	Distance float64 // relative to the way that the robot goes and the margin of the case
	Angle    float64 // rad
}

// Exceeds reports whether d is beyond the limit.
func (d Difference) Exceeds(limit Difference) bool {
	return !(d.Distance <= limit.Distance && d.Angle <= limit.Angle)
}

// Compare returns the difference of run a from run b at a finer step, up to where the
// shorter one ends.
func (c *Case) Compare(a, b Outcome) Difference {
	n := min(len(a.Poses), len(b.Poses))
	if c.Horizon > 0 {
		n = min(n, c.Horizon)
	}
	distance, angle, count := 0.0, 0.0, 0
	for i := range n {
		for j := 0; j < len(a.Poses[i]); j += poseLen {
			p, q := a.Poses[i][j:], b.Poses[i][j:]
			distance += spatial.VecAt(p).Sub(spatial.VecAt(q)).Norm2()
			angle += square(angleBetween(p[3:], q[3:]))
			count++
		}
	}
	if count == 0 {
		return Difference{}
	}
	way := max(a.way(), b.way()) // also where the other run has ended
	mean := 1 / float64(count)
	return Difference{Distance: math.Sqrt(distance*mean) / (way + c.Margin), Angle: math.Sqrt(angle * mean)}
}

// way is how far the robots went from where they were after the first step, m.
func (o *Outcome) way() float64 {
	way := 0.0
	for _, v := range o.Poses {
		for j := 0; j < len(v); j += poseLen {
			way = max(way, spatial.VecAt(v[j:]).Sub(spatial.VecAt(o.Poses[0][j:])).Norm())
		}
	}
	return way
}

// angleBetween returns the angle (rad) between two orientations, unit quaternions.
func angleBetween(p, q []float64) float64 {
	dot := p[0]*q[0] + p[1]*q[1] + p[2]*q[2] + p[3]*q[3]
	return 2 * math.Acos(min(1, math.Abs(dot)))
}

func square(x float64) float64 { return x * x }
