package strain

import "sinew/pkg/sim/spatial"

// shiftLevels shifts the history of strains by one level, so that past.strain is free for the
// strains of the start of the step.
func (s *State) shiftLevels() {
	free := s.past.older[HistoryLevels-3]
	copy(s.past.older[1:], s.past.older[:])
	s.past.older[0], s.past.strain = s.past.strain, free
}

// strainLevels returns the strains of element e at the start of the step and at the levels before
// it.
func (s *State) strainLevels(e int) (x [HistoryLevels]*spatial.Twist) {
	x[0], x[1] = &s.start.strain[e], &s.past.strain[e]
	for k, older := range s.past.older {
		x[2+k] = &older[e]
	}
	return x
}

// Extrapolate sets the strains to those at the start of the step plus weights times their changes
// in the steps before, the last step first.
func (s *State) Extrapolate(weights []float64) {
	for e := range s.Strain {
		x := s.strainLevels(e)
		if s.elements[e].isLinear {
			s.Strain[e] = extrapolateCoords(x[:], weights)
			continue
		}
		sum := *x[0]
		for k, w := range weights {
			sum.Linear = sum.Linear.AddScaled(w, x[k].Linear.Sub(x[k+1].Linear))
			sum.Angular = sum.Angular.AddScaled(w, x[k].Angular.Sub(x[k+1].Angular))
		}
		s.Strain[e] = sum
	}
	s.UpdateKinematics()
}

// extrapolateCoords extrapolates an element in its inextensible coordinates.
func extrapolateCoords(x []*spatial.Twist, weights []float64) spatial.Twist {
	last := inextensibleCoordsOf(x[0])
	sum := last
	for k, w := range weights {
		p := inextensibleCoordsOf(x[k+1])
		sum.x += w * (last.x - p.x)
		sum.y += w * (last.y - p.y)
		sum.q += w * (last.q - p.q)
		sum.angular = sum.angular.AddScaled(w, last.angular.Sub(p.angular))
		last = p
	}
	return sum.strain()
}

// BackwardDifferences returns, by order from 1 to HistoryLevels − 1, the largest backward
// difference of an element's rotation at the start of a step, rad. In a smooth motion with steps of
// one length it is the change of the extrapolation by one more order.
func (s *State) BackwardDifferences() (largest [HistoryLevels]float64) {
	for e := range s.Strain {
		x := s.strainLevels(e)
		var d [HistoryLevels]spatial.Vec
		for k := range d {
			d[k] = x[k].Angular
		}
		for order := 1; order < HistoryLevels; order++ {
			for k := range HistoryLevels - order {
				d[k] = d[k].Sub(d[k+1])
			}
			largest[order] = maxAbs(largest[order], d[0])
		}
	}
	return largest
}
