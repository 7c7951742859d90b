package observer

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sinew/pkg/sim/spatial"
)

// placesInACell is at how many places between two stations a force may be.
const placesInACell = 16

// pointForce is a force with its place: means and standard deviations.
type pointForce struct {
	force, forceDeviation spatial.Vec // N, world axes
	place, placeDeviation float64     // m
	probability           float64     // that there is one
}

// places finds the one force that the forces of the stations stand for. Within each hypothesis the forces of two stations, a normal distribution,
// are met by one force at each place between them: in the mean by its likelihood, which is that of the place. The lever rule puts a force
// elsewhere by up to h²/(4l), in cells of size h, where it bends a cantilever of length l as much.
type places struct {
	length float64      // of the rod, m
	rows   [6][]float64 // of L, for the forces of two stations, or of one
	middle spatial.Vec6 // of the members
	spread [6][]float64 // rows times the root of a hypothesis

	weights []float64 // probability of each place
	all     []pointForce
}

func newPlaces(f *filter, length float64) *places {
	p := &places{length: length, weights: make([]float64, 0, len(f.hypotheses)*placesInACell), all: make([]pointForce, 0, len(f.hypotheses)*placesInACell)}
	for i := range p.rows {
		p.rows[i], p.spread[i] = make([]float64, f.rank), make([]float64, f.rank)
	}
	return p
}

// row reads the members' values of row i.
func (p *places) row(i int, f *filter, values []float64) {
	f.coordinates(p.rows[i], values)
	p.middle[i] = floats.Sum(values) / float64(len(values))
}

// atTip is the force of a robot with one station.
func (p *places) atTip(u *unknowns, f *filter) (x pointForce) {
	x.place = u.stations[0]
	var mean, deviation [3]float64
	for i := range 3 {
		p.row(i, f, u.list[i].values)
		mean[i], deviation[i] = p.middle[i], floats.Norm(p.rows[i], 2)
	}
	x.force, x.forceDeviation = spatial.VecAt(mean[:]), spatial.VecAt(deviation[:])
	return x
}

// ofTip is the force of a robot with one station if there is one: of the first hypothesis alone, by the rows that atTip has read.
func (p *places) ofTip(f *filter) (size, deviation float64) {
	all := 0.0
	for _, h := range f.hypotheses[:len(f.modes)] {
		all += h.weight
	}
	var mean [3]float64
	square := 0.0
	for k := range f.modes {
		h := &f.hypotheses[k]
		share := h.weight / all
		p.project(f, h, 3)
		for i := range mean {
			m := p.middle[i] + floats.Dot(p.rows[i], h.mean)
			mean[i] += share * m
			square += share * (m*m + floats.Dot(p.spread[i], p.spread[i]))
		}
	}
	size = spatial.VecAt(mean[:]).Norm()
	return size, math.Sqrt(max(0, square-size*size))
}

// project multiplies the first rows by the root of a hypothesis.
func (p *places) project(f *filter, h *hypothesis, rows int) {
	for i := range rows {
		clear(p.spread[i])
		for k, x := range p.rows[i] {
			floats.AddScaled(p.spread[i], x, h.root[k*f.rank:(k+1)*f.rank])
		}
	}
}

// find is the force of all hypotheses.
func (p *places) find(u *unknowns, f *filter) pointForce {
	none := f.evidence(len(u.stations))
	total := none
	for i := range u.stations {
		total += f.evidence(i)
	}
	x := p.atTip(u, f)
	if len(u.stations) > 1 {
		x = p.anywhere(u, f, none)
	}
	x.probability = 1 - none/total
	return x
}

// anywhere is the force of a robot with several stations.
func (p *places) anywhere(u *unknowns, f *filter, none float64) pointForce {
	p.weights, p.all = p.weights[:0], p.all[:0]
	modes := len(f.modes)
	for cell := range u.stations {
		first := cell * modes
		c := cellOf(u.stations, cell)
		for i := range c.count {
			p.row(i, f, u.list[3*(cell-1)+6-c.count+i].values)
		}
		if f.hypotheses[first].isOut {
			continue
		}
		all := 0.0
		for k := range modes {
			all += f.hypotheses[first+k].weight
		}
		for k := range modes {
			h := &f.hypotheses[first+k]
			p.hypothesis(f, h, h.weight/all*f.evidence(cell), &c)
		}
	}
	if none > 0 {
		p.weights = append(p.weights, none)
		p.all = append(p.all, pointForce{place: p.length / 2, placeDeviation: p.length / math.Sqrt(12)})
	}
	return p.mean()
}

// cell is where the force of a hypothesis is: between the base or a station and the next.
type cell struct {
	count       int // of forces: of the station at its end three, of that at its start, if there is one, three more before
	start, size float64
}

func cellOf(stations []float64, i int) cell {
	if i == 0 {
		return cell{3, 0, stations[0]}
	}
	return cell{6, stations[i-1], stations[i] - stations[i-1]}
}

// hypothesis adds the places of a hypothesis in a mode.
func (p *places) hypothesis(f *filter, h *hypothesis, weight float64, c *cell) {
	var z [2]spatial.Vec
	var covariance [2][2]spatial.Mat3
	var mean spatial.Vec6
	p.project(f, h, c.count)
	for i := range c.count {
		mean[i] = p.middle[i] + floats.Dot(p.rows[i], h.mean)
	}
	block := func(i, j int) spatial.Mat3 {
		d := func(a, b int) float64 { return floats.Dot(p.spread[i+a], p.spread[j+b]) }
		return spatial.Mat3{XX: d(0, 0), XY: d(0, 1), XZ: d(0, 2), YX: d(1, 0), YY: d(1, 1), YZ: d(1, 2), ZX: d(2, 0), ZY: d(2, 1), ZZ: d(2, 2)}
	}
	z[0], z[1] = mean.Linear(), mean.Angular()
	stations := c.count / 3
	for i := range stations {
		for j := range stations {
			covariance[i][j] = block(3*i, 3*j)
		}
	}
	trace := 0.0
	for i := range stations {
		trace += covariance[i][i].Trace()
	}
	for i := range stations { // forces that are known to be in a ratio
		covariance[i][i] = covariance[i][i].Add(spatial.Identity3().Scale(roundoffShare * trace))
	}
	w := inverse(&covariance, stations)
	var wz [2]spatial.Vec
	square := 0.0
	for i := range stations {
		for j := range stations {
			wz[i] = wz[i].Add(w[i][j].Apply(z[j]))
		}
		square += z[i].Dot(wz[i])
	}
	first, most, total := len(p.all), math.Inf(-1), 0.0
	for k := range placesInACell {
		share := (float64(k) + 0.5) / placesInACell
		lever := [2]float64{1 - share, share}
		if stations == 1 {
			lever[0] = share
		}
		var normal spatial.Mat3
		var right spatial.Vec
		for i := range stations {
			right = right.Add(wz[i].Scale(lever[i]))
			for j := range stations {
				normal = normal.Add(w[i][j].Scale(lever[i] * lever[j]))
			}
		}
		inv := normal.Inv()
		force := inv.Apply(right)
		// no size of the force is more probable than another: its prior probability is that of the logarithm
		prior := 3 * math.Log(force.Dot(force)+inv.Trace())
		log := -(square - force.Dot(right) + math.Log(normal.Det()) + prior) / 2
		if math.IsNaN(log) {
			continue
		}
		most = max(most, log)
		p.weights = append(p.weights, log)
		grid, bend := c.size/(placesInACell*math.Sqrt(12)), c.size*c.size/(4*p.length)
		p.all = append(p.all, pointForce{
			force: force, forceDeviation: spatial.Vec{X: math.Sqrt(inv.XX), Y: math.Sqrt(inv.YY), Z: math.Sqrt(inv.ZZ)},
			place: c.start + share*c.size, placeDeviation: math.Hypot(grid, bend),
		})
	}
	weights := p.weights[first:]
	for i, log := range weights {
		weights[i] = math.Exp(log - most)
		total += weights[i]
	}
	floats.Scale(weight/total, weights)
}

// roundoffShare is the variance that a force has at least, over that of all forces of a hypothesis.
const roundoffShare = 1e-6

// inverse is that of a covariance of the forces of one or two stations.
func inverse(c *[2][2]spatial.Mat3, stations int) (w [2][2]spatial.Mat3) {
	if stations == 1 {
		w[0][0] = c[0][0].Inv()
		return w
	}
	first := c[0][0].Inv()
	gain := c[1][0].Mul(first)
	rest := c[1][1].Sub(gain.Mul(c[0][1])) // of the second force, when the first is known
	w[1][1] = rest.Inv()
	w[1][0] = w[1][1].Mul(gain).Scale(-1)
	w[0][1] = w[1][0].T()
	w[0][0] = first.Add(gain.TMul(w[1][1].Mul(gain)))
	return w
}

// mean is that of all places.
func (p *places) mean() (x pointForce) {
	total := 0.0
	var square spatial.Vec
	squarePlace := 0.0
	hadamard := func(a, b spatial.Vec) spatial.Vec { return spatial.Vec{X: a.X * b.X, Y: a.Y * b.Y, Z: a.Z * b.Z} }
	for i := range p.all {
		a, w := &p.all[i], p.weights[i]
		total += w
		x.force = x.force.Add(a.force.Scale(w))
		x.place += w * a.place
		square = square.Add(hadamard(a.force, a.force).Add(hadamard(a.forceDeviation, a.forceDeviation)).Scale(w))
		squarePlace += w * (a.place*a.place + a.placeDeviation*a.placeDeviation)
	}
	x.force, x.place = x.force.Scale(1/total), x.place/total
	square = square.Scale(1 / total).Sub(hadamard(x.force, x.force))
	x.forceDeviation = spatial.Vec{X: math.Sqrt(max(0, square.X)), Y: math.Sqrt(max(0, square.Y)), Z: math.Sqrt(max(0, square.Z))}
	x.placeDeviation = math.Sqrt(max(0, squarePlace/total-x.place*x.place))
	return x
}
