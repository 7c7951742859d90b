package observer

// Where a force acts is found by cells between stations, which a force between them is divided to by the lever rule. That keeps force and moment,
// but not the shape, and so the cell around a force is made small as soon as the place is known, and wide again when it leaves.

// stationCount is the number of arc lengths at which forces act that may be anywhere: the ends of a cell, and that of the rod.
const stationCount = 3

// evenStations are as far from each other, on a rod of that length.
func evenStations(length float64) (all []float64) {
	for k := range stationCount {
		all = append(all, length*float64(k+1)/stationCount)
	}
	return all
}

// around writes to dst stations of which the first two enclose places from one to another. The cell is the one between them.
func around(dst []float64, from, to, length float64) (cell int) {
	dst[0], dst[1], dst[2] = max(from, length/50), min(to, length), length
	return 1
}

// move makes the forces of the stations those of others, of which the first two have the same sum of forces and moments.
func (u *unknowns) move(to []float64) {
	for i := range u.list[0].values {
		for axis := range 3 {
			var moved [stationCount]float64
			for k, s := range u.stations {
				x, share := u.list[3*k+axis].values[i], (s-to[0])/(to[1]-to[0])
				moved[0] += (1 - share) * x
				moved[1] += share * x
			}
			for k, x := range moved {
				u.list[3*k+axis].values[i] = x
			}
		}
	}
	copy(u.stations, to)
}

// A force is certain when it is so many standard deviations large, and over when it is surely below that many of when it was known best. The
// cell of a place is so many deviations wide on both sides, and is made when it is smaller by a factor. In the edges of the cell its place is
// in doubt. With so many cells in the length of the rod the lever rule is exact enough.
const (
	certainDeviations = 5
	cellDeviations    = 3
	smaller           = 0.6
	edge              = 0.1
	mostCells         = 20
)

// place moves the stations to where the force is, and reports whether it has.
func (o *Model) place() bool {
	u, f, x := &o.unknown, o.filter, &o.estimate.force
	if len(u.stations) < stationCount {
		o.ruleOutNone()
		return false
	}
	steady := 0.0
	for i := 0; i < len(f.hypotheses); i += len(f.modes) {
		steady += f.hypotheses[i].weight
	}
	if len(f.modes) > 1 && steady < 0.5 {
		return false
	}
	size, deviation := x.force.Norm(), x.forceDeviation.Norm()
	isCertain := size > certainDeviations*deviation
	if isCertain && (u.finest == 0 || deviation < u.finest) {
		u.finest = deviation
	}
	length := o.places.length
	best := 0
	for i := range stationCount {
		if f.evidence(i) > f.evidence(best) {
			best = i
		}
	}
	var to [stationCount]float64
	half := max(cellDeviations*x.placeDeviation, length/(2*mostCells))
	switch {
	case size+deviation < certainDeviations*u.finest:
		copy(to[:], u.even)
		u.inCell, u.finest = -1, 0
	case u.inCell >= 0:
		c := cellOf(u.stations, u.inCell)
		share := (x.place - c.start) / c.size
		if share < edge || share > 1-edge && c.start+c.size < length {
			half = c.size
		} else if 2*half > smaller*c.size {
			return false
		}
		u.inCell = around(to[:], x.place-half, x.place+half, length)
	case isCertain:
		if 2*half > smaller*cellOf(u.stations, best).size {
			return false
		}
		u.inCell = around(to[:], x.place-half, x.place+half, length)
	default:
		return false
	}
	u.move(to[:])
	f.adopt(best, func(h int) float64 {
		if u.inCell < 0 || h == u.inCell {
			return 1
		}
		return 0
	})
	return true
}

// ruleOutNone rules out that there is no force at the tip while it is certain. Though improbable, that hypothesis would keep a share of the mean,
// about which all is linear, and the larger the force is, the farther it is from where the robot is.
func (o *Model) ruleOutNone() {
	u, f, x := &o.unknown, o.filter, &o.estimate.force
	if len(u.stations) == 0 {
		return
	}
	size, deviation := o.places.ofTip(f)
	isCertain := size > certainDeviations*deviation && x.probability > 0.5
	if isCertain && (u.finest == 0 || deviation < u.finest) {
		u.finest = deviation
	}
	isOut := f.hypotheses[len(f.modes)].isOut
	switch {
	case isOut && size+deviation < certainDeviations*u.finest:
		u.finest = 0
		f.adopt(0, func(int) float64 { return 1 })
	case !isOut && isCertain:
		f.adopt(0, func(h int) float64 { return float64(1 - h) })
	}
}
