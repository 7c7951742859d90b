package sensor

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"sinew/pkg/sim"
	"sinew/pkg/sim/random"
	"sinew/pkg/sim/robotfile"
)

// measurement is what a sensor has read at a time.
type measurement struct {
	taken, arrives float64 // s
	values         []float64
}

// sensor is a sensor and its state.
type sensor struct {
	file    *robotfile.Sensor
	width   int // number of values
	reading     // what it measures
	source  rand.PCG
	draw    *rand.Rand // of source
	seed    uint64

	next    float64       // number of the next measurement
	arrived float64       // number of measurements that have arrived
	walk    []float64     // bias of each value beyond the constant one
	newest  []measurement // that have arrived, the newest first
	pending []measurement // that have not, in the order in which they were taken; the first of them count
	waiting int
	stopped bool // see Set.Stop
}

// A port holds the measurements of window (s), and mostSamples at most: those who read it do so more often.
const (
	window      = 0.2
	mostSamples = 100
)

// roundoff (s) is by how much a time that is a sum of steps may be too early.
const roundoff = 1e-9

func newSensor(f *robotfile.Sensor, seed int, r *Robot) *sensor {
	o := &sensor{file: f, reading: newReading(f, r)}
	o.port.Name, o.port.Direction = robotfile.SensorTopic(f.Name), sim.Out
	o.width = o.port.Width()
	o.port.Noise = o.noise()
	// Together with those of the window may arrive those that jitter has kept back.
	o.port.Samples = int(math.Min(math.Ceil(f.Rate*(window+f.LatencyJitter))+1, mostSamples))
	h := fnv.New64a()
	h.Write([]byte(f.Name)) // which never fails
	o.seed = random.Mix(h.Sum64(), uint64(seed))
	o.draw = rand.New(&o.source)
	o.walk = make([]float64, o.width)
	o.newest = o.measurements(o.port.Samples)
	o.pending = o.measurements(int(math.Ceil((f.Latency+f.LatencyJitter)*f.Rate)) + 2)
	return o
}

func (o *sensor) measurements(n int) []measurement {
	all := make([]measurement, n)
	for i := range all {
		all[i].values = make([]float64, o.width)
	}
	return all
}

// begin is Set.Begin.
func (o *sensor) begin(t float64) {
	if o.settle != nil {
		o.settle()
	}
	clear(o.walk)
	o.waiting, o.arrived = 0, 0
	o.next = math.Max(math.Ceil((t-o.file.Phase-roundoff)*o.file.Rate), 0)
	for i := range o.newest {
		m := &o.newest[i]
		o.seedFor(-1 - float64(i))
		o.measure(m.values, false)
		m.taken = t - o.file.Latency
	}
	o.measureDue(t)
	o.deliver(t)
}

// look is Set.Look.
func (o *sensor) look(t, dt float64) {
	if o.follow != nil {
		o.follow(t, dt)
	}
	o.measureDue(t)
	o.deliver(t)
}

// measureDue takes a measurement if one is due at time t (s).
func (o *sensor) measureDue(t float64) {
	if o.stopped {
		return
	}
	now := math.Floor((t + roundoff - o.file.Phase) * o.file.Rate)
	if now < o.next {
		return
	}
	passed := now - o.next + 1 // above 1 where a step is longer than a period
	o.next = now + 1
	o.seedFor(now)
	lost, outlier, late := o.draw.Float64() < o.file.Dropout, o.draw.Float64() < o.file.Outliers, o.draw.Float64()
	o.drift(passed / o.file.Rate)
	if lost {
		return
	}
	if o.waiting == len(o.pending) {
		o.arrive(0)
	}
	m := &o.pending[o.waiting]
	o.waiting++
	m.taken, m.arrives = t, t+o.file.Latency+late*o.file.LatencyJitter
	o.measure(m.values, outlier)
}

// deliver lets those measurements arrive that are due at time t (s), in the order in which they do.
func (o *sensor) deliver(t float64) {
	for {
		first := -1
		for i := range o.waiting {
			if m := &o.pending[i]; m.arrives <= t+roundoff && (first < 0 || m.arrives < o.pending[first].arrives) {
				first = i
			}
		}
		if first < 0 {
			return
		}
		o.arrive(first)
	}
}

// arrive moves a pending measurement to those that have arrived.
func (o *sensor) arrive(i int) {
	last := len(o.newest) - 1
	room := o.newest[last]
	copy(o.newest[1:], o.newest[:last])
	o.newest[0] = o.pending[i]
	copy(o.pending[i:], o.pending[i+1:o.waiting])
	o.waiting--
	o.pending[o.waiting] = room
	o.arrived++
}

// seedFor makes random numbers those of a measurement.
func (o *sensor) seedFor(number float64) {
	word := random.Mix(o.seed, math.Float64bits(number))
	o.source.Seed(word, random.Mix(word))
}

// savedLen is the number of values of the state.
func (o *sensor) savedLen() int {
	return 3 + len(o.walk) + (1+o.width)*len(o.newest) + (2+o.width)*len(o.pending) + o.stateLen
}

func (o *sensor) put(dst []float64) []float64 {
	dst[0], dst[1], dst[2] = o.next, o.arrived, float64(o.waiting)
	dst = dst[3:]
	dst = dst[copy(dst, o.walk):]
	for i := range o.newest {
		dst[0] = o.newest[i].taken
		dst = dst[1+copy(dst[1:], o.newest[i].values):]
	}
	for i := range o.pending {
		m := &o.pending[i]
		dst[0], dst[1] = m.taken, m.arrives
		if i >= o.waiting { // so that equal states are equal numbers
			dst[0], dst[1] = 0, 0
			clear(dst[2 : 2+o.width])
		} else {
			copy(dst[2:], m.values)
		}
		dst = dst[2+o.width:]
	}
	if o.stateLen > 0 {
		o.save(dst[:o.stateLen])
	}
	return dst[o.stateLen:]
}

func (o *sensor) take(src []float64) []float64 {
	o.next, o.arrived = src[0], src[1]
	o.waiting = int(min(max(src[2], 0), float64(len(o.pending))))
	src = src[3:]
	src = src[copy(o.walk, src):]
	for i := range o.newest {
		o.newest[i].taken = src[0]
		src = src[1+copy(o.newest[i].values, src[1:]):]
	}
	for i := range o.pending {
		m := &o.pending[i]
		m.taken, m.arrives = src[0], src[1]
		copy(m.values, src[2:])
		src = src[2+o.width:]
	}
	if o.stateLen > 0 {
		o.restore(src[:o.stateLen])
	}
	return src[o.stateLen:]
}
