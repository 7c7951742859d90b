package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// demo commands a slow motion, so that a new user sees the robot move, until another source
// commands or the robot is stopped: who enables a robot after an emergency stop does not mean it
// to move by itself.
type demo struct {
	sim    *sim.Simulator
	port   int
	values []float64
	wave   func(t float64, dst []float64)
	begin  chan struct{} // requests the motion; capacity 1
	end    chan struct{} // requests its end; capacity 1

	mu     sync.Mutex
	moving bool // the demo commands, or is about to
}

// demoSource yields to every other source.
var demoSource = sim.Source{Name: "demo", Yields: true}

// demoPeriod is how often the demo commands; well below any command timeout.
const demoPeriod = 20 * time.Millisecond

// newDemo returns a demo for the first port whose kind has a motion, or nil if no port has one.
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
	return &demo{port: port, values: make([]float64, p.Width()), wave: wave, begin: make(chan struct{}, 1), end: make(chan struct{}, 1)}
}

// Resume starts the motion, which runs until another source commands or the robot is stopped. It is
// refused where it could not move the robot now.
func (d *demo) Resume() error {
	if state := d.sim.State(); state == sim.Fault || state == sim.Disabled {
		return fmt.Errorf("%v: call enable first", state)
	}
	if by := d.sim.Commander(d.port); by != "" && by != demoSource.Name {
		return fmt.Errorf("in command: %s; the demo can start %g s after its last command", by, d.sim.Options().CommandTimeoutS)
	}
	return d.start()
}

// start requests the motion.
func (d *demo) start() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.moving {
		return errors.New("the demo is running already")
	}
	d.moving = true
	d.begin <- struct{}{}
	return nil
}

// isMoving reports whether the demo commands, or is about to.
func (d *demo) isMoving() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.moving
}

// Stop ends the motion. What it has commanded ends as any command that is not repeated.
func (d *demo) Stop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.moving {
		return errors.New("the demo is not running")
	}
	select {
	case d.end <- struct{}{}:
	default:
	}
	return nil
}

// hasEnded takes back what requested the end of the motion.
func (d *demo) hasEnded() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moving = false
	select {
	case <-d.end:
	default:
	}
}

// steering is a rotating field whose axis turns slowly in the horizontal plane. A body that swims
// or rolls along the axis moves on a circle.
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
			if math.IsInf(p.Min[i], 0) || math.IsInf(p.Max[i], 0) { // about 0, where a joint has no stops
				dst[i] = fraction * math.Sin(2*math.Pi*(cycleHz*t-float64(i)/(2*n)))
				continue
			}
			dst[i] = (p.Min[i]+p.Max[i])/2 + fraction*(p.Max[i]-p.Min[i])/2*math.Sin(2*math.Pi*(cycleHz*t-float64(i)/(2*n)))
		}
	}
}

// commandCount returns the number of commands from all sources.
func commandCount(s *sim.Simulator) uint64 {
	v := s.Stats().Commands
	return v[sim.Accepted] + v[sim.Clamped]
}

// run posts the motion each time that it is requested, until another source commands, and logs
// both. It returns when ctx ends.
func (d *demo) run(ctx context.Context, log *zap.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.begin:
		}
		log.Info("the demo moves the robot until another source commands")
		because := d.move(ctx)
		if because == "" {
			return
		}
		d.hasEnded()
		log.Info(because + ": the demo has ended; state_command demo resumes it")
	}
}

// move posts the motion until it or the robot is stopped or another source commands, and returns which of them has ended it; it is
// empty at the end of ctx.
func (d *demo) move(ctx context.Context) (because string) {
	s := d.sim
	posted := commandCount(s)
	hasMoved, wasPaused, enabledAt := false, false, s.AcceptingSince()
	start, simulated := time.Now(), s.SimTime()
	ticker := time.NewTicker(demoPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ""
		case <-d.end:
			return "it was stopped"
		case <-ticker.C:
		}
		if commandCount(s) > posted {
			return "another source commands"
		}
		state, since := s.State(), s.AcceptingSince()
		if state == sim.Fault || hasMoved && (state == sim.Disabled || since != enabledAt && !wasPaused) {
			return "the robot was stopped"
		}
		wasPaused, enabledAt = state == sim.Paused, since
		now := s.SimTime()
		if now < simulated { // a reset
			start = time.Now()
		}
		simulated = now
		d.wave(time.Since(start).Seconds(), d.values)
		if most := s.Ports()[d.port].Max; most != nil { // may have been set since
			for i := range d.values {
				d.values[i] = min(d.values[i], most[i])
			}
		}
		if s.Post(demoSource, d.port, d.values).OK() {
			posted++
			hasMoved = true
		}
	}
}
