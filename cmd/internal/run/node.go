package run

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/scheduling"
	"sinew/pkg/ros"
	"sinew/pkg/ros/jacobian"
	"sinew/pkg/ros/manifest"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/recording"
	"sinew/pkg/ros/rosout"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// node is one running simulator with its networks, recordings and services.
type node struct {
	env     *cli.Env
	log     *zap.Logger
	names   *naming.Names
	net     *networks
	clock   sim.Clock
	stamps  *wallclock.Stamps
	follows bool // /clock
	made    *program.Instance
	sim     *sim.Simulator
	bridge  *ros.Bridge
	monitor *monitor
	demo    *demo

	jacobian *jacobian.Publisher // nil if the robot is not differentiable

	recordings *recording.Control // nil before assemble
	recordsAll bool               // also paths and markers
	viewer     *viewer.Server     // nil without --view
	host       *viewer.Host       // of a fleet, which has the pages of its robots at one address; otherwise nil
	fleet      []manifest.Robot   // of the pages of a fleet
	rosout     *rosout.Log        // nil if the log is not published
	parameters *liveParameters    // nil before assemble

	loop    *loop // nil before the robot is built, and in a fleet, which owns its loops
	several bool  // it is a node of a fleet

	asked    chan struct{} // closed when a service requests the shutdown of the program
	endOnce  sync.Once
	deadline time.Time // end of the shutdown, once it is requested
}

// The node shuts down within exitGrace of the request. A control period that takes longer than
// stepGrace is abandoned when the process ends. The recording contains what was published before.
const (
	exitGrace = 900 * time.Millisecond
	stepGrace = 200 * time.Millisecond
)

// heapGrowth is the GOGC of the node. More memory means fewer garbage collections, at whose ends
// the loop waits for all threads.
const heapGrowth = 400 // percent

// newNode finds the ROS networks, reads the robot file and builds the simulator. After an error it
// closes what it has opened. It returns errInterrupted soon after ctx ends, whatever the robot.
func newNode(ctx context.Context, e *cli.Env, c *Cmd) (*node, error) {
	n := &node{env: e, asked: make(chan struct{})}
	growHeap()
	priority, err := parseRealtime(c.Realtime)
	if err != nil {
		return nil, err
	}
	if n.names, err = naming.NewNames(e.Robot.Name, e.Args, os.LookupEnv); err != nil {
		return nil, exitcode.Usage(err)
	}
	if err := n.introduce(c); err != nil {
		return nil, err
	}
	n.net, err = joinNetworks(ctx, n.names, c, os.LookupEnv, n.log)
	if err == nil {
		err = n.chooseTime(ctx, c)
	}
	if err == nil {
		err = n.build(ctx, c, priority)
	}
	if err == nil {
		err = n.assemble(c)
	}
	if err != nil && ctx.Err() != nil {
		err = errInterrupted
	}
	if err != nil {
		return nil, errors.Join(err, n.leave(exitGrace))
	}
	return n, nil
}

// growHeap trades memory for fewer garbage collections, unless GOGC is set.
func growHeap() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}

// introduce makes the log of the node and reads its parameters.
func (n *node) introduce(c *Cmd) error {
	if err := n.openLog(); err != nil {
		return exitcode.Usage(err)
	}
	if err := n.env.Args.LoadParams(n.names.Node(), cli.ReadParamFile); err != nil {
		return exitcode.Usage(err)
	}
	if source, _ := c.simTime(n.env); source != "" {
		if err := c.checkSimTime(source); err != nil { // before a network is searched for
			return err
		}
	}
	for _, line := range n.env.Args.Idle {
		n.log.Warn(line)
	}
	return nil
}

// buildNotice is the time after which the building of a robot is logged.
const buildNotice = time.Second

// build makes the robot and its simulator, which takes minutes for a large robot. When ctx ends it
// returns at once and abandons the robot.
func (n *node) build(ctx context.Context, c *Cmd, p scheduling.Priority) error {
	n.loop = newLoop(c.Realtime, p, 0, 1, n.log)
	type built struct {
		made *program.Instance
		sim  *sim.Simulator
	}
	clock := wallclock.New()
	b, err := waitOrAbandon(ctx, n.log, func() (b built, err error) {
		if b.made, err = n.env.Open(c.Config, n.net.serverParameters); err == nil {
			n.env.WarnOfStability(b.made)
			b.sim, err = c.simulator(b.made, clock, n.follows, n.loop.begun())
		}
		return b, err
	})
	n.loop.clock, n.clock, n.stamps, n.made, n.sim = clock, clock, clock.Stamps(), b.made, b.sim
	return err
}

// waitOrAbandon waits for do and logs a notice if that takes long. When ctx ends it returns at once and
// abandons the result of do.
func waitOrAbandon[T any](ctx context.Context, log *zap.Logger, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := do()
		done <- result{v, err}
	}()
	notice := time.After(buildNotice)
	for {
		select {
		case r := <-done:
			return r.value, r.err
		case <-ctx.Done():
			var none T
			return none, errInterrupted
		case <-notice:
			log.Info("building it takes a while: the robot is large, or looks for its equilibrium")
		}
	}
}

// simulator makes the simulator of a robot; begun is sim.Options.Begun.
func (c *Cmd) simulator(made *program.Instance, clock sim.Clock, follows bool, begun *atomic.Int64) (*sim.Simulator, error) {
	options := made.Timing.Simulator()
	options.Lockstep, options.Disabled, options.Follow, options.Begun = c.Lockstep, c.Disabled, follows, begun
	s, err := sim.NewSimulator(made.Model, clock, options)
	if err != nil {
		return nil, exitcode.Usage(err)
	}
	return s, nil
}

// assemble attaches bridge, recordings, parameters and the demo to the simulator.
func (n *node) assemble(c *Cmd) error {
	if c.demoAllowed() {
		if n.demo = newDemo(n.sim.Ports()); n.demo != nil {
			n.demo.sim = n.sim
		}
	}
	if n.demo != nil && c.demoWanted() {
		_ = n.demo.start() // fails only after it has begun
	}
	shown, err := n.names.Resolve("~" + n.env.Robot.ShownOf(n.made))
	if err != nil {
		return exitcode.Usage(err)
	}
	velocity, err := n.names.Resolve("~" + velocityPort)
	if err != nil {
		return exitcode.Usage(err)
	}
	n.monitor = &monitor{topic: shown, velocity: velocity}
	if err := n.net.open(); err != nil {
		return err
	}
	if err := n.openViewer(c); err != nil {
		return err
	}
	if err := n.openRecordings(c); err != nil {
		return err
	}
	if err := n.startRosout(c.Clock); err != nil {
		return err
	}
	audience := n.net.transports() // transports that get everything that the node publishes
	if n.viewer != nil {
		audience = append(audience, n.viewer)
	}
	transports := slices.Concat(audience, []ros.Transport{n.monitor, n.recordings.Transport()})
	o := ros.Options{
		SimTime: c.Clock, Clock: n.clock, Stamps: n.stamps, Log: n.log, AnyStamps: n.made.Timing.AnyStamps,
		Hardware: n.made.LiveHardware(n.sim.Ports(), n.env.Robot.ShownOf(n.made)), Received: n.recordings.Received,
	}
	if n.demo != nil {
		o.Demo = n.demo
	}
	if n.parameters, err = newLiveParameters(n); err != nil {
		return exitcode.Usage(err)
	}
	o.Statuses = append(o.Statuses, processStatus, n.parameters.status, n.recordings.Status)
	if n.parameters.description, err = n.describeRobot(transports, n.time(c.Clock)); err != nil {
		return err
	}
	if err := n.openJacobian(c.Clock, audience, &o); err != nil {
		return err
	}
	if n.bridge, err = ros.NewBridge(n.sim, n.names, transports, o); err != nil {
		return err
	}
	n.bridge.DisableTopics(n.made.DisabledTopics)
	if err := n.parameters.open(n.time(c.Clock)); err != nil {
		return err
	}
	if err := n.recordings.Serve(audience, n.names.Resolve); err != nil { // parameters are recorded by it
		return err
	}
	if err := n.serveROS2(c.Clock); err != nil {
		return err
	}
	n.serveViewers()
	return nil
}

// run simulates until ctx ends, the network requests the shutdown, or the loop fails.
func (n *node) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n.welcome()
	stop := make(chan struct{})
	allowLoops(1)
	ended := n.loop.start(ctx, func() error { return n.sim.Run(stop) }, cancel)
	if n.demo != nil {
		go n.demo.run(ctx, n.log)
	}
	st := newStatus(n.env, n.sim, n.monitor, n.env.Robot.ShownOf(n.made), n.made.LengthM)
	go runStatus(ctx, st.show)

	select {
	case <-ctx.Done():
	case <-n.net.done():
		cancel(errNetwork)
	case <-n.net.shutdown():
		cancel(errNetwork)
	case <-n.asked:
		cancel(errNetwork)
	}
	cause := context.Cause(ctx)
	n.deadline = time.Now().Add(exitGrace)
	close(stop)
	abandoned := time.Duration(0)
	select {
	case <-ended:
	case <-time.After(stepGrace):
		abandoned = n.sim.PeriodAge()
	}
	st.last(abandoned)
	if cleanEnd(cause) {
		return nil
	}
	return cause
}

// leave closes bridge, recording and network within grace: a master that hangs or a slow disk must
// not delay the end of the program.
func (n *node) leave(grace time.Duration) error {
	defer n.loop.close()
	end := time.Now().Add(grace)
	silent, closed := make(chan struct{}), make(chan error, 1)
	go func() {
		taken := n.parameters.close()
		if n.recordings != nil {
			n.recordings.Quit()
		}
		if n.bridge != nil {
			n.bridge.Close()
		}
		if n.jacobian != nil {
			n.jacobian.Close()
		}
		if n.rosout != nil {
			n.rosout.Close()
		}
		close(silent)
		viewers := make(chan error, 1)
		go func() { viewers <- n.closeViewer() }()
		err := errors.Join(n.net.close(), <-viewers)
		<-taken
		closed <- err
	}()
	select { // the last message is recorded before the recording ends
	case <-silent:
	case <-time.After(grace):
	}
	err := n.endRecording(time.Until(end))
	select {
	case netErr := <-closed:
		return errors.Join(err, netErr)
	case <-time.After(time.Until(end)):
		n.log.Warn("shut down without unregistering: the ROS network did not answer in time; other nodes may list this node for a while")
		return err
	}
}
