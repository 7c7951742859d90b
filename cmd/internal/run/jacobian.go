package run

import (
	"math"
	"time"

	"sinew/cmd/internal/exitcode"
	"sinew/pkg/ros"
	"sinew/pkg/ros/jacobian"
	"sinew/pkg/sim"
)

// openJacobian publishes the Jacobian of a differentiable robot to an audience, and adds its status
// to the diagnostics of the bridge. Stamps are those of the bridge.
func (n *node) openJacobian(clock bool, audience []ros.Transport, o *ros.Options) error {
	if d, ok := sim.As[sim.Differentiable](n.made.Model); !ok || !d.HasDerivatives() || n.made.NewModel == nil {
		return nil
	}
	name, err := n.names.Resolve("~" + jacobian.Topic)
	if err != nil {
		return exitcode.Usage(err)
	}
	from := jacobian.Source{Hz: n.made.Timing.JacobianHz, NewModel: n.made.NewModel}
	n.jacobian, err = jacobian.New(n.sim, from, jacobian.Options{
		Name: name, Listeners: audience, Recorders: []ros.Transport{n.recordings.Transport()}, Log: n.log,
		Time: func(at *sim.StateCopy) time.Duration {
			switch {
			case clock:
				return time.Duration(math.Round(at.SimTime * 1e9))
			case n.follows:
				return at.Stamp
			}
			return n.stamps.At(at.Stamp)
		},
	})
	if err == nil {
		o.Statuses = append(o.Statuses, n.jacobian.Status)
	}
	return err
}
