package ros

import (
	"math"
	"time"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
)

// reportPeriod is the period of diagnostics and sim_stats.
const reportPeriod = time.Second

// reportLoop publishes what is for people, apart from publishLoop so that poses
// never wait for a drawing.
func (b *Bridge) reportLoop() {
	defer b.running.Done()
	ticker := time.NewTicker(reportPeriod)
	defer ticker.Stop()
	var scene sim.Scene
	for {
		select {
		case <-b.stop:
			return
		case at := <-b.sceneDue:
			b.publishScene(&scene, at)
		case <-ticker.C:
			b.report()
		}
	}
}

// sceneTime is when a scene was drawn.
type sceneTime struct {
	stamp msgs.Time
	slow  bool // it is time for markers, too
}

// sceneHz is the rate of scenes for viewers: that of most screens.
const sceneHz = 60

// askForScene asks the loop for the scenes that somebody wants, and passes on that one has
// come with a snapshot.
func (b *Bridge) askForScene(s *sim.Snapshot, stamp msgs.Time) {
	if s.Slow {
		b.slow = true
		rate := 0.0
		if b.publisher.markers.wanted() {
			rate = b.sim.Options().MarkerHz
		}
		if b.publisher.scene.wanted() {
			rate = sceneHz
		}
		b.sim.WantScene(rate)
	}
	if !s.Drawn {
		return
	}
	select {
	case b.sceneDue <- sceneTime{stamp, b.slow}:
		b.slow = false
	default:
	}
}

// publishScene publishes the newest scene, if there is one, with the stamp of the snapshot
// for which it was drawn: to viewers, and as markers when these are due.
func (b *Bridge) publishScene(scene *sim.Scene, at sceneTime) {
	drawn, ok := b.sim.Scene(scene)
	if !ok {
		return
	}
	if b.hardware != nil {
		b.hardware.draw(scene)
	}
	b.publisher.publishScene(scene, at.stamp)
	if at.slow && b.publisher.markersDue(drawn) {
		b.publisher.publishMarkers(scene, at.stamp)
	}
}

// report publishes diagnostics and statistics.
func (b *Bridge) report() {
	stats, now := b.sim.Stats(), b.latest.take()
	now.age = b.sim.PeriodAge()
	clock := b.clockStatus(stats) // which may correct what follows
	at := b.now()
	stamp := msgs.At(at)
	statuses := append(b.health.assess(b.sim, b.names.Node()[1:], stats, now), clock)
	b.tellSlowness(stats, now)
	b.refusals.tellHeld()
	b.trips.tell(b.log, b.clock.Now(), b.sim.Options().CommandTimeoutS, stats.Groups)
	if b.hardware != nil {
		b.hardware.estimate()
		b.hardware.refusals.tellHeld()
		statuses = append(statuses, b.hardware.status(b.names.Node()[1:], at))
	}
	for _, ask := range b.statuses {
		st := ask()
		st.Name, st.HardwareID = b.names.Node()[1:]+": "+st.Name, b.names.Node()[1:]
		statuses = append(statuses, st)
	}
	if b.diagnostics.wanted() {
		b.diagnostics.publish(stamp, diagnosticArray(b.diagnostics.seq, stamp, statuses))
	}
	if b.stats.wanted() {
		b.stats.publish(stamp, b.simStats(stamp, stats, now))
	}
}

// tellSlowness passes on how much too slow the loop is, if that has changed.
func (b *Bridge) tellSlowness(stats sim.Stats, now latestState) {
	slow := b.health.slowness.assess(b.sim.Options(), stats, now, b.health.settled >= settledReports)
	if b.follows != nil {
		slow = clockTrouble(stats.Follow)
	}
	if slow == b.health.slow {
		return
	}
	select {
	case b.slowness <- slow:
		b.health.slow = slow
	default: // told in the next report
	}
}

func (b *Bridge) simStats(stamp msgs.Time, s sim.Stats, now latestState) *sinew_msgs.SimStats {
	m := &sinew_msgs.SimStats{
		Header: header(b.stats.seq, stamp, ""),
		Steps:  s.Steps, Overruns: s.Overruns,
		SimTime: s.SimTime, RealTimeFactor: s.RealTimeFactor, Rate: s.Rate,
		StepP50: s.StepP50, StepP99: s.StepP99, LatenessP50: s.LatenessP50, LatenessP99: s.LatenessP99,
	}
	for i, v := range now.gauges {
		if key := b.sim.Gauges()[i].Key; key == sim.DividedSteps || key == sim.UnconvergedSteps {
			m.Unconverged += uint64(max(v, 0))
		}
	}
	return m
}

// seconds is a time of t seconds, to the nanosecond.
func seconds(t float64) time.Duration { return time.Duration(math.Round(t * 1e9)) }
