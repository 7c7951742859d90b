package observer

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// sensor is one that the observer reads.
type sensor struct {
	port         *sim.Port
	index        int       // of the sensor's own port
	input        int       // of the port of hardware, if that is what is read
	given        []float64 // of that port; nil: the simulated sensor is read
	width        int       // of values that count: of a pose six, of a wrench six
	arrived      float64   // number of measurements that have been read
	limit        float64   // of the square of an innovation, beyond which a measurement is an outlier
	deviation    []float64
	read, member []float64 // of the port, of the robot and of a member
	predicted    [][]float64
	innovation   []float64
	center       []float64 // what the center of the ensemble would have measured
	total        []float64 // deviation, with that of what is not linear

	accepted, refused int
	outliers          float64 // how many of the last outlierWindow measurements were some
	square            float64
	late              int    // measurements that were older than the history, or more than there is room for between two updates
	recent            recent // squares of innovations over what was expected
}

// outlierChance is how often a good measurement is taken for an outlier.
const outlierChance = 1e-4

// history holds what the members, and the center, would have measured at the ends of the last steps, and how the members have been mixed since.
type history struct {
	slots  [][][]float64 // by step, by model: values of all sensors
	mixes  []mix
	newest int // number of mixes that there have been
}

// mix is the weights of an update.
type mix struct {
	step    int
	weights []float64
}

func (h *history) at(step int) [][]float64 { return h.slots[step%len(h.slots)] }

func (h *history) remember(step int, weights []float64) {
	m := &h.mixes[h.newest%len(h.mixes)]
	m.step = step
	copy(m.weights, weights)
	h.newest++
}

func (o *Model) findSensors(f *robotfile.Continuum) error {
	ports := o.Ports()
	latest, total := 0.0, 0
	for _, name := range o.file.Sensors {
		i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == robotfile.SensorTopic(name) })
		k := slices.IndexFunc(f.Sensors, func(s robotfile.Sensor) bool { return s.Name == name })
		if i < 0 || k < 0 {
			return fmt.Errorf("the robot has no sensor %s", name)
		}
		s := sensor{port: &ports[i], index: i, read: make([]float64, ports[i].Width())}
		n := (ports[i].Width()-1)/ports[i].Samples - 1
		s.member = make([]float64, n)
		s.deviation = make([]float64, n)
		copy(s.deviation, ports[i].Noise)
		if ports[i].Kind == sim.Pose {
			s.deviation = s.deviation[:6]
			for c := 3; c < 6; c++ {
				s.deviation[c] *= 2 // of the quaternion it is half of that of the rotation
			}
		}
		s.width = len(s.deviation)
		s.innovation, s.center, s.total = make([]float64, s.width), make([]float64, s.width), make([]float64, s.width)
		for range s.width {
			s.predicted = append(s.predicted, make([]float64, o.filter.members()))
		}
		s.limit = distuv.ChiSquared{K: float64(s.width)}.Quantile(1 - outlierChance)
		latest = max(latest, f.Sensors[k].Latency+f.Sensors[k].LatencyJitter)
		total += n
		o.sensors = append(o.sensors, s)
	}
	h := &o.history
	h.slots = make([][][]float64, int(math.Ceil((latest+2/o.file.Update)/f.Solver.Step))+2)
	for i := range h.slots {
		for range o.filter.members() + 1 {
			h.slots[i] = append(h.slots[i], make([]float64, total))
		}
	}
	h.mixes = make([]mix, int(math.Ceil(latest*o.file.Update))+3)
	for i := range h.mixes {
		h.mixes[i].weights = make([]float64, len(o.filter.weights))
	}
	return nil
}

// observe notes what model i of all would measure now.
func (o *Model) observe(slot [][]float64, i int) {
	to := slot[i]
	for k := range o.sensors {
		s := &o.sensors[k]
		o.all[i].ReadSensor(s.index, s.member)
		to = to[copy(to, s.member):]
	}
}

// listen takes the measurements that have arrived in the last step.
func (o *Model) listen() {
	for k := range o.sensors {
		s := &o.sensors[k]
		o.hear(s)
		fresh := min(int(s.read[0]-s.arrived), s.port.Samples)
		s.arrived = s.read[0]
		for i := fresh - 1; i >= 0; i-- {
			age, v := s.port.Sample(s.read, i)
			step := min(int(math.Round((o.time-age)/o.step)), o.steps)
			if step <= o.steps-len(o.history.slots) {
				s.late++
				continue
			}
			if step <= 0 {
				continue
			}
			o.enqueue(k, step, v)
		}
	}
}

// take gives a measurement to the filter.
func (o *Model) take(p *pending) {
	s := &o.sensors[p.sensor]
	first := 0
	for k := range p.sensor {
		first += len(o.sensors[k].member)
	}
	slot := o.history.at(p.step)
	n := len(o.members)
	if s.port.Kind == sim.Pose {
		about := spatial.QuatAt(slot[0][first+3:]).Rot()
		for i := range n {
			v := slot[i][first:]
			turn := about.TMul(spatial.QuatAt(v[3:]).Rot()).Log()
			for c, x := range [...]float64{v[0], v[1], v[2], turn.X, turn.Y, turn.Z} {
				s.predicted[c][i] = x
			}
		}
		v := slot[n][first:]
		turn := about.TMul(spatial.QuatAt(v[3:]).Rot()).Log()
		copy(s.center, []float64{v[0], v[1], v[2], turn.X, turn.Y, turn.Z})
		turn = about.TMul(spatial.QuatAt(p.values[3:]).Rot()).Log()
		copy(s.innovation, []float64{p.values[0], p.values[1], p.values[2], turn.X, turn.Y, turn.Z})
	} else {
		for c := range s.width {
			for i := range n {
				s.predicted[c][i] = slot[i][first+c]
			}
		}
		copy(s.center, slot[n][first:])
		copy(s.innovation, p.values)
	}
	h := &o.history
	m := measurement{innovation: s.innovation, predicted: s.predicted, deviation: s.total}
	for c := range s.width {
		y := s.predicted[c]
		// half the trace of second derivatives times the covariance: the members are closer to their mean than the covariance says
		bent := (floats.Sum(y)/float64(n) - s.center[c]) * float64(n) / (spread * spread)
		s.total[c] = math.Sqrt(s.deviation[c]*s.deviation[c] + 2*bent*bent)
		for k := max(0, h.newest-len(h.mixes)); k < h.newest; k++ {
			if x := &h.mixes[k%len(h.mixes)]; x.step >= p.step {
				mixRow(o.row, y, x.weights)
				copy(y, o.row)
			}
		}
		mean := 0.0
		for _, x := range y {
			mean += x / float64(n)
		}
		s.innovation[c] -= mean
	}
	square := o.filter.add(&m, s.limit)
	s.square += square
	s.outliers *= 1 - 1./outlierWindow
	if square <= s.limit {
		s.accepted++
	} else {
		s.refused++
		s.outliers++
	}
}

func mixRow(dst, values, weights []float64) {
	n := len(values)
	clear(dst)
	for j, x := range values {
		for i := range n {
			dst[i] += x * weights[j*n+i]
		}
	}
}
