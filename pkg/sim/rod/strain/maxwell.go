package strain

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Branch is a Maxwell branch: a spring in series with a dashpot, parallel to the elastic stiffness
// K of an element. One branch makes the standard linear solid, several the generalised Maxwell
// model. With α the strain of the dashpot, stress and flow are
//
//	q = Ratio K (ε − α),  Time dα/dt = ε − α.
//
// In a step of a BDF, dα/dt = γ (α − α̂), so α = (ε + τγ α̂)/(1 + τγ) with τ = Time, and
//
//	q = r K (ε − α̂),  r = Ratio τγ/(1 + τγ).
//
// This is the law of internal damping with another rate, and it is stable for every time constant,
// like the BDF. Damping and all branches of an element therefore act as one damping with the sum r
// of their rates: Σ r_i K (ε − ε̂_i) = r K (ε − ε̂), where ε̂ is the mean of the ε̂_i weighted by
// r_i. The tangent and the slope of elements of order 4 stay exact. In equilibria all dashpots are
// relaxed.
type Branch struct {
	Ratio float64 // stiffness of the spring over that of the element, above 0
	Time  float64 // time constant, s, above 0
}

// dampingRate returns r for the rate gamma of the BDF (1/s).
func (b *Branch) dampingRate(gamma float64) float64 {
	c := b.Time * gamma
	return b.Ratio * c / (1 + c)
}

// maxwellState is the state of the branches of all elements, one after the other.
type maxwellState struct {
	branches  [][]Branch     // by element; nil: there are none
	now, past []linearStrain // strains of the dashpots times the element length at the last two levels
	hat       []linearStrain // α̂
}

func newMaxwellState(of [][]Branch) maxwellState {
	count := 0
	for _, all := range of {
		count += len(all)
	}
	if count == 0 {
		return maxwellState{}
	}
	return maxwellState{branches: of, now: make([]linearStrain, count), past: make([]linearStrain, count), hat: make([]linearStrain, count)}
}

// relaxDashpots sets the dashpots to equilibrium at the present strains.
func (s *State) relaxDashpots() {
	if s.maxwell.branches == nil {
		return
	}
	k, slopes := 0, s.committedSlopes()
	for e, all := range s.maxwell.branches {
		for range all {
			s.maxwell.now[k] = newLinearStrain(&s.Strain[e], &slopes[e])
			k++
		}
	}
	copy(s.maxwell.past, s.maxwell.now)
}

// beginDashpots adds the branches to the damping of a step.
func (s *State) beginDashpots(f integrate.BDF) {
	k := 0
	for e, all := range s.maxwell.branches {
		if len(all) == 0 {
			continue
		}
		hat, rate := &s.step.hat[e], s.step.rate[e]
		var sum linearStrain
		sum.addScaled(rate, hat)
		for i := range all {
			now, past, at := &s.maxwell.now[k], &s.maxwell.past[k], &s.maxwell.hat[k]
			at.mean, at.slope = bdfHat(f, &now.mean, &past.mean), bdfHat(f, &now.slope, &past.slope)
			r := all[i].dampingRate(f.Gamma)
			sum.addScaled(r, at)
			rate += r
			k++
		}
		*hat, s.step.rate[e] = linearStrain{}, rate
		hat.addScaled(1/rate, &sum)
	}
}

// commitDashpots sets the dashpots to their strains at the end of the step.
func (s *State) commitDashpots() {
	k := 0
	for e, all := range s.maxwell.branches {
		if len(all) == 0 {
			continue
		}
		y := newLinearStrain(&s.Strain[e], &s.slope[e])
		for i := range all {
			c := all[i].Time * s.step.gamma
			var at linearStrain
			at.addScaled(1/(1+c), &y)
			at.addScaled(c/(1+c), &s.maxwell.hat[k])
			s.maxwell.past[k], s.maxwell.now[k] = s.maxwell.now[k], linearStrain{at.mean.Flush(), at.slope.Flush()}
			k++
		}
	}
}

// branchEnergy returns the energy of the branches' springs at the end of the last step, J.
func (s *State) branchEnergy(slopes []spatial.Twist) (sum float64) {
	k := 0
	for e, all := range s.maxwell.branches {
		for i := range all {
			y := newLinearStrain(&s.Strain[e], &slopes[e])
			sum += all[i].Ratio * s.elements[e].quadraticForm(y.minus(&s.maxwell.now[k].mean, &s.maxwell.now[k].slope))
			k++
		}
	}
	return sum
}

// addBranchStress adds the stress of the branches of the first element, with the linear strain y,
// at the end of the last step to n and m.
func (s *State) addBranchStress(y *linearStrain, n, m spatial.Vec) (spatial.Vec, spatial.Vec) {
	if s.maxwell.branches == nil {
		return n, m
	}
	law := &s.elements[0]
	for i, b := range s.maxwell.branches[0] {
		d := y.minus(&s.maxwell.now[i].mean, &s.maxwell.now[i].slope)
		cn, cm := law.couplingStress(&d.slope)
		n = n.AddScaled(b.Ratio, law.linear.Mul(d.mean.Linear).Add(cn))
		m = m.AddScaled(b.Ratio, law.angular.Mul(d.mean.Angular).Add(cm))
	}
	return n, m
}

// addScaled adds scale x to y.
func (y *linearStrain) addScaled(scale float64, x *linearStrain) {
	y.mean = spatial.Twist{Linear: y.mean.Linear.AddScaled(scale, x.mean.Linear), Angular: y.mean.Angular.AddScaled(scale, x.mean.Angular)}
	y.slope = spatial.Twist{Linear: y.slope.Linear.AddScaled(scale, x.slope.Linear), Angular: y.slope.Angular.AddScaled(scale, x.slope.Angular)}
}

func bdfHat(f integrate.BDF, now, past *spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: f.Hat(now.Linear, past.Linear), Angular: f.Hat(now.Angular, past.Angular)}
}
