package force

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/drive"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// Tendon is the constants of one tendon.
type Tendon struct {
	Name      string
	Route     *tendon.Route
	Stiffness float64 // N/m; 0: tension control only, +Inf: inextensible
	Friction  float64 // coefficient at the disks
	// Displacement is the elastic deflection at which friction slips, m; 0: in proportion to the distance
	// of the hole from the centreline.
	Displacement float64
	// Bristles are the friction springs in parallel; none: one of Displacement.
	Bristles []tendon.Bristle
	// MinTension, at most 0, and MaxTension are the bounds of the tension under length control, N; below 0 the tendon pushes.
	MinTension, MaxTension float64
}

// Tendons are the tendons of a robot: straight chords between the nodes of the rod, with a tension T and
// the potential T times their length; under length control the tension is the multiplier of a unilateral
// constraint. Their friction acts at the disks that they pass.
type Tendons struct {
	tendons    []Tendon
	transverse bool // disks exert no force along their normal
	mesh       *rod.Rod
	bundle     *tendon.Bundle
	friction   []*tendon.Friction // by tendon, nil where there is none
	frictional []int              // the tendons with friction
	blocks     []*spatial.Mat6    // by gap of the bundle, the block that couples its nodes; nil at the base
	rest       []float64          // by tendon, routed length in the stress-free rod, m
	eulerLoad  []float64          // by gap of the bundle, π² times the least bending stiffness of the rod there, N m²

	// tensions is the state of the tendons: by tendon, the tension at the base, N. Under length control it
	// is an unknown of the step.
	tensions    []float64
	predecessor bool // there has been an equilibrium or a step
	law         frictionLaw
	committed   counts

	// constant during a step or a search for an equilibrium
	setpoints []Setpoint
	coupling  *drive.Coupling // compliance that tendons share; nil: none
	factor    float64         // of the setpoints, in load stepping

	// of the iterate
	offset    []float64  // by tendon, length minus work length, m: 0 but where it slides in an equilibrium
	increment []float64  // by tendon, of the tension, N
	elastic   []interval // by tendon, of the tensions between which the merit counts stretch as elastic
	saved     []float64  // tensions before the last Move
	counts    counts
	columns   int // of friction, in the last AddColumns

	before struct { // the step
		tensions []float64
		law      frictionLaw
	}
	gradient []spatial.Vec6         // scratch
	energy   *equations.Constraints // scratch of coupledEnergy
}

// counts are the numbers of tendons under length control at a bound: slack at the least tension, yielding at the largest one.
type counts struct{ slack, yielding int }

// interval is one of tensions, N, that contains 0.
type interval struct{ least, most float64 }

var (
	_ equations.Coupler          = (*Tendons)(nil)
	_ equations.Stateful         = (*Tendons)(nil)
	_ equations.Nonconservative  = (*Tendons)(nil)
	_ equations.LowRank          = (*Tendons)(nil)
	_ equations.Constrained      = (*Tendons)(nil)
	_ equations.Nonsmooth        = (*Tendons)(nil)
	_ equations.HistoryDependent = (*Tendons)(nil)
	_ equations.Loaded           = (*Tendons)(nil)
	_ equations.Checked          = (*Tendons)(nil)
	_ equations.Gauged           = (*Tendons)(nil)
	_ equations.Differentiable   = (*Tendons)(nil)
	_ equations.EulerLoaded      = (*Tendons)(nil)
)

// NewTendons strings the tendons along a rod. With transverse, disks exert no force along their normal but
// the last one of each tendon.
func NewTendons(list []Tendon, mesh *rod.Rod, transverse bool) *Tendons {
	routes := make([]*tendon.Route, len(list))
	for k := range routes {
		routes[k] = list[k].Route
	}
	n := len(routes)
	t := &Tendons{
		tendons: list, transverse: transverse, mesh: mesh, factor: 1,
		bundle: tendon.NewBundle(routes), friction: make([]*tendon.Friction, n),
		gradient: make([]spatial.Vec6, mesh.Elements), energy: equations.NewComplementarity(n),
	}
	for _, x := range []*[]float64{&t.rest, &t.tensions, &t.offset, &t.increment, &t.saved, &t.before.tensions} {
		*x = make([]float64, n)
	}
	t.elastic = make([]interval, n)
	for _, g := range t.bundle.Gaps() {
		least := math.Inf(1)
		for e := g[0]; e < g[1]; e++ {
			k := &mesh.Properties[e].Stiffness.Bend
			least = min(least, k.X, k.Y)
		}
		t.eulerLoad = append(t.eulerLoad, math.Pi*math.Pi*least)
	}
	t.newFriction()
	return t
}

// SetCommands makes the setpoints, one per tendon, and the compliance that tendons share, nil for none, those
// of the next step or equilibrium. Both slices are kept.
func (t *Tendons) SetCommands(setpoints []Setpoint, coupling *drive.Coupling) {
	t.setpoints, t.coupling = setpoints, coupling
}

// RememberRest makes the measured lengths those of the stress-free rod.
func (t *Tendons) RememberRest() {
	t.bundle.SetRestLengths()
	for k := range t.rest {
		t.rest[k] = t.bundle.Length(k)
	}
}

// Length is the routed length of tendon k from the hole in the base plate to its last disk, m, and its rate,
// m/s.
func (t *Tendons) Length(k int, state *strain.State) (length, rate float64) {
	return t.bundle.Length(k), t.bundle.LengthRate(k, state)
}

// RestLength is the routed length of tendon k in the stress-free rod, m.
func (t *Tendons) RestLength(k int) float64 { return t.rest[k] }

// Tension is the tension of tendon k at the base under setpoint d, N: under length control that of the last
// step.
func (t *Tendons) Tension(k int, d Setpoint) float64 {
	if d.Mode == TensionControl {
		return d.Tension
	}
	return t.tensions[k]
}

// TensionAt is the tension of tendon k in its piece i, N, in the last assembly: piece 0 is between the base plate and the first disk.
func (t *Tendons) TensionAt(k, i int) float64 { return t.bundle.TensionAt(k, i) }

// EulerLoads are, by gap of Couplings, π² times the least bending stiffness of the rod there, N m².
func (t *Tendons) EulerLoads() []float64 { return t.eulerLoad }

// Couplings implements equations.Coupler: the gaps between disks.
func (t *Tendons) Couplings() [][2]int { return t.bundle.Gaps() }

// SetBlocks implements equations.Coupler.
func (t *Tendons) SetBlocks(blocks []*spatial.Mat6) { t.blocks = blocks }

// UpdateKinematics implements equations.Element.
func (t *Tendons) UpdateKinematics(state *strain.State) { t.bundle.UpdateKinematics(state.Pose) }

// Assemble implements equations.Element.
func (t *Tendons) Assemble(state *strain.State, q *strain.Equations) {
	t.updateTensions()
	t.bundle.Assemble(state.Pose, q, t.blocks)
}

// AssembleWrenches implements equations.Element.
func (t *Tendons) AssembleWrenches(state *strain.State, q *strain.Equations) {
	t.updateTensions()
	t.bundle.AddWrenches(state.Pose, q.Wrench)
}

// AddNonconservative implements equations.Nonconservative: it takes the forces along the normals of disks
// out of the wrenches, where they are transverse.
func (t *Tendons) AddNonconservative(state *strain.State, wrench []spatial.Wrench) {
	if t.transverse {
		t.setTensions()
		t.bundle.OmitNormalForces(state.Pose, wrench)
	}
}

// updateTensions updates the friction of an equilibrium, and sets the tensions of the chords.
func (t *Tendons) updateTensions() {
	if t.law != bristles {
		t.updateEquilibriumFriction()
	}
	t.setTensions()
}

// baseTension is the tension of tendon k at the base, N, of the iterate.
func (t *Tendons) baseTension(k int) float64 {
	if d := &t.setpoints[k]; d.Mode == TensionControl {
		return t.factor * d.Tension
	}
	return t.tensions[k]
}

// setTensions gives the chords the tensions of the iterate and counts the tendons that are slack or yield.
func (t *Tendons) setTensions() {
	t.counts = counts{}
	for k, d := range t.setpoints {
		x := t.baseTension(k)
		t.bundle.SetTension(k, x)
		switch {
		case d.Mode == TensionControl:
		case x <= t.tendons[k].MinTension:
			t.counts.slack++
		case x >= t.tendons[k].MaxTension:
			t.counts.yielding++
		}
	}
	if t.law == bristles {
		for _, k := range t.frictional {
			t.friction[k].UpdateTensions()
		}
	}
}

// Potential implements equations.Element: of tendons under tension control the work of the motors.
func (t *Tendons) Potential(*strain.State) (sum float64) {
	if t.coupling != nil {
		sum += t.coupledEnergy()
	}
	for k, d := range t.setpoints {
		if d.Mode == TensionControl {
			sum += t.factor * d.Tension * t.workLength(k)
		} else if t.coupling == nil {
			sum += stretchEnergy(t.stretch(k, d), 1/t.tendons[k].Stiffness, t.elastic[k])
		}
		if f := t.friction[k]; f != nil && t.law == bristles {
			sum += f.Potential()
		}
	}
	return sum
}

// HasPotential implements equations.Element. Friction has one within a step, and in an equilibrium one with
// the limits of the iterate.
func (t *Tendons) HasPotential() bool { return !t.transverse }

// BaseWrench implements equations.Element.
func (t *Tendons) BaseWrench(state *strain.State) spatial.Wrench {
	t.setTensions()
	return t.bundle.BaseWrench(&state.Base)
}

// SetLoadFactor implements equations.Loaded.
func (t *Tendons) SetLoadFactor(_ *strain.State, factor float64) { t.factor = factor }

// HasKinks implements equations.Nonsmooth.
func (t *Tendons) HasKinks() bool { return t.IsHistoryDependent() }

// IsSmooth implements equations.Nonsmooth: under given tensions, without friction.
func (t *Tendons) IsSmooth() bool { return !t.IsConstrained() && !t.IsHistoryDependent() }

// IsChordAllowed implements equations.Nonsmooth: friction and constraints need the tangent of their iterate.
func (t *Tendons) IsChordAllowed(float64) bool { return t.IsSmooth() }

// IsLinear implements equations.Nonsmooth: the merit test guards friction.
func (t *Tendons) IsLinear(*strain.State, []spatial.Vec6) bool { return true }

// Reset implements equations.Stateful: friction is free at the measured lengths.
func (t *Tendons) Reset(state *strain.State) {
	t.UpdateKinematics(state)
	t.counts, t.committed, t.law, t.predecessor = counts{}, counts{}, sliding, false
	t.ClearMultipliers()
	for _, k := range t.frictional {
		f := t.friction[k]
		f.ClearShares()
		f.InitBristles(0)
	}
}

// BeginStep implements equations.Stateful: the measured directions and the tensions at the base limit the
// friction throughout the step. In the first step after an equilibrium the wrenches without a potential do
// not count the friction that the bristles have taken over.
func (t *Tendons) BeginStep(state *strain.State, _ equations.Step, extra []spatial.Wrench) {
	t.factor = 1
	copy(t.before.tensions, t.tensions)
	t.before.law = t.law
	for k, f := range t.tensions {
		t.setElastic(k, f, f)
	}
	for _, k := range t.frictional {
		f := t.friction[k]
		f.Begin(t.Tension(k, t.setpoints[k]))
		t.offset[k] = 0
	}
	t.AddNonconservative(state, extra)
	t.law = bristles
}

// BeginEquilibrium implements equations.Stateful: each tendon has equal tensions along it until Assemble updates its friction.
func (t *Tendons) BeginEquilibrium(*strain.State) {
	t.factor, t.counts = 1, counts{}
	if t.law = sliding; t.predecessor {
		t.law = sticking
	}
	for k := range t.friction {
		t.offset[k] = 0
	}
	for _, k := range t.frictional {
		f := t.friction[k]
		f.ClearShares()
	}
}

// Commit implements equations.Stateful.
func (t *Tendons) Commit(*strain.State) (impact bool) {
	t.predecessor = true
	t.commitTensions()
	for _, k := range t.frictional {
		f := t.friction[k]
		f.Commit()
	}
	t.committed = t.counts
	return false
}

// CommitEquilibrium implements equations.Stateful: the bristles take over the friction of the equilibrium.
func (t *Tendons) CommitEquilibrium(*strain.State) {
	t.commitTensions()
	t.predecessor = true
	for _, k := range t.frictional {
		if f := t.friction[k]; t.law == sticking {
			f.CommitEquilibrium(t.Tension(k, t.setpoints[k]))
		} else {
			f.InitBristles(t.Tension(k, t.setpoints[k]))
		}
	}
	t.committed = t.counts
}

// commitTensions keeps the commanded tensions, from which a tendon starts that comes under length control.
func (t *Tendons) commitTensions() {
	for k, d := range t.setpoints {
		if d.Mode == TensionControl {
			t.tensions[k] = d.Tension
		}
	}
}

// Revert implements equations.Stateful.
func (t *Tendons) Revert(*strain.State) {
	copy(t.tensions, t.before.tensions)
	t.law = t.before.law
	for _, k := range t.frictional {
		f := t.friction[k]
		f.Revert()
	}
}

// CommitAtRest implements equations.Stateful.
func (t *Tendons) CommitAtRest(*strain.State) {}

// stateHead is the number of values of a saved state before the tensions.
const stateHead = 3

// StateLen implements equations.Stateful.
func (t *Tendons) StateLen() int {
	n := stateHead + len(t.tensions)
	for _, k := range t.frictional {
		f := t.friction[k]
		n += f.StateLen()
	}
	return n
}

// Save implements equations.Stateful.
func (t *Tendons) Save(dst []float64) {
	dst[0], dst[1], dst[2] = float64(t.committed.slack), float64(t.committed.yielding), float64(t.historyKind())
	dst = dst[stateHead:]
	dst = dst[copy(dst, t.tensions):]
	for _, k := range t.frictional {
		f := t.friction[k]
		f.Save(dst)
		dst = dst[f.StateLen():]
	}
}

// Restore implements equations.Stateful.
func (t *Tendons) Restore(src []float64, _ *strain.State) {
	t.counts = counts{int(src[0]), int(src[1])}
	t.committed = t.counts
	t.setHistoryKind(int(src[2]))
	src = src[stateHead:]
	src = src[copy(t.tensions, src):]
	for _, k := range t.frictional {
		f := t.friction[k]
		f.Restore(src)
		src = src[f.StateLen():]
	}
}

// EulerLoadRatio implements equations.EulerLoaded: of the total tension in a gap between disks to the Euler
// load π² EI/gap² of the rod there.
func (t *Tendons) EulerLoadRatio() (ratio float64, nodes [2]int) {
	return t.bundle.EulerLoadRatio(t.eulerLoad, t.mesh.ArcLengths)
}

// Shares of the Euler load between disks that deserve attention. A coarse mesh is up to 21 % too stiff to show
// the buckling itself.
const (
	eulerLoadWarn       = 0.9
	eulerLoadWarnCoarse = 0.3
	coarseGap           = 4 // elements
)

const (
	// approachWarn is the share of their distance by which two disks have come together at a hole that deserves
	// attention.
	approachWarn = 0.9
	// leastApproach is the share of their distance that two disks keep at each hole.
	leastApproach = 0.02
)

// Gauges implements equations.Gauged.
func (t *Tendons) Gauges() []sim.Gauge {
	warn := eulerLoadWarn
	for _, g := range t.bundle.Gaps() {
		if g[1]-g[0] < coarseGap {
			warn = eulerLoadWarnCoarse
		}
	}
	return []sim.Gauge{
		{Key: "slack_tendons"},
		{Key: "tendons_at_max_tension", Warn: 0.5, Hint: "their pulls would take more than max_tension_n"},
		{Key: "thrust_over_buckling_load", Warn: warn, Hint: "the rod may buckle between two disks"},
		{Key: "disk_approach", Warn: approachWarn, Hint: "two disks come near one another in the hole of a tendon"},
	}
}

// MeasureGauges implements equations.Gauged.
func (t *Tendons) MeasureGauges(state *strain.State, dst []float64) int {
	dst[0], dst[1] = float64(t.counts.slack), float64(t.counts.yielding)
	dst[2], _ = t.EulerLoadRatio()
	dst[3] = 1 - t.bundle.MinDiskClearance(state.Pose).Ratio
	return 4
}

// Check implements equations.Checked.
func (t *Tendons) Check(state *strain.State, time float64, converged bool) error {
	if !converged {
		return nil
	}
	if err := t.checkLengths(time); err != nil {
		return err
	}
	if a := t.bundle.MinDiskClearance(state.Pose); a.Ratio < leastApproach {
		at := t.mesh.ArcLengths
		return &DiskCollisionError{
			Time: time, Tendon: t.tendons[a.Tendon].Name, Ratio: a.Ratio,
			ArcLength: [2]float64{at[a.Nodes[0]], at[a.Nodes[1]]},
		}
	}
	return nil
}

// DiskCollisionError is the error of a shape in which two disks touch at the hole of a
// tendon or have passed through one another, of which the model knows nothing.
type DiskCollisionError struct {
	Time      float64    // s
	Tendon    string     // in whose hole they meet
	ArcLength [2]float64 // of the disks, m; 0 is the base plate
	Ratio     float64    // of their distance there to that in the stress-free rod
}

func (e *DiskCollisionError) Error() string {
	return fmt.Sprintf("the disks at %.4g m and %.4g m collide at the hole of tendon %s at t = %.6g s: their distance there is %.2g of that of the straight rod, allowed: above %g; use less tension or pull, or disks nearer to the rod",
		e.ArcLength[0], e.ArcLength[1], e.Tendon, e.Time, e.Ratio, leastApproach)
}

// tensionStep is by how much the tension (N) of a tendon changes either way where the change of the equations
// is taken by a difference, in proportion to 1 N + its size.
const tensionStep = 1e-5

// Inputs implements equations.Differentiable: the tension or the pull of each tendon.
func (t *Tendons) Inputs(d *equations.Derivatives) (all []equations.Input) {
	for k := range t.setpoints {
		p, name := &t.setpoints[k], t.tendons[k].Name
		if p.Mode == LengthControl {
			x := d.NewInput(equations.ActuationInput, "pull."+name, "m")
			x.Gap[d.FirstConstraint(t)+k] = 1
			all = append(all, x)
			continue
		}
		x, was := d.NewInput(equations.ActuationInput, "tension."+name, "N"), p.Tension
		h := tensionStep * (1 + math.Abs(was))
		for _, side := range [...]float64{1, -1} {
			p.Tension = was + side*h
			d.AddEquations(&x, side/(2*h))
		}
		p.Tension = was
		all = append(all, x)
	}
	return all
}

// Nonlinearisable implements equations.Differentiable.
func (t *Tendons) Nonlinearisable() string {
	switch {
	case t.IsHistoryDependent():
		return "its tendons have friction"
	case t.transverse:
		return "disk_force is transverse"
	}
	return ""
}

// MultiplierNames implements equations.Constrained.
func (t *Tendons) MultiplierNames() (names []string) {
	for k := range t.tendons {
		names = append(names, "tension."+t.tendons[k].Name)
	}
	return names
}

// IsConstrained implements equations.Constrained: a tendon is under length control.
func (t *Tendons) IsConstrained() bool {
	return slices.ContainsFunc(t.setpoints, func(d Setpoint) bool { return d.Mode == LengthControl })
}

// Inactive are the numbers of tendons under length control at the least tension and at the largest one, in the last assembly.
func (t *Tendons) Inactive() (slack, yielding int) { return t.counts.slack, t.counts.yielding }
