package strain

import "sinew/pkg/sim/spatial"

// The history of the material consists of the strains of the Maxwell dashpots at the last two
// levels and the unloaded bends of the Jenkins elements. It is part of a saved state.

// historyLen returns the number of values of the history.
func (s *State) historyLen() int {
	return 6*2*len(s.maxwell.now)*s.dashpotTwists() + 2*len(s.jenkins.unloadedBend)
}

// dashpotTwists returns the number of twists of a dashpot strain: mean and slope for elements of
// order 4, else the mean.
func (s *State) dashpotTwists() int {
	if s.rod.Order == 4 {
		return 2
	}
	return 1
}

// forEachDashpot calls f with every twist of the dashpot strains.
func (s *State) forEachDashpot(f func(x *spatial.Twist)) {
	slopes := s.dashpotTwists() > 1
	for _, level := range [...][]linearStrain{s.maxwell.now, s.maxwell.past} {
		for i := range level {
			f(&level[i].mean)
			if slopes {
				f(&level[i].slope)
			}
		}
	}
}

// saveHistory writes the history to dst.
func (s *State) saveHistory(dst []float64) {
	s.forEachDashpot(func(x *spatial.Twist) {
		x.Linear.Put(dst)
		x.Angular.Put(dst[3:])
		dst = dst[6:]
	})
	for i, p := range s.jenkins.unloadedBend {
		dst[2*i], dst[2*i+1] = p.x, p.y
	}
}

// restoreHistory reads the history from src, which saveHistory wrote.
func (s *State) restoreHistory(src []float64) {
	s.forEachDashpot(func(x *spatial.Twist) {
		x.Linear, x.Angular = spatial.VecAt(src), spatial.VecAt(src[3:])
		src = src[6:]
	})
	for i := range s.jenkins.unloadedBend {
		s.jenkins.unloadedBend[i] = bend{src[2*i], src[2*i+1]}
	}
}
