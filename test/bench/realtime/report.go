package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// Report holds everything that was measured.
type Report struct {
	Node       string   `json:"node"`
	Processors int      `json:"processors"`
	Phases     []Phase  `json:"phases"`
	Latency    *Latency `json:"latency,omitempty"`
	Soak       *Soak    `json:"soak,omitempty"`

	// Hostile is what went on in the phase of that name, HostileSoak how the
	// subscribers did meanwhile.
	Hostile     *Hostile `json:"hostile,omitempty"`
	HostileSoak *Soak    `json:"hostile_soak,omitempty"`

	Recording *Recording `json:"recording,omitempty"`
}

// These are the targets of the node on an idle machine.
const (
	targetLateness = 150 // µs, p99
	targetLatency  = 1.0 // ms, p50 to the pose
)

func (r *Report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

func (r *Report) writeTable(w io.Writer) error {
	if r.Recording != nil {
		r.Recording.write(w)
		return nil
	}
	fmt.Fprintf(w, "%s; %d processors\n\n", r.Node, r.Processors)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "phase\tlength\trate\treal-time\tlateness us\t\t\t\tstep us\t\tover-\tskipped\tmissed\tlatency probe\t\tCPU\tothers\tmemory MiB\t\t\t\t")
	fmt.Fprintln(t, "\ts\tHz\tfactor\tp50\tp99\tworst s\tmax\tp50\tp99\truns\tperiods\tsnapshots\tskipped\tmax us\t%\t%\tstart\tend\tmax\tper min\t")
	for _, p := range r.Phases {
		fmt.Fprintf(t, "%s\t%.1f\t%.2f\t%.5f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%d\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%+.2f\t\n",
			p.Name, p.Seconds, p.Rate, p.RealTimeFactor, p.LatenessP50, p.LatenessP99, p.LatenessP99Worst, p.LatenessMax,
			p.StepP50, p.StepP99, p.Overruns, p.Skipped, p.Missed, p.Probe.Skipped, p.Probe.Max, p.CPU, p.Others,
			p.Memory.Start, p.Memory.End, p.Memory.Max, p.Memory.Slope)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "target: lateness p99 <= %d us on an idle machine, no period skipped but where the latency probe skips too\n", targetLateness)
	if l := r.Latency; l != nil {
		fmt.Fprintf(w, "\n%d commands, %d lost; ms\n", l.Commands, l.Lost)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "\tp50\tp90\tp99\tmax\t")
		row := func(name string, s Spread) {
			fmt.Fprintf(t, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t\n", name, s.P50, s.P90, s.P99, s.Max)
		}
		row("command sent to setpoint_js with it read", l.Setpoint)
		row("command sent to measured_cp with it read", l.Pose)
		row("of that after the pose's stamp", l.Transport)
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(w, "target: measured_cp p50 <= %.1f ms, of which half a control period is the wait for its turn\n", targetLatency)
	}
	if r.Soak != nil {
		r.Soak.write(w, "soak")
	}
	if h := r.Hostile; h != nil {
		fmt.Fprintf(w, "\nhostile: %d masters killed, the node registered again after %.1f s at most; %d connections sent %d MB of junk, %d were refused\n",
			h.MastersKilled, h.SlowestReturn, h.Floods, h.FloodedBytes>>20, h.FloodsRejected)
		r.HostileSoak.write(w, "hostile")
	}
	return nil
}

// write tells how the subscribers did in a phase.
func (s *Soak) write(w io.Writer, phase string) {
	fmt.Fprintf(w, "\n%s, reading subscriber: %d messages, %d missing, longest silence %.1f ms; stamp interval p50 %.4f p99 %.4f max %.4f ms\n",
		phase, s.Received, s.Gaps, s.Silence, s.Interval.P50, s.Interval.P99, s.Interval.Max)
	fmt.Fprintf(w, "%s, frozen subscriber: cut off %d times, took %d messages, %d dropped\n", phase, s.FrozenCuts, s.FrozenSent, s.Received-s.FrozenSent)
	if s.Unanswered > 0 {
		fmt.Fprintf(w, "%s, unanswered looks at the connections: %d\n", phase, s.Unanswered)
	}
}
