package strain

import "sinew/pkg/sim/spatial"

// The memory of material and friction is the strains of dashpots at the last two levels and the
// bends at which springs that slip are free. It is part of a saved state.

// memoryLen is the number of its values.
func (s *State) historyLen() int {
	return 6*2*len(s.maxwell.now)*s.dashpotTwists() + 2*len(s.jenkins.unloadedBend)
}

// dashpotTwists is how many twists the strain of a dashpot is: its slope is one where strains are
// linear along elements.
func (s *State) dashpotTwists() int {
	if s.rod.Order == 4 {
		return 2
	}
	return 1
}

// dashpots calls f with every twist of the strains of the dashpots.
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

// saveMemory writes the memory to dst.
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

// restoreMemory makes src, written by saveMemory, the memory.
func (s *State) restoreHistory(src []float64) {
	s.forEachDashpot(func(x *spatial.Twist) {
		x.Linear, x.Angular = spatial.VecAt(src), spatial.VecAt(src[3:])
		src = src[6:]
	})
	for i := range s.jenkins.unloadedBend {
		s.jenkins.unloadedBend[i] = bend{src[2*i], src[2*i+1]}
	}
}
