package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros/ros2"
	"sinew/test/latency"
)

// Called is how the node did while its services were called at a rate, or none was.
type Called struct {
	What    string
	Phase   Phase
	Latency []float64     // of each call, ms
	Took    time.Duration // all of them
	Missed  []string
}

const (
	callRate = 100 // calls a second
	// The targets: lateness with calls over that without, beyond what the latency probe
	// beside met more than beside the quiet run. Below calledSlack nothing is a miss.
	mostCalled  = 1.5
	calledSlack = 50.0 // us
	// A call that holds up the loop costs periods, not lateness: those after it begin on time.
	// This share of them may be lost beyond that without calls and that of the probe.
	lostSlack = 0.005
)

// caller makes one call; i counts them.
type caller func(ctx context.Context, i int) error

// callers are what is called: services that the loop answers, between two periods, on both
// networks, and live parameters of which the second makes new constants of the model.
var callers = []struct {
	name string
	open func(ctx context.Context, n *node) (call caller, end func(), err error)
}{
	{"enable, ROS 1", enableROS1},
	{"enable, ROS 2", enableROS2},
	{"set a limit, ROS 2", settingROS2("tendons.long_up.limits.max_tension_n", func(i int) rcl_interfaces.ParameterValue {
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindDouble, DoubleValue: 7 + float64(i%2)}
	})},
	{"set gravity, ROS 2", settingROS2("gravity_m_per_s2", func(i int) rcl_interfaces.ParameterValue {
		return rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindDoubleArray, DoubleArrayValue: []float64{0, 0, -9.8 - 0.1*float64(i%2)}}
	})},
}

func enableROS1(ctx context.Context, n *node) (caller, func(), error) {
	o := newOperator(ctx, n)
	_, err := o.do("enable")
	return func(context.Context, int) error {
		_, err := o.do("enable")
		return err
	}, o.close, err
}

// clientROS2 is a client of a service of the node that is ready, on a node of its own.
func clientROS2(ctx context.Context, n *node, name string, kind *msgs.Service) (*ros2.Client, func(), error) {
	t, err := ros2.New(ros2.Options{Node: callerName, Discovery: ros2.Discovery{Domain: n.domain}})
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = t.Close() }
	c, err := t.NewClient(n.name+"/"+name, kind)
	for due := time.Now().Add(startTime); err == nil && !c.Ready(); {
		if !pause(ctx, 10*time.Millisecond) || time.Now().After(due) {
			err = errors.New(name + " is not there")
		}
	}
	if err != nil {
		end()
	}
	return c, end, err
}

func enableROS2(ctx context.Context, n *node) (caller, func(), error) {
	c, end, err := clientROS2(ctx, n, "enable", std_srvs.Trigger)
	return func(ctx context.Context, _ int) error {
		m, err := c.Call(ctx, &std_srvs.TriggerRequest{})
		if err == nil && !m.(*std_srvs.TriggerResponse).Success {
			err = errors.New("enable: " + m.(*std_srvs.TriggerResponse).Message)
		}
		return err
	}, end, err
}

func settingROS2(name string, value func(i int) rcl_interfaces.ParameterValue) func(ctx context.Context, n *node) (caller, func(), error) {
	return func(ctx context.Context, n *node) (caller, func(), error) {
		c, end, err := clientROS2(ctx, n, "set_parameters", rcl_interfaces.SetParameters)
		return func(ctx context.Context, i int) error {
			m, err := c.Call(ctx, &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{{Name: name, Value: value(i)}}})
			if err != nil {
				return err
			}
			if r := m.(*rcl_interfaces.SetParametersResponse).Results; len(r) != 1 || !r[0].Successful {
				err = fmt.Errorf("setting %s: %+v", name, r)
			}
			return err
		}, end, err
	}
}

func callsVerb(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("calls", flag.ExitOnError)
	name := flags.String("node", "", "tendonsim `program` (default: build it)")
	length := flags.Duration("for", time.Minute, "length of each phase")
	_ = flags.Parse(args) // ends the program on a mistake
	program, clean, err := programFor(ctx, *name)
	if err != nil {
		return err
	}
	defer clean()
	all, err := measureCalls(ctx, program, *length)
	if err != nil {
		return err
	}
	if err := writeCalls(os.Stdout, all); err != nil {
		return err
	}
	for _, c := range all {
		if len(c.Missed) > 0 {
			return errMissed
		}
	}
	return nil
}

// measureCalls runs a node without calls, then with each kind of them.
func measureCalls(ctx context.Context, program string, length time.Duration) (all []Called, err error) {
	r, err := startRig(ctx, program, false, "--ros", "both", "_rates/publish_hz:=1000")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	none := Called{What: quiet}
	if none.Phase, err = r.phase(ctx, quiet, idle(length)); err != nil {
		return nil, err
	}
	all = append(all, none)
	for _, c := range callers {
		call, end, err := c.open(ctx, r.node)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		x := Called{What: c.name}
		x.Phase, err = r.phase(ctx, c.name, func(ctx context.Context) error { return x.call(ctx, call, length) })
		end()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		x.judge(&none)
		all = append(all, x)
	}
	return all, nil
}

// call calls at the rate, one call after the other, for a time.
func (c *Called) call(ctx context.Context, call caller, length time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, length+requestTime)
	defer cancel()
	ticker := time.NewTicker(time.Second / callRate)
	defer ticker.Stop()
	for begun := time.Now(); time.Since(begun) < length; <-ticker.C {
		at := time.Now()
		if err := call(ctx, len(c.Latency)); err != nil {
			return err
		}
		c.Latency = append(c.Latency, 1e3*time.Since(at).Seconds())
		c.Took = time.Since(begun)
	}
	return nil
}

// rate is the calls a second that there really were.
func (c *Called) rate() float64 { return float64(len(c.Latency)) / max(c.Took.Seconds(), 1e-9) }

// lost is the share of control periods that a phase has lost.
func lost(p *Phase) float64 { return p.Skipped * period / 1e3 / p.Seconds }

// probeLost is that which the latency probe has lost.
func probeLost(p *Phase) float64 {
	return float64(p.Probe.Skipped) * latency.Period.Seconds() / p.Seconds
}

// judge compares the lateness and the lost periods with those without calls.
func (c *Called) judge(none *Called) {
	machine := max(0, c.Phase.Probe.P99-none.Phase.Probe.P99)
	most := max(mostCalled*none.Phase.LatenessP99, none.Phase.LatenessP99+calledSlack) + machine
	if c.Phase.LatenessP99 > most {
		c.Missed = append(c.Missed, fmt.Sprintf("%s: lateness p99 %.0f us: at most %.0f are allowed, of which %.0f are the machine's", c.What, c.Phase.LatenessP99, most, machine))
	}
	if a, b := lost(&c.Phase), lost(&none.Phase)+probeLost(&c.Phase)+lostSlack; a > b {
		c.Missed = append(c.Missed, fmt.Sprintf("%s: %.2f %% of the periods lost: at most %.2f %% are allowed", c.What, 100*a, 100*b))
	}
}

func writeCalls(w io.Writer, all []Called) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "called\tcalls /s\tlatency ms p50\tp99\tlateness us p50\tp99\tworst s\tlost periods\tlatency probe us p50\tp99\tlost periods\tstep us p99\tCPU %\t")
	var missed []string
	for _, c := range all {
		p, l := &c.Phase, spread(c.Latency)
		fmt.Fprintf(t, "%s\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%d\t%.0f\t%.0f\t\n", c.What, c.rate(), l.P50, l.P99,
			p.LatenessP50, p.LatenessP99, p.LatenessP99Worst, p.Skipped, p.Probe.P50, p.Probe.P99, p.Probe.Skipped, p.StepP99, p.CPU)
		missed = append(missed, c.Missed...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	writeMissed(w, missed)
	return nil
}
