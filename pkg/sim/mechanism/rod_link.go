package mechanism

import (
	"slices"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// rodLink is a rod with a free start: a chain of nodes.
type rodLink struct {
	Rod
	mesh      *rod.Rod
	state     *strain.State
	gravity   spatial.Vec
	first     int // node 0 among all nodes
	equations strain.Equations
	place     []blocks.Place   // of the coupling of a node and the next one
	increment []spatial.Twist  // of the strains
	extra     []spatial.Wrench // none: argument of strain.State.Begin
	loadNode  []int
	external  external
	time      float64 // at the end of the step, for the loads, s
	timeError strain.TimeError
	stepError *strain.TimeError // nil until beginStepError
	saved     struct {          // the last equilibrium on a path
		base   spatial.Pose
		strain []spatial.Twist
	}
}

// newRod returns the rod with nodes where joints hold it and loads act.
func newRod(r Rod, at []float64, gravity spatial.Vec) (*rodLink, error) {
	p := r.Parameters
	for _, l := range r.Loads {
		at = append(at, l.At)
	}
	p.Nodes = nodesWith(p.Nodes, at, p.Length)
	p.Base = spatial.IdentityPose()
	if r.Start != nil {
		p.Base = *r.Start
	}
	mesh, err := rod.New(p)
	if err != nil {
		return nil, err
	}
	n := len(mesh.Lengths)
	var o strain.Options
	if r.Options != nil {
		o = r.Options(mesh)
	}
	o.Gravity, o.FreeStart = gravity, true
	if r.KelvinVoigt > 0 {
		o.KelvinVoigt = make([]float64, n)
		for e := range o.KelvinVoigt {
			o.KelvinVoigt[e] = r.KelvinVoigt
		}
	}
	l := &rodLink{
		Rod: r, mesh: mesh, state: strain.New(mesh, o), gravity: gravity,
		place: make([]blocks.Place, n), increment: make([]spatial.Twist, n), extra: make([]spatial.Wrench, n+1),
		equations: strain.Equations{
			Wrench: make([]spatial.Wrench, n+1), Skew: make([]spatial.Wrench, n+1),
			Diag: make([]*spatial.Mat6, n+1), Next: make([]*spatial.Mat6, n+1),
		},
	}
	l.timeError = strain.NewTimeError(n + 1)
	for i := range l.equations.Next {
		l.equations.Next[i] = new(spatial.Mat6)
	}
	for _, load := range r.Loads {
		l.loadNode = append(l.loadNode, mesh.NearestNode(load.At))
	}
	l.setLoads(1)
	if r.Deformation != nil {
		placed := make([]spatial.Pose, n+1)
		start := r.Deformation.at(0).Inv()
		for i := range placed {
			placed[i] = p.Base.Mul(start).Mul(r.Deformation.at(mesh.ArcLengths[i]))
		}
		l.state.PlaceNodes(placed)
	}
	return l, nil
}

// setLoads sets the loads on the nodes to scale times the given ones and the external wrench.
func (l *rodLink) setLoads(scale float64) {
	clear(l.state.Loads)
	for k, load := range l.Loads {
		if isActive(load.Until, l.time) {
			l.addLoad(l.loadNode[k], load.Wrench, load.IsFollower, scale)
		}
	}
	l.addLoad(len(l.state.Loads)-1, l.external.wrench, l.external.isFollower, scale)
}

// addLoad adds scale times a wrench to those on a node.
func (l *rodLink) addLoad(node int, wrench spatial.Wrench, isFollower bool, scale float64) {
	o := &l.state.Loads[node]
	f, m := wrench.Force.Scale(scale), wrench.Moment.Scale(scale)
	if isFollower {
		o.Follower = spatial.Wrench{Force: o.Follower.Force.Add(f), Moment: o.Follower.Moment.Add(m)}
		return
	}
	o.Force, o.Moment = o.Force.Add(f), o.Moment.Add(m)
}

func (l *rodLink) label() (name string, given bool) { return l.Name, l.Velocity != nil }

func (l *rodLink) nodeCount() int { return len(l.state.Pose) }

func (l *rodLink) firstNode() int { return l.first }

func (l *rodLink) connect(first int, w *World) {
	l.first = first
	for i := range l.equations.Diag {
		l.equations.Diag[i] = w.matrix.Diagonal(first + i)
	}
	for e := range l.place {
		l.place[e] = w.matrix.Place(first+e, first+e+1)
	}
	copy(w.pose[first:], l.state.Pose)
}

func (l *rodLink) pairs() (all [][2]int) {
	for e := range l.place {
		all = append(all, [2]int{e, e + 1})
	}
	return all
}

func (l *rodLink) extent() float64 { return l.mesh.Length }

func (l *rodLink) stiffness() stiffness {
	b, length := &l.mesh.Stiffness.Bend, l.mesh.Length
	k := min(b.X, b.Y) / length
	return stiffness{k / (length * length), k}
}

func (l *rodLink) section(at float64) (node int, g spatial.Pose) {
	node = l.mesh.NearestNode(at)
	return node, l.state.Pose[node]
}

func (l *rodLink) placeSection(at float64, g spatial.Pose) {
	_, now := l.section(at)
	l.state.PlaceStart(g.Mul(now.Inv()).Mul(l.state.Base))
}

func (l *rodLink) rigidVelocity() (x, v, omega spatial.Vec) {
	t := l.state.NodeTwist(0)
	return l.state.Base.P, t.Linear, t.Angular
}

func (l *rodLink) setRigidVelocity(x, v, omega spatial.Vec) {
	for i := range l.state.Pose {
		g := &l.state.Pose[i]
		t := spatial.Vec6Of(g.R.ApplyT(v.Add(omega.Cross(g.P.Sub(x)))), g.R.ApplyT(omega))
		l.state.SetBodyVelocity(i, &t)
	}
}

func (l *rodLink) nodeVelocity(node int) spatial.Vec6 { return l.state.BodyVelocity(node) }

func (l *rodLink) setNodeVelocity(node int, v *spatial.Vec6) { l.state.SetBodyVelocity(node, v) }

func (l *rodLink) begin(f *integrate.BDF) {
	l.state.ScaleGravity(1)
	l.setLoads(1)
	l.state.Begin(*f, 1, l.extra)
}

func (l *rodLink) predict(extrapolate float64, pose []spatial.Pose) {
	l.state.Predict(extrapolate)
	copy(pose, l.state.Pose)
}

func (l *rodLink) beginStatics(scale float64) {
	l.state.BeginStatic()
	l.state.ScaleGravity(scale)
	l.setLoads(scale)
}

func (l *rodLink) assemble(w *World) {
	l.state.AssembleElements(&l.equations)
	l.state.AssembleNodes(&l.equations)
	l.add(w)
	for i := range l.equations.Skew { // less that of the wrenches, whose sum with those of joints and tendons is 0
		s, o, r := &w.skew[l.first+i], &l.equations.Skew[i], &l.equations.Wrench[i]
		s.Force, s.Moment = s.Force.AddScaled(-0.5, o.Force.Sub(r.Force)), s.Moment.AddScaled(-0.5, o.Moment.Sub(r.Moment))
	}
}

func (l *rodLink) assembleMass(w *World, beta float64) {
	for _, b := range l.equations.Next {
		clear(b[:])
	}
	l.state.BeginAccelerations(beta)
	l.state.AssembleElementWrenches(l.equations.Wrench)
	l.state.AssembleNodes(&l.equations)
	l.add(w)
}

// add adds wrenches and couplings to the system, which has the diagonal blocks.
func (l *rodLink) add(w *World) {
	for i, r := range l.equations.Wrench {
		addWrench(&w.right[l.first+i], r.Force, r.Moment)
	}
	for e := range l.place {
		w.matrix.Add(l.place[e], l.equations.Next[e])
	}
}

func (l *rodLink) setLevelBefore(h float64, acceleration []spatial.Vec6) {
	l.state.SetLevelBefore(h, acceleration)
}

func (l *rodLink) addLevelIncrements(now, before *strain.LevelIncrement, pose []spatial.Pose) {
	l.state.AddLevelIncrements(now, before)
	copy(pose, l.state.Pose)
}

func (l *rodLink) poseBefore(node int) spatial.Pose { return l.state.PoseBefore(node) }

func (l *rodLink) velocityIncrement(f *integrate.BDF, node int, end, now, before *spatial.Vec6) spatial.Vec6 {
	return l.state.VelocityIncrement(f, node, end, now, before)
}

func (l *rodLink) incrementLength() float64 { return slices.Min(l.mesh.Lengths) }

func (l *rodLink) strainIncrement(increment []spatial.Vec6) (size float64) {
	turn, stretch := l.state.StrainIncrementFrom(increment, l.increment)
	return max(turn, stretch)
}

func (l *rodLink) move(increment []spatial.Vec6, scale float64, pose []spatial.Pose) {
	l.state.AddIncrement(&increment[0], l.increment, scale)
	copy(pose, l.state.Pose)
}

func (l *rodLink) commit() { l.state.Commit() }

func (l *rodLink) commitStatics() { l.state.CommitEquilibrium() }

func (l *rodLink) revert(pose []spatial.Pose) {
	l.state.Revert()
	copy(pose, l.state.Pose)
}

func (l *rodLink) energy() (kinetic, weight, elastic float64) {
	kinetic, elastic = l.state.Energy()
	for i := range l.state.Pose {
		g := &l.state.Pose[i]
		tangent := spatial.Vec{X: g.R.XZ, Y: g.R.YZ, Z: g.R.ZZ}
		weight -= l.gravity.Dot(g.P.Scale(l.state.NodeMass(i)).AddScaled(l.state.NodeFirstMoment(i), tangent))
	}
	return kinetic, weight, elastic
}

func (l *rodLink) savePath() {
	l.saved.base = l.state.Base
	l.saved.strain = append(l.saved.strain[:0], l.state.Strain...)
}

func (l *rodLink) restorePath(pose []spatial.Pose) {
	l.state.Base = l.saved.base
	copy(l.state.Strain, l.saved.strain)
	l.state.UpdateKinematics()
	copy(pose, l.state.Pose)
}
