package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/verb"
	"sinew/pkg/ros"
	"sinew/pkg/ros/jacobian"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/recording"
	"sinew/pkg/ros/rosout"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// node is one running simulator with all that is attached to it.
type node struct {
	env     *verb.Env
	log     *zap.Logger
	names   *naming.Names
	net     *networks
	clock   sim.Clock
	stamps  *wallclock.Stamps
	follows bool // /clock
	made    *program.Made
	sim     *sim.Simulator
	bridge  *ros.Bridge
	monitor *monitor
	demo    *demo

	jacobian *jacobian.Publisher // nil where the robot has none

	recordings *recording.Control // nil before assemble
	viewer     *viewer.Server     // nil without --view
	rosout     *rosout.Log        // nil where the log is not published
	parameters *liveParameters    // nil before assemble

	realtime string   // of --realtime
	priority realtime // the same as a number

	guard     *guard // nil without priority
	unguarded error  // why it is

	asked    chan struct{} // closed when a service asks the program to end
	endOnce  sync.Once
	deadline time.Time // by which the node has left, once it is asked to end
}

// The node ends within exitGrace of being asked to. A control period that takes longer
// than stepGrace is abandoned: the process ends under it. What was published before it
// is in the recording.
const (
	exitGrace = 900 * time.Millisecond
	stepGrace = 200 * time.Millisecond
)

// heapGrowth is the GOGC of the node. It trades memory, of which there is plenty,
// for fewer garbage collections, at whose ends the loop waits for all threads.
const heapGrowth = 400 // percent

// newNode finds the ROS networks, reads the robot and puts the simulator
// together. What it opened is closed again after an error. It returns errInterrupted
// soon after ctx ends, whatever the robot.
func newNode(ctx context.Context, e *verb.Env, c *Cmd) (*node, error) {
	n := &node{env: e, realtime: c.Realtime, asked: make(chan struct{})}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	var err error
	if n.priority, err = parseRealtime(c.Realtime); err != nil {
		return nil, err
	}
	if n.names, err = naming.NewNames(e.Robot.Name, e.Args, os.LookupEnv); err != nil {
		return nil, exit.Usage(err)
	}
	if err := n.openLog(); err != nil {
		return nil, exit.Usage(err)
	}
	if err := e.Args.LoadParams(n.names.Node(), verb.ReadParamFile); err != nil {
		return nil, exit.Usage(err)
	}
	if source, _ := c.simTime(e); source != "" {
		if err := c.checkSimTime(source); err != nil { // before a network is looked for
			return nil, err
		}
	}
	for _, line := range e.Args.Idle {
		n.log.Warn(line)
	}
	n.net, err = joinNetworks(ctx, n.names, c, os.LookupEnv, n.log)
	if err == nil {
		err = n.chooseTime(ctx, c)
	}
	if err == nil {
		err = n.build(ctx, c)
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

// buildNotice is how long a robot is built in silence.
const buildNotice = time.Second

// build makes the robot and its simulator, which for a large robot takes minutes. When
// ctx ends it returns at once, and what is being built is abandoned.
func (n *node) build(ctx context.Context, c *Cmd) error {
	type built struct {
		made *program.Made
		sim  *sim.Simulator
		err  error
	}
	clock, done := wallclock.New(), make(chan built, 1)
	var begun *atomic.Int64
	if n.priority != realtimeOff {
		if n.guard, n.unguarded = startGuard(n.priority); n.guard != nil {
			begun = n.guard.begun()
		}
	}
	go func() {
		var b built
		if b.made, b.err = n.env.Open(c.Config, n.net.serverParameters); b.err == nil {
			options := b.made.Timing.Simulator()
			options.Lockstep, options.Disabled, options.Follow, options.Begun = c.Lockstep, c.Disabled, n.follows, begun
			if b.sim, b.err = sim.NewSimulator(b.made.Model, clock, options); b.err != nil {
				b.err = exit.Usage(b.err)
			}
		}
		done <- b
	}()
	notice := time.After(buildNotice)
	for {
		select {
		case b := <-done:
			n.clock, n.stamps, n.made, n.sim = clock, clock.Stamps(), b.made, b.sim
			return b.err
		case <-ctx.Done():
			return errInterrupted
		case <-notice:
			n.log.Info("building it takes a while: the robot is large, or looks for its equilibrium")
		}
	}
}

// assemble attaches to the simulator what watches and moves it.
func (n *node) assemble(c *Cmd) error {
	if c.demoAllowed() {
		n.demo = newDemo(n.sim.Ports())
	}
	if n.demo != nil && c.demoWanted() {
		_ = n.demo.Resume() // it has not begun
	}
	shown, err := n.names.Resolve("~" + n.env.Robot.Shown)
	if err != nil {
		return exit.Usage(err)
	}
	velocity, err := n.names.Resolve("~" + velocityPort)
	if err != nil {
		return exit.Usage(err)
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
	audience := n.net.transports() // who sees all that the node has
	if n.viewer != nil {
		audience = append(audience, n.viewer)
	}
	transports := slices.Concat(audience, []ros.Transport{n.monitor, n.recordings.Transport()})
	o := ros.Options{
		SimTime: c.Clock, Clock: n.clock, Stamps: n.stamps, Log: n.log, AnyStamps: n.made.Timing.AnyStamps,
		Hardware: n.made.LiveHardware(n.sim.Ports(), n.env.Robot.Shown), Received: n.recordings.Received,
	}
	if n.demo != nil {
		o.Demo = n.demo.Resume
	}
	if n.parameters, err = newLiveParameters(n); err != nil {
		return exit.Usage(err)
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
	n.bridge.Silence(n.made.Silent)
	if err := n.parameters.open(n.time(c.Clock)); err != nil {
		return err
	}
	if err := n.recordings.Serve(audience, n.names.Resolve); err != nil { // which tells recordings of parameters
		return err
	}
	if err := n.serveROS2(c.Clock); err != nil {
		return err
	}
	n.serveViewers()
	return nil
}

// run simulates until ctx ends, the network asks to end, or the loop fails.
func (n *node) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n.welcome()
	stop := make(chan struct{})
	ended := n.startLoop(ctx, stop, cancel)
	if n.demo != nil {
		go n.demo.run(ctx, n.sim, n.log)
	}
	st := newStatus(n.env, n.sim, n.monitor, n.env.Robot.Shown, n.made.LengthM)
	go st.run(ctx)

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

// spareProcs are the goroutines that may run at once beyond one per processor:
// after its sleep the loop must not wait for the Go scheduler to find it a
// place; the kernel, which knows its priority, decides instead.
const spareProcs = 2

// startLoop runs the simulator on a thread of its own; the channel closes when
// it has ended.
func (n *node) startLoop(ctx context.Context, stop <-chan struct{}, cancel context.CancelCauseFunc) <-chan struct{} {
	ended := make(chan struct{})
	runtime.GOMAXPROCS(runtime.NumCPU() + spareProcs)
	go func() {
		defer close(ended)
		// the pacer sleeps in the kernel, and only this thread has priority: it
		// serves no other goroutine and ends with this one
		runtime.LockOSThread()
		root := os.DirFS("/")
		unguarded := n.unguarded
		if n.guard != nil {
			unguarded = n.guard.await()
		}
		loop := raiseLoop(n.priority, isolatedProcessor(root), unguarded, func(thread int) { n.guard.watch(thread, n.clock) })
		loop.tell(n.realtime, n.priority, root, n.log)
		switch {
		case loop.priority != realtimeOff:
			go n.guard.tell(ctx.Done(), n.log)
		case n.guard != nil:
			n.guard.stop() // there is nothing to guard
		}
		if err := n.sim.Run(stop); err != nil {
			cancel(fmt.Errorf("simulation loop: %w", err))
		}
	}()
	return ended
}

// leave closes bridge, recording and network, but not for longer than grace: neither a
// master that hangs nor a slow disk must keep the program from ending.
func (n *node) leave(grace time.Duration) error {
	if n.guard != nil {
		defer n.guard.stop()
	}
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
	select { // the recording ends after the last message
	case <-silent:
	case <-time.After(grace):
	}
	err := n.endRecording(time.Until(end))
	select {
	case netErr := <-closed:
		return errors.Join(err, netErr)
	case <-time.After(time.Until(end)):
		n.log.Warn("left without good-bye: the ROS network did not answer in time")
		return err
	}
}
