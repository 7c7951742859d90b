package force

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Loads are concentrated wrenches on the rod. They become loads of its nodes, which the rod adds to the
// equations with weight and inertia: a load between two nodes is shared by the lever rule.
//
// Moments and follower loads have no potential. Their tangent is exact by columns of low rank.
type Loads struct {
	passive
	Tip    TipWrench
	Points []PointLoad // those that act now

	mesh    *rod.Mesh
	factor  float64
	without []int // nodes with loads that have no potential, in the present step or the equilibrium that is sought
}

var (
	_ equations.Stateful       = (*Loads)(nil)
	_ equations.Loaded         = (*Loads)(nil)
	_ equations.LowRank        = (*Loads)(nil)
	_ equations.Differentiable = (*Loads)(nil)
)

// NewLoads makes loads on a rod with the mesh; none act at first.
func NewLoads(mesh *rod.Mesh) *Loads {
	return &Loads{mesh: mesh, factor: 1, without: make([]int, 0, len(mesh.Lengths))}
}

// Apply makes the loads those of the nodes.
func (l *Loads) Apply(state *strain.State) {
	nodes := state.Loads
	clear(nodes)
	addLoad(&nodes[len(nodes)-1], &l.Tip.Wrench, l.Tip.Axes, l.factor)
	for i := range l.Points {
		p := &l.Points[i]
		k, share := l.mesh.ElementAt(p.At)
		addLoad(&nodes[k], &p.Wrench, p.Axes, l.factor*(1-share))
		addLoad(&nodes[k+1], &p.Wrench, p.Axes, l.factor*share)
	}
}

func addLoad(l *strain.NodeLoad, w *spatial.Wrench, a Axes, scale float64) {
	if a == BodyAxes {
		l.Follower.Force = l.Follower.Force.AddScaled(scale, w.Force)
		l.Follower.Moment = l.Follower.Moment.AddScaled(scale, w.Moment)
		return
	}
	l.Force = l.Force.AddScaled(scale, w.Force)
	l.Moment = l.Moment.AddScaled(scale, w.Moment)
}

// BeginStep implements equations.Stateful.
func (l *Loads) BeginStep(state *strain.State, _ equations.Step, _ []spatial.Wrench) {
	l.begin(state)
}

// BeginEquilibrium implements equations.Stateful.
func (l *Loads) BeginEquilibrium(state *strain.State) { l.begin(state) }

// begin applies the whole loads and lists the nodes where they have no potential.
func (l *Loads) begin(state *strain.State) {
	l.factor = 1
	l.Apply(state)
	l.without = l.without[:0]
	for i := 1; i < len(state.Loads); i++ {
		x := &state.Loads[i]
		if x.Moment != (spatial.Vec{}) || x.Follower != (spatial.Wrench{}) {
			l.without = append(l.without, i)
		}
	}
}

// SetLoadFactor implements equations.Loaded.
func (l *Loads) SetLoadFactor(state *strain.State, factor float64) {
	l.factor = factor
	l.Apply(state)
}

// HasPotential implements equations.Element, for the present step or the equilibrium that is sought.
func (l *Loads) HasPotential() bool { return len(l.without) == 0 }

// MaxColumns implements equations.LowRank: in a step, refinement takes the place of columns.
func (l *Loads) MaxColumns() int { return 0 }

// AddColumns implements equations.LowRank.
func (l *Loads) AddColumns(_ *strain.State, c *equations.Columns, scope equations.Scope) {
	if scope == equations.StepScope {
		return
	}
	for _, i := range l.without {
		c.Row(i, 0)
	}
}

// Inputs implements equations.Differentiable: force and moment on the last node, world axes.
func (l *Loads) Inputs(d *equations.Derivatives) (all []equations.Input) {
	state := d.System.State
	n := len(state.Pose) - 1
	r := &state.Pose[n].R
	for i, name := range [...]string{"tip_force.x", "tip_force.y", "tip_force.z", "tip_moment.x", "tip_moment.y", "tip_moment.z"} {
		var v [6]float64
		v[i] = 1
		x := d.NewInput(equations.LoadInput, name, "N")
		if i >= 3 {
			x.Unit = "N m"
		}
		x.Wrench[n-1] = spatial.Vec6Of(r.ApplyT(spatial.VecAt(v[:])), r.ApplyT(spatial.VecAt(v[3:])))
		all = append(all, x)
	}
	return all
}

// Nonlinearisable implements equations.Differentiable.
func (l *Loads) Nonlinearisable() string { return "" }
