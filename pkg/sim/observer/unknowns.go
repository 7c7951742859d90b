package observer

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// unknown is a number that members have each their own of: a random walk.
type unknown struct {
	name, unit string
	deviation  float64   // at first
	walk       float64   // per s^0.5
	noise      float64   // standard deviation of the walk since the last update
	values     []float64 // by member
}

// unknowns are those of an observer.
type unknowns struct {
	list             []unknown
	stations         []float64 // arc lengths at which forces act, m: three unknowns each, the first ones
	stiffness        int       // number of its unknown, −1: none
	even             []float64 // stations where nothing is known of the place
	finest           float64   // N, the least deviation of a force that was certain, and is not over; else 0
	inCell           int       // the cell that has been made around the force, −1: none
	steady, changing float64   // s, mean duration of what a force does
	gains            []float64 // scratch
	loads            []sim.PointForce
}

// steadyWalk is the walk of a force that is steady, over that of one that changes: small enough to average over half a second, and large enough
// to follow what creeps.
const steadyWalk = 0.01

func newUnknowns(o *robotfile.Observer, f *robotfile.Continuum) unknowns {
	u := unknowns{stiffness: -1, inCell: -1}
	if x := o.Force; x != nil {
		u.stations = []float64{f.Rod.Length}
		if x.Anywhere {
			u.even = evenStations(f.Rod.Length)
			u.stations = slices.Clone(u.even)
		}
		for k := range u.stations {
			for _, axis := range []string{"x", "y", "z"} {
				u.list = append(u.list, unknown{name: fmt.Sprintf("force_%d.%s", k+1, axis), unit: "N", walk: x.Walk})
			}
		}
		u.steady, u.changing = x.Steady, x.Changing
		u.loads = make([]sim.PointForce, len(u.stations))
	}
	if x := o.Stiffness; x != nil {
		u.stiffness = len(u.list)
		u.list = append(u.list, unknown{name: "stiffness", unit: "1", deviation: x.Deviation, walk: x.Walk}) // its logarithm
	}
	return u
}

// hypotheses are the noises of the filter: a force somewhere between one station, or the base, and the next. By the lever rule it acts at both.
// Where it is between them is not known: the noise has the mean square of the levers of all places. The last hypothesis is that there is none.
func (u *unknowns) hypotheses() (all [][]float64) {
	n := len(u.list)
	switch len(u.stations) {
	case 0:
		return nil
	case 1:
		all = append(all, identity(n))
	default:
		all = u.cells()
	}
	none := identity(n)
	clear(none[:3*len(u.stations)*n])
	return append(all, none)
}

// cells are the noises of forces between stations.
func (u *unknowns) cells() (all [][]float64) {
	n := len(u.list)
	for h := range u.stations {
		m := identity(n)
		for i := range 3 * len(u.stations) {
			m[i*n+i] = 0
		}
		for axis := range 3 {
			i, j := 3*(h-1)+axis, 3*h+axis
			m[j*n+j] = math.Sqrt(1. / 3)
			if h > 0 {
				m[i*n+i], m[j*n+i], m[j*n+j] = math.Sqrt(1./3), math.Sqrt(1./12), math.Sqrt(1./4)
			}
		}
		all = append(all, m)
	}
	return all
}

// modes are those of the force: it is steady, or changes.
func (u *unknowns) modes() []mode {
	if len(u.stations) == 0 || u.steady == 0 {
		return nil
	}
	return []mode{{steadyWalk, u.steady}, {1, u.changing}}
}

// begin spreads the members around what is expected at first.
func (u *unknowns) begin(f *filter) {
	u.gains = make([]float64, len(u.list))
	n := f.members()
	for k := range u.list {
		x := &u.list[k]
		x.values = make([]float64, n)
		for i := range n {
			x.values[i] = spread * x.deviation * f.omega[k*n+i]
		}
	}
}

// roots are those of covariances of the filter that the hypotheses begin with, when the first directions are those of the unknowns.
func (u *unknowns) roots(f *filter) (all [][]float64) {
	n, r := len(u.list), f.rank
	for i := 0; i < len(f.hypotheses); i += len(f.modes) {
		m := identity(r)
		noise := f.hypotheses[i+len(f.modes)-1].noise
		for a := range n {
			copy(m[a*r:a*r+n], noise[a*n:(a+1)*n])
		}
		all = append(all, m)
	}
	return all
}

// reopen makes what members know of the force as wide as it may have become since it was known: around 0, by a walk of 1 s and by how large it is.
func (u *unknowns) reopen(f *filter) {
	n := f.members()
	copy(u.stations, u.even)
	u.inCell, u.finest = -1, 0
	size := 0.0
	for k := range 3 * len(u.stations) {
		mean := floats.Sum(u.list[k].values) / float64(n)
		size = math.Hypot(size, mean)
	}
	for k := range u.list {
		x := &u.list[k]
		mean, deviation := 0.0, 0.0
		if k < 3*len(u.stations) {
			deviation = math.Hypot(x.walk, size)
		} else {
			mean, deviation = floats.Sum(x.values)/float64(n), math.Sqrt(f.variance(x.values))
		}
		for i := range n {
			x.values[i] = mean + spread*deviation*f.omega[k*n+i]
		}
	}
}

// addNoise lets the walks go on for dt seconds.
func (u *unknowns) addNoise(dt float64) {
	for k := range u.list {
		x := &u.list[k]
		x.noise = x.walk * math.Sqrt(dt)
	}
}

// scale lets the reduction look at the unknowns.
func (u *unknowns) scale(f *filter) {
	for k := range u.list {
		clear(u.gains)
		u.gains[k] = u.list[k].noise
		f.scale(u.list[k].values, u.gains)
	}
}

// mix makes the unknowns those of the new members.
func (u *unknowns) mix(f *filter) {
	n := f.members()
	for k := range u.list {
		x := &u.list[k]
		f.mix(f.row[:n:n], x.values)
		for i := range n {
			x.values[i] = f.row[i] + x.noise*f.noiseWeights[k*n+i]
		}
	}
}

// applyMean gives a model the means of the unknowns.
func (u *unknowns) applyMean(m sim.Estimable) {
	mean := func(k int) float64 { return floats.Sum(u.list[k].values) / float64(len(u.list[k].values)) }
	for k, s := range u.stations {
		u.loads[k] = sim.PointForce{ArcLength: s, Force: spatial.Vec{X: mean(3 * k), Y: mean(3*k + 1), Z: mean(3*k + 2)}}
	}
	m.Disturb(u.loads)
	if k := u.stiffness; k >= 0 {
		m.ScaleStiffness(math.Exp(mean(k)))
	}
}

// apply gives member i its unknowns.
func (u *unknowns) apply(m sim.Estimable, i int) {
	for k, s := range u.stations {
		x := u.list[3*k:]
		u.loads[k] = sim.PointForce{ArcLength: s, Force: spatial.Vec{X: x[0].values[i], Y: x[1].values[i], Z: x[2].values[i]}}
	}
	m.Disturb(u.loads)
	if k := u.stiffness; k >= 0 {
		m.ScaleStiffness(math.Exp(u.list[k].values[i]))
	}
}
