package continuum

import (
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// drag is the coefficient of drag_per_s on each node, N s/m: in proportion to the mass of
// the rod that belongs to it. Disks and payload have none.
func (r *Robot) drag() []float64 {
	rate := r.file.Rod.Damping.Drag
	if rate == 0 {
		return nil
	}
	c := r.rod.NodeMasses()
	for i := range c {
		c[i] *= rate
	}
	return c
}

// setLoads makes the external loads of the nodes those of in, times scale. A load
// between two nodes is shared by the lever rule.
func setLoads(nodes []strain.NodeLoad, mesh *rod.Mesh, in *inputs, scale float64) {
	clear(nodes)
	n := len(nodes) - 1
	addLoad(&nodes[n], &in.Tip.Wrench, in.Tip.Axes, scale)
	for i := range in.Loads {
		l := &in.Loads[i]
		k, part := mesh.At(l.At)
		addLoad(&nodes[k], &l.Wrench, l.Axes, scale*(1-part))
		addLoad(&nodes[k+1], &l.Wrench, l.Axes, scale*part)
	}
}

func addLoad(l *strain.NodeLoad, w *spatial.Wrench, a axes, scale float64) {
	if a == bodyAxes {
		l.Follower.Force = l.Follower.Force.AddScaled(scale, w.Force)
		l.Follower.Moment = l.Follower.Moment.AddScaled(scale, w.Moment)
		return
	}
	l.Force = l.Force.AddScaled(scale, w.Force)
	l.Moment = l.Moment.AddScaled(scale, w.Moment)
}
