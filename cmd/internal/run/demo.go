package run

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// demo commands the robot so that a newcomer sees it move, until anybody else
// commands.
type demo struct {
	port   int
	values []float64
	wave   func(t float64, dst []float64)
	moving atomic.Bool   // it commands, or is about to
	begin  chan struct{} // asks it to begin; capacity 1
}

// demoSource gives way to everybody.
var demoSource = sim.Source{Name: "demo", Yields: true}

// demoPeriod is how often the demo commands; well below any command timeout.
const demoPeriod = 20 * time.Millisecond

// newDemo returns a motion for the robot's first port of a kind that it knows
// one for, or nil.
func newDemo(ports []sim.Port) *demo {
	for i := range ports {
		p := &ports[i]
		if p.Direction != sim.In {
			continue
		}
		switch p.Kind {
		case sim.Tension:
			return newWave(i, p, tensionWave(p))
		case sim.JointState:
			if p.IsMotors() {
				return newWave(i, p, jointWave(p))
			}
		case sim.RotatingField:
			return newWave(i, p, steering)
		}
	}
	return nil
}

func newWave(port int, p *sim.Port, wave func(t float64, dst []float64)) *demo {
	return &demo{port: port, values: make([]float64, p.Width()), wave: wave, begin: make(chan struct{}, 1)}
}

// Resume lets the demo begin, until somebody commands.
func (d *demo) Resume() error {
	if !d.moving.CompareAndSwap(false, true) {
		return errors.New("the robot moves by itself already")
	}
	d.begin <- struct{}{}
	return nil
}

// steering is a rotating field whose axis turns slowly in the horizontal plane: what
// swims or rolls along the axis goes round.
func steering(t float64, dst []float64) {
	const (
		amplitudeT  = 0.005
		frequencyHz = 10
		cycleHz     = 0.05
	)
	sin, cos := math.Sincos(2 * math.Pi * cycleHz * t)
	copy(dst, []float64{cos, sin, 0, amplitudeT, frequencyHz, 0})
}

// tensionWave pulls the tendons one after the other, which leads the tip around:
// a half-sine of a fraction of the greatest tension, once in a cycle.
func tensionWave(p *sim.Port) func(float64, []float64) {
	const (
		cycleHz   = 0.2
		fraction  = 0.4
		fallbackN = 1.0 // peak if the robot file sets no limit
	)
	n := float64(p.Width())
	return func(t float64, dst []float64) {
		for i := range dst {
			peak := fallbackN
			if p.Max != nil && !math.IsInf(p.Max[i], 0) {
				peak = fraction * p.Max[i]
			}
			dst[i] = peak * max(0, math.Sin(2*math.Pi*(cycleHz*t-float64(i)/n)))
		}
	}
}

// jointWave turns motors to and fro within a share of their range, one after the other.
func jointWave(p *sim.Port) func(float64, []float64) {
	const (
		cycleHz  = 0.2
		fraction = 0.4
	)
	n := float64(p.Width())
	return func(t float64, dst []float64) {
		for i := range dst {
			dst[i] = (p.Min[i]+p.Max[i])/2 + fraction*(p.Max[i]-p.Min[i])/2*math.Sin(2*math.Pi*(cycleHz*t-float64(i)/(2*n)))
		}
	}
}

// commandCount is how many commands anybody has given.
func commandCount(s *sim.Simulator) uint64 {
	v := s.Stats().Commands
	return v[sim.Accepted] + v[sim.Clamped]
}

// run posts the motion each time that it is asked to begin, until somebody else commands,
// and tells log. It returns when ctx ends.
func (d *demo) run(ctx context.Context, s *sim.Simulator, log *zap.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.begin:
		}
		log.Info("the robot moves by itself until somebody commands")
		if !d.move(ctx, s) {
			return
		}
		d.moving.Store(false)
		log.Info("somebody commands: the demo has ended; state_command demo resumes it")
	}
}

// move posts the motion until ctx ends or somebody else has commanded, and tells
// which.
func (d *demo) move(ctx context.Context, s *sim.Simulator) (takenOver bool) {
	posted := commandCount(s)
	start := time.Now()
	ticker := time.NewTicker(demoPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
		if commandCount(s) > posted {
			return true
		}
		d.wave(time.Since(start).Seconds(), d.values)
		if most := s.Ports()[d.port].Max; most != nil { // which may have been set since
			for i := range d.values {
				d.values[i] = min(d.values[i], most[i])
			}
		}
		if s.Post(demoSource, d.port, d.values).OK() {
			posted++
		}
	}
}
