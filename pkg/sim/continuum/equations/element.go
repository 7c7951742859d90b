package equations

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// Element is a force element: something that acts on the nodes of the rod. The rod itself, with its
// stiffness, inertia, weight and drag, is no Element.
//
// All methods use the last UpdateKinematics, and none allocates.
type Element interface {
	// UpdateKinematics takes the kinematics of the element, such as lengths and gaps, from the present poses.
	UpdateKinematics(rod *strain.State)
	// Assemble adds the wrenches with a potential (N, N m, body axes) and their symmetric tangent to q.
	Assemble(rod *strain.State, q *strain.Equations)
	// AssembleWrenches adds the wrenches of Assemble to q.Wrench. The blocks of q are scratch.
	AssembleWrenches(rod *strain.State, q *strain.Equations)
	// Potential is the incremental potential of those wrenches, J. Its gradient is their negative.
	Potential(rod *strain.State) float64
	// HasPotential reports whether all wrenches of the element have a potential now.
	HasPotential() bool
	// BaseWrench is the wrench on node 0 in the axes of the base, N and N m.
	BaseWrench(rod *strain.State) spatial.Wrench
}

// Coupler is an Element whose tangent couples nodes that are no neighbours.
type Coupler interface {
	Element
	// Couplings lists the pairs of nodes, each with the lower index first, node 0 included.
	Couplings() [][2]int
	// SetBlocks hands over the block of each pair, nil where one of them is node 0.
	SetBlocks(blocks []*spatial.Mat6)
}

// Nonconservative is an Element with wrenches that have no potential.
type Nonconservative interface {
	Element
	// AddNonconservative adds those wrenches, body axes, N and N m.
	AddNonconservative(rod *strain.State, wrench []spatial.Wrench)
}

// Scope says which parts of low rank an assembled tangent has.
type Scope uint8

// The scopes of a tangent.
const (
	StepScope         Scope = iota // a time step: stiffness of friction that sticks
	EquilibriumScope               // an equilibrium, exact
	FrictionlessScope              // an equilibrium, without friction and without transverse disk forces
	StickingScope                  // an equilibrium, with the friction of disks that stick alone
)

// LowRank is an Element with a tangent of low rank that the blocks of the matrix do not hold.
type LowRank interface {
	Element
	// MaxColumns is the largest number of columns that AddColumns enters in StepScope.
	MaxColumns() int
	// AddColumns enters the columns at the iterate.
	AddColumns(rod *strain.State, c *Columns, scope Scope)
}

// Constrained is an Element with unilateral constraints. Their multipliers are part of the iterate.
type Constrained interface {
	Element
	// MaxRows is the largest number of rows.
	MaxRows() int
	// AddRows enters the active rows with their columns.
	AddRows(rod *strain.State, c *Constraints, scope Scope)
	// UpdateRows sets the scalars of the rows that AddRows, perhaps of a nearby robot, has entered.
	UpdateRows(c *Constraints)
	// SetIncrement takes the increments of the multipliers from the rows of c, 0 for others.
	SetIncrement(c *Constraints)
	// Move adds scale times the increments to the multipliers and keeps the values before.
	Move(scale float64)
	// Undo returns to the values before Move.
	Undo()
	// Multipliers are those of the iterate, N; they may be written.
	Multipliers() []float64
	// MultiplierIncrements are those of the last SetIncrement, N; they may be written.
	MultiplierIncrements() []float64
	// MultiplierNames are those of all, such as "tension.left".
	MultiplierNames() []string
	// ClearMultipliers sets all to 0.
	ClearMultipliers()
	// SquaredViolation is the sum of the squares of how far the constraints are violated, m².
	SquaredViolation() float64
	// AddGaps adds scale times the gap of each active constraint to gap, by ID.
	AddGaps(gap []float64, scale float64)
	// AddBounds adds scale times the bounds of each multiplier to low and high, by ID, N.
	AddBounds(low, high []float64, scale float64)
	// IsConstrained reports whether a constraint exists under the present commands.
	IsConstrained() bool
}

// Step is the interval of a time step.
type Step struct {
	Time  float64 // at its start, s
	Dt    float64 // s
	Whole float64 // at the start of the undivided step of which this one may be a part, s
	// Formula is that of the step: of order 1 or 2, by the length of the step before.
	Formula integrate.BDF
}

// Stateful is an Element with a history.
type Stateful interface {
	Element
	// Reset forgets the history; the present shape is the state.
	Reset(rod *strain.State)
	// BeginStep freezes what is constant during a step from the present state, and adds the wrenches
	// without a potential at its start to extra (body axes, by node).
	BeginStep(rod *strain.State, s Step, extra []spatial.Wrench)
	// BeginEquilibrium starts a search for an equilibrium at the present time.
	BeginEquilibrium(rod *strain.State)
	// Commit makes the iterate the state at the end of the step. It reports whether there was an impact.
	Commit(rod *strain.State) (impact bool)
	// CommitEquilibrium makes the iterate, an equilibrium, the state.
	CommitEquilibrium(rod *strain.State)
	// Revert makes the state that of before BeginStep.
	Revert(rod *strain.State)
	// CommitAtRest makes the present shape, at rest, the one from which the next step begins.
	CommitAtRest(rod *strain.State)
	// StateLen is the number of values that Save writes. Restore reads them for a rod that is restored.
	StateLen() int
	Save(dst []float64)
	Restore(src []float64, rod *strain.State)
}

// Loaded is an Element that load stepping scales.
type Loaded interface {
	Element
	// SetLoadFactor multiplies the load by a factor from 0 to 1.
	SetLoadFactor(rod *strain.State, factor float64)
}

// Nonsmooth is an Element whose wrenches have kinks, or constraints.
type Nonsmooth interface {
	Element
	// HasKinks reports whether friction or contact can make the wrenches kink.
	HasKinks() bool
	// IsSmooth reports whether the wrenches are smooth under the present commands.
	IsSmooth() bool
	// IsChordAllowed reports whether the tangent before an increment of that size (rad) may serve
	// again after it.
	IsChordAllowed(size float64) bool
	// IsLinear reports whether increments x of the nodes change the wrenches as the tangent, with its
	// corrections, says.
	IsLinear(rod *strain.State, x []spatial.Vec6) bool
}

// HistoryDependent is an Element whose equilibria depend on those before.
type HistoryDependent interface {
	Element
	// IsHistoryDependent reports whether any equilibrium does.
	IsHistoryDependent() bool
	// HasPredecessor reports whether there has been an equilibrium or a step.
	HasPredecessor() bool
}

// Inverse is a factored tangent.
type Inverse interface {
	// SolveFrom replaces the right-hand side x, which is 0 before block first, by the solution, and
	// reports whether there is one.
	SolveFrom(first int, x []spatial.Vec6) bool
}

// Obstacle is an Element that the rod cannot pass.
type Obstacle interface {
	Stateful
	// MaxIncrementFraction is the share of the increments x of the nodes that moves nothing through a wall.
	MaxIncrementFraction(rod *strain.State, x []spatial.Vec6) float64
	// UpdateFriction sets the normal forces that limit friction to those of the iterate. It reports
	// whether one has changed so much that the step has to be solved again; then AddFrictionUpdate adds
	// the change of the wrenches on the nodes from 1 on.
	UpdateFriction(rod *strain.State) (changed bool)
	AddFrictionUpdate(rod *strain.State, x []spatial.Vec6)
	// CheckSpeed refuses an iterate that may have passed through a wall since the start of the step.
	CheckSpeed(time float64) error
	// CheckPenetration refuses a rod that is inside a wall, CheckBasePenetration a base that is.
	CheckPenetration(rod *strain.State, time float64) error
	CheckBasePenetration(rod *strain.State, time float64) error
	// CheckNewPenetration is CheckPenetration but for where the rod was at the start of the step.
	CheckNewPenetration(rod *strain.State, time float64) error
	// CheckBaseMotion refuses a rod that is pushed into the back of a wall, which explains a step that does not converge.
	CheckBaseMotion(rod *strain.State, time float64) error
	// ScaleStiffness multiplies the stiffness of the walls.
	ScaleStiffness(factor float64)
	// Radius is that of the surface at the base, m; 0 without walls.
	Radius() float64
	// AddRigidMotionChange adds by how much the wrenches change as the rod moves by a twist (world axes)
	// about its base, in the axes of the nodes, which move along.
	AddRigidMotionChange(rod *strain.State, by spatial.Twist, wrench []spatial.Wrench)
}

// Prescribed is an Element with parts that move as they are commanded, such as walls.
type Prescribed interface {
	Element
	// BeginDivision takes the motion of the whole step from the last targets.
	BeginDivision()
	// SetDivision sets the targets to a share of that motion, SetTargets to those of the whole.
	SetDivision(share float64)
	SetTargets()
}

// Checked is an Element that knows shapes beyond its model.
type Checked interface {
	Element
	// Check refuses an iterate at a time, s. Where it has not converged, the element refuses only what
	// explains that.
	Check(rod *strain.State, time float64, converged bool) error
}

// Gauged is an Element with gauges.
type Gauged interface {
	Element
	Gauges() []sim.Gauge
	// MeasureGauges writes their values and returns how many there are.
	MeasureGauges(rod *strain.State, dst []float64) int
}

// Differentiable is an Element with inputs by which Jacobians are taken.
type Differentiable interface {
	Element
	// Inputs lists the inputs.
	Inputs(d *Derivatives) []Input
	// Nonlinearisable says why a step with the element has no linearisation; "" where it has one.
	Nonlinearisable() string
}

// Stiff is an Element whose forces may be known less exactly than those of the rod, by round-off.
type Stiff interface {
	Element
	// MaxStiffness is that of the forces by the positions of the nodes, N/m.
	MaxStiffness() float64
}

// EulerLoaded is an Element that can buckle the rod between its nodes.
type EulerLoaded interface {
	Element
	// EulerLoadRatio is the largest ratio of the compression of the rod between two nodes to its Euler load
	// there, and the nodes.
	EulerLoadRatio() (ratio float64, nodes [2]int)
}
