package strain

import "sinew/pkg/sim/spatial"

// pass makes room for the level before the next one, whose strains become those of the start
// of the step.
func (s *State) shiftLevels() {
	free := s.past.older[HistoryLevels-3]
	copy(s.past.older[1:], s.past.older[:])
	s.past.older[0], s.past.strain = s.past.strain, free
}

// levels returns the strains of element e at the start of the step and at the levels before.
func (s *State) strainLevels(e int) (x [HistoryLevels]*spatial.Twist) {
	x[0], x[1] = &s.start.strain[e], &s.past.strain[e]
	for k, older := range s.past.older {
		x[2+k] = &older[e]
	}
	return x
}

// Extrapolate sets the strains to those at the start of the step plus weights times their
// changes in the steps before, the last step first.
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

// continued is Extrapolate of an element along its path.
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

// Differences returns the largest backward differences of order 1 to Levels − 1 of the rotation of an
// element, rad, at the start of a step. Of a smooth motion in steps of one length they are the
// terms by which an extrapolation of one order more changes it.
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
