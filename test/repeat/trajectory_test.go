package repeat_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"testing"

	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/microrobot"
	"sinew/pkg/sim/robotfile"
)

// seconds is how long every robot is simulated.
const seconds = 10

// Trajectory is what a robot did.
type Trajectory struct {
	// Hashes are SHA-256 of the bits of all Out ports at the end of every control period, up to
	// the end of each second: the first that differs tells when.
	Hashes []string `json:"sha256_after_each_second"`
	// Poses are measured_cp at the end of each second, m.
	Poses [][]float64 `json:"measured_cp_after_each_second"`
	// Travel is the longest way of the robot from where it was at first, m.
	Travel float64 `json:"travel_m"`
}

// machine is a model that is stepped as the program does it.
type machine struct {
	model   sim.Model
	in      *sim.Inputs
	dt      float64 // s
	steps   int     // in a control period
	hz      float64 // control periods in a second
	ports   []sim.Port
	nth     []int // place of each In port in its group
	many    []int // number of ports of that group
	drive   strength
	scratch []float64
}

// newMachine makes a robot that comes with the programs, in its initial state.
func newMachine(r robots.Robot) (*machine, error) {
	model, step, hz, err := newModel(r)
	if err != nil {
		return nil, err
	}
	drive, ok := strengths[r.Name]
	if !ok {
		return nil, fmt.Errorf("no commands for the robot %s", r.Name)
	}
	m := &machine{model: model, in: sim.NewInputs(model), hz: hz, ports: model.Ports(), drive: drive}
	// as the simulator does it: equal steps of at most step_s
	m.steps = int(math.Ceil(1/hz/step - 1e-9))
	m.dt = 1 / hz / float64(m.steps)
	count := map[string]int{}
	m.nth, m.many = make([]int, len(m.ports)), make([]int, len(m.ports))
	width := 0
	for i, p := range m.ports {
		width = max(width, p.Width())
		if p.Direction == sim.In {
			m.nth[i] = count[p.Group]
			count[p.Group]++
		}
	}
	for i, p := range m.ports {
		m.many[i] = count[p.Group]
	}
	m.scratch = make([]float64, width)
	return m, nil
}

func newModel(r robots.Robot) (m sim.Model, step, hz float64, err error) {
	if r.Program == "tendonsim" {
		file, err := robotfile.Parse[robotfile.Continuum](r.Name, r.File())
		if err != nil {
			return nil, 0, 0, err
		}
		m, err := continuum.New(file)
		return m, file.Solver.Step, file.Rates.Control, err
	}
	file, err := robotfile.Parse[robotfile.Microrobot](r.Name, r.File())
	if err != nil {
		return nil, 0, 0, err
	}
	m, err = microrobot.New(file, nil)
	return m, file.Solver.Step, file.Rates.Control, err
}

// period commands and simulates control period k.
func (m *machine) period(k int) error {
	t := float64(k) / m.hz
	for i := range m.ports {
		p := &m.ports[i]
		if p.Direction != sim.In {
			continue
		}
		v := m.scratch[:p.Width()]
		if !m.drive.command(p, m.nth[i], m.many[i], t, v) {
			continue
		}
		if verdict := m.in.Set(i, v); !verdict.OK() {
			return fmt.Errorf("t = %g s: %s %v: %v", t, p.Name, v, verdict)
		}
	}
	for range m.steps {
		m.in.Advance(m.dt)
		if err := m.model.Step(m.dt); err != nil {
			return fmt.Errorf("t = %g s: %w", t, err)
		}
	}
	return nil
}

// publish adds the bits of all Out ports to h.
func (m *machine) publish(h hash.Hash) {
	var bits [8]byte
	for i := range m.ports {
		if m.ports[i].Direction != sim.Out {
			continue
		}
		v := m.scratch[:m.ports[i].Width()]
		m.model.Value(i, v)
		for _, x := range v {
			binary.LittleEndian.PutUint64(bits[:], math.Float64bits(x))
			h.Write(bits[:])
		}
	}
}

// pose returns measured_cp.
func (m *machine) pose() []float64 {
	for i, p := range m.ports {
		if p.Name == "measured_cp" {
			v := make([]float64, p.Width())
			m.model.Value(i, v)
			return v
		}
	}
	panic("repeat: no measured_cp")
}

// run simulates the robot for so many seconds, from the beginning.
func (m *machine) run(t testing.TB, seconds int) *Trajectory { return m.follow(t, 0, seconds) }

// follow simulates the robot under the commands from one second to another.
func (m *machine) follow(t testing.TB, from, to int) *Trajectory {
	t.Helper()
	done, h, start := &Trajectory{}, sha256.New(), m.pose()
	for second := from; second < to; second++ {
		first, last := int(float64(second)*m.hz), int(float64(second+1)*m.hz)
		for k := first; k < last; k++ {
			if err := m.period(k); err != nil {
				t.Fatal(err)
			}
			m.publish(h)
		}
		at := m.pose()
		done.Hashes = append(done.Hashes, hex.EncodeToString(h.Sum(nil)))
		done.Poses = append(done.Poses, at)
		done.Travel = max(done.Travel, distance(at, start))
	}
	return done
}

// distance between two poses, m.
func distance(a, b []float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}
