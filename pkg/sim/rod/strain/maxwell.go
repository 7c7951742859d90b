package strain

import (
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Branch is a spring in series with a dashpot beside the elastic stiffness K of an element, as in
// the standard linear solid and, with several of them, the generalised Maxwell body: with α the
// strain of the dashpot, its stress and its motion are
//
//	q = Ratio K (ε − α),  Time dα/dt = ε − α.
//
// In a step of a BDF, dα/dt = γ (α − α̂), so that α = (ε + τγ α̂)/(1 + τγ) and
//
//	q = r K (ε − α̂),  r = Ratio τγ/(1 + τγ),
//
// which is the law of damping with another rate, and stable for every time constant, as the
// formula is. So damping and all branches together are one damping: with r their sum,
// Σ r_i K (ε − ε̂_i) = r K (ε − ε̂) about the mean ε̂ of the ε̂_i weighted by r_i. The tangent is
// exact without anything else, and so is the slope of elements of order 4. In equilibria all
// dashpots have followed.
type Branch struct {
	Ratio float64 // stiffness of the spring over that of the element, above 0
	Time  float64 // time constant, s, above 0
}

// rate is r.
func (b *Branch) rate(gamma float64) float64 {
	c := b.Time * gamma
	return b.Ratio * c / (1 + c)
}

// viscous are the branches of all elements, one after the other.
type viscous struct {
	of        [][]Branch // by element; nil: there are none
	now, past []shape    // strains of the dashpots, times the length, at the last two levels
	hat       []shape    // α̂
}

func newViscous(of [][]Branch) viscous {
	count := 0
	for _, all := range of {
		count += len(all)
	}
	if count == 0 {
		return viscous{}
	}
	return viscous{of: of, now: make([]shape, count), past: make([]shape, count), hat: make([]shape, count)}
}

// relax lets all dashpots follow.
func (s *State) relax() {
	if s.viscous.of == nil {
		return
	}
	k, slopes := 0, s.slopes()
	for e, all := range s.viscous.of {
		for range all {
			s.viscous.now[k] = shaped(&s.Strain[e], &slopes[e])
			k++
		}
	}
	copy(s.viscous.past, s.viscous.now)
}

// holdDashpots adds the branches to the damping of a step.
func (s *State) holdDashpots(f integrate.BDF) {
	k := 0
	for e, all := range s.viscous.of {
		if len(all) == 0 {
			continue
		}
		hat, rate := &s.step.hat[e], s.step.rate[e]
		var sum shape
		sum.add(rate, hat)
		for i := range all {
			now, past, at := &s.viscous.now[k], &s.viscous.past[k], &s.viscous.hat[k]
			at.mean, at.slope = hatTwist(f, &now.mean, &past.mean), hatTwist(f, &now.slope, &past.slope)
			r := all[i].rate(f.Gamma)
			sum.add(r, at)
			rate += r
			k++
		}
		*hat, s.step.rate[e] = shape{}, rate
		hat.add(1/rate, &sum)
	}
}

// acceptDashpots moves the dashpots to where they are at the end of the step.
func (s *State) acceptDashpots() {
	k := 0
	for e, all := range s.viscous.of {
		if len(all) == 0 {
			continue
		}
		y := shaped(&s.Strain[e], &s.slope[e])
		for i := range all {
			c := all[i].Time * s.step.gamma
			var at shape
			at.add(1/(1+c), &y)
			at.add(c/(1+c), &s.viscous.hat[k])
			s.viscous.past[k], s.viscous.now[k] = s.viscous.now[k], shape{at.mean.Flush(), at.slope.Flush()}
			k++
		}
	}
}

// branchEnergy is the energy of the springs of the branches at the end of the last step, J.
func (s *State) branchEnergy(slopes []spatial.Twist) (sum float64) {
	k := 0
	for e, all := range s.viscous.of {
		for i := range all {
			y := shaped(&s.Strain[e], &slopes[e])
			sum += all[i].Ratio * s.elements[e].form(y.minus(&s.viscous.now[k].mean, &s.viscous.now[k].slope))
			k++
		}
	}
	return sum
}

// addBranchStress adds the stress of the branches of the first element, of the shape y, at the
// end of the last step.
func (s *State) addBranchStress(y *shape, n, m spatial.Vec) (spatial.Vec, spatial.Vec) {
	if s.viscous.of == nil {
		return n, m
	}
	law := &s.elements[0]
	for i, b := range s.viscous.of[0] {
		d := y.minus(&s.viscous.now[i].mean, &s.viscous.now[i].slope)
		cn, cm := law.coupled(&d.slope)
		n = n.AddScaled(b.Ratio, law.linear.Mul(d.mean.Linear).Add(cn))
		m = m.AddScaled(b.Ratio, law.angular.Mul(d.mean.Angular).Add(cm))
	}
	return n, m
}

// add adds scale times x.
func (y *shape) add(scale float64, x *shape) {
	y.mean = spatial.Twist{Linear: y.mean.Linear.AddScaled(scale, x.mean.Linear), Angular: y.mean.Angular.AddScaled(scale, x.mean.Angular)}
	y.slope = spatial.Twist{Linear: y.slope.Linear.AddScaled(scale, x.slope.Linear), Angular: y.slope.Angular.AddScaled(scale, x.slope.Angular)}
}

func hatTwist(f integrate.BDF, now, past *spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: f.Hat(now.Linear, past.Linear), Angular: f.Hat(now.Angular, past.Angular)}
}
