package hil

import (
	"math"

	"sinew/pkg/sim/trajectory"
)

// Health tells how well a motion was recorded.
type Health struct {
	Samples  int     // number of samples
	StartS   float64 // first stamp, s
	EndS     float64 // last stamp, s
	RateHz   float64 // 1 / median interval
	JitterS  float64 // standard deviation of the intervals that are not gaps, s
	LongestS float64 // longest interval, s
	Gaps     int     // intervals longer than 1.5 median ones
	Missing  int     // samples that would have filled the gaps
}

// health examines a valid series.
func health(s *trajectory.Poses) Health {
	h := Health{Samples: s.Len(), StartS: s.Start(), EndS: s.End()}
	median := medianInterval(s)
	h.RateHz = 1 / median
	sum, n := 0.0, 0
	for i := 1; i < len(s.T); i++ {
		dt := s.T[i] - s.T[i-1]
		h.LongestS = max(h.LongestS, dt)
		if dt > 1.5*median {
			h.Gaps++
			h.Missing += int(math.Round(dt/median)) - 1
			continue
		}
		sum += (dt - median) * (dt - median)
		n++
	}
	h.JitterS = math.Sqrt(sum / max(1, float64(n)))
	return h
}
