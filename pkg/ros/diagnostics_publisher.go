package ros

import (
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/sim"
)

// reportPeriod is the period of diagnostics and sim_stats.
const reportPeriod = time.Second

// diagnosticsPublisher publishes the topics diagnostics and sim_stats. It belongs to
// reportLoop.
type diagnosticsPublisher struct {
	sim      *sim.Simulator
	node     string // name of the node, without the first slash
	health   health
	clock    clockMonitor
	statuses []func() diagnostic_msgs.DiagnosticStatus // further ones, of Options
	log      *zap.Logger
	logged   []bool // by number of a gauge: its warning is in the log

	diagnostics, stats *topicPublisher
}

// openDiagnostics opens the topics.
func openDiagnostics(s *sim.Simulator, e *endpoints, o Options) (p *diagnosticsPublisher, err error) {
	p = &diagnosticsPublisher{sim: s, node: e.names.Node()[1:], clock: clockMonitor{stamper: e.stamper, log: o.Log}, statuses: o.Statuses,
		log: o.Log, logged: make([]bool, len(s.Gauges()))}
	if p.stats, err = e.advertise(Topic{Name: "~sim_stats", Type: sinew_msgs.SimStatsType}); err != nil {
		return nil, err
	}
	p.diagnostics, err = e.advertise(Topic{Name: "/diagnostics", Type: diagnostic_msgs.DiagnosticArrayType})
	return p, err
}

// publish publishes statuses, to which it adds those of Options, and statistics.
func (p *diagnosticsPublisher) publish(statuses []diagnostic_msgs.DiagnosticStatus, s sim.Stats, now latestState, stamp msgs.Time) {
	for _, status := range p.statuses {
		st := status()
		st.Name, st.HardwareID = p.node+": "+st.Name, p.node
		statuses = append(statuses, st)
	}
	p.logGauges(now.worst)
	if p.diagnostics.wanted() {
		p.diagnostics.publish(stamp, diagnosticArray(p.diagnostics.seq, stamp, statuses))
	}
	if p.stats.wanted() {
		p.stats.publish(stamp, p.simStats(stamp, s, now.gauges))
	}
}

// logGauges logs the warning of each gauge once: diagnostics repeat it while it holds, perhaps without a subscriber.
func (p *diagnosticsPublisher) logGauges(worst []float64) {
	for i, value := range worst {
		if w := p.sim.Gauges()[i].Warning(value); w != "" && !p.logged[i] {
			p.logged[i] = true
			p.log.Warn(w)
		}
	}
}

func (p *diagnosticsPublisher) simStats(stamp msgs.Time, s sim.Stats, gauges []float64) *sinew_msgs.SimStats {
	m := &sinew_msgs.SimStats{
		Header: header(p.stats.seq, stamp, ""),
		Steps:  s.Steps, Overruns: s.Overruns,
		SimTime: s.SimTime, RealTimeFactor: s.RealTimeFactor, Rate: s.Rate,
		StepP50: s.StepP50, StepP99: s.StepP99, LatenessP50: s.LatenessP50, LatenessP99: s.LatenessP99,
	}
	for i, v := range gauges {
		if key := p.sim.Gauges()[i].Key; key == sim.DividedSteps || key == sim.UnconvergedSteps {
			m.Unconverged += uint64(max(v, 0))
		}
	}
	return m
}
