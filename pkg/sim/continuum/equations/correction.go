package equations

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// RegularisedRow is a unilateral constraint whose multiplier, a force, follows a monotone law of its gap: contact. The assembled
// tangent has the slope of the law at the iterate. By that alone, a rod that comes to a wall goes deep into it, where there was no
// force, and takes many iterations to creep out of it again.
type RegularisedRow interface {
	// AddUnitWrench adds the wrenches of a unit force on the nodes from 1 on, which are 0 in dst, and returns the number of the first
	// entry that they change, or one before it.
	AddUnitWrench(dst []spatial.Vec6) (first int)
	// GapChange is the change of the gap with increments x of the nodes, m.
	GapChange(x []spatial.Vec6) float64
	// ResidualForce is by how much the force at a change of the gap (m) exceeds that of the tangent, N; ResidualStiffness is its
	// derivative, N/m.
	ResidualForce(change float64) float64
	ResidualStiffness(change float64) float64
	// Energy is what the law stores at a change of the gap, and what the tangent has taken, J.
	Energy(change float64) (stored, taken float64)
	// GapScale is the size of gaps that counts, m.
	GapScale() float64
	// CorrectionForce is by how much the increment counts on more force than that of the tangent, N.
	CorrectionForce() float64
	SetCorrectionForce(f float64)
}

// Regularised is an Element with RegularisedRows.
type Regularised interface {
	Element
	// BeginCorrection forgets the rows of the last increment, and looks at what x, the increments of the nodes by the tangent, come near
	// to.
	BeginCorrection(rod *strain.State, x []spatial.Vec6)
	// SelectRows appends rows whose force x mistakes, up to the capacity of rows.
	SelectRows(rod *strain.State, x []spatial.Vec6, rows []RegularisedRow) []RegularisedRow
}

const (
	maxRegularisedRows = 24 // in one correction
	maxRounds          = 12 // how often more rows are selected
)

// correction makes an increment by the tangent one by the laws of RegularisedRows: it is their reduced system. With b the gradient of a
// gap, y the changes of the gaps, R = K⁻¹ b, and e what the force of the law is more than that of the tangent,
//
//	y = y₀ + D e(y),  D = bᵀ R,  x = x₀ + R e.
//
// K⁻¹ is with the columns of low rank and the free rows of Constraints. The laws are monotone, so that there is one solution, which
// semismooth Newton with a line search on the energy finds.
type correction struct {
	rows       []RegularisedRow
	responses  [][]spatial.Vec6 // R, by row
	delassus   []float64        // D, in rows of maxRegularisedRows
	freeChange []float64        // y₀, m
	change     []float64        // y, m
	force      []float64        // e, N

	extended    int         // the row whose response is solved for
	multipliers [][]float64 // by row, of a unit force, the increments of the multipliers of Constraints

	// scratch of solve
	trialForce, trialChange, forceStep, changeStep []float64
	newtonMatrix                                   []float64
}

// newCorrection makes room in equations of so many nodes with so many constraints.
func newCorrection(nodes, constraints int) (c correction) {
	const n = maxRegularisedRows
	c.rows = make([]RegularisedRow, 0, n)
	for range n {
		c.responses = append(c.responses, make([]spatial.Vec6, nodes))
		c.multipliers = append(c.multipliers, make([]float64, constraints))
	}
	c.delassus, c.newtonMatrix = make([]float64, n*n), make([]float64, n*n)
	for _, v := range []*[]float64{&c.freeChange, &c.change, &c.force, &c.trialForce, &c.trialChange, &c.forceStep, &c.changeStep} {
		*v = make([]float64, n)
	}
	return c
}

// correct makes x, increments of the nodes by the tangent whose inverse is k, those by the laws of the rows of e.
func (c *correction) correct(e Regularised, rod *strain.State, x []spatial.Vec6, k Inverse) {
	e.BeginCorrection(rod, x)
	c.rows = c.rows[:0]
	for range maxRounds {
		known := len(c.rows)
		c.rows = e.SelectRows(rod, x, c.rows)
		if len(c.rows) == known {
			return
		}
		if !c.extend(known, x, k) || !c.solve() {
			c.rows = c.rows[:known]
			return
		}
		for i, r := range c.rows {
			change := c.force[i] - r.CorrectionForce()
			r.SetCorrectionForce(c.force[i])
			addScaled(x, change, c.responses[i])
		}
	}
}

// extend computes responses, D and changes of gaps of the rows from number known on.
func (c *correction) extend(known int, x []spatial.Vec6, k Inverse) bool {
	for i := known; i < len(c.rows); i++ {
		r, response := c.rows[i], c.responses[i]
		clear(response)
		c.extended = i
		if !k.SolveFrom(r.AddUnitWrench(response), response) {
			return false
		}
		c.freeChange[i], c.force[i] = r.GapChange(x), 0
		for j := range i {
			c.delassus[i*maxRegularisedRows+j] = r.GapChange(c.responses[j])
			c.delassus[j*maxRegularisedRows+i] = c.delassus[i*maxRegularisedRows+j]
		}
		c.delassus[i*maxRegularisedRows+i] = r.GapChange(response)
		for j := range known {
			c.freeChange[i] -= c.delassus[i*maxRegularisedRows+j] * c.force[j]
		}
	}
	return true
}

// solve solves for the forces e, which with y = y₀ + D e are those of least energy. It reports whether it has found them.
func (c *correction) solve() bool {
	const iterations, halvings = 40, 30
	n := len(c.rows)
	for i := range n {
		c.change[i] = c.freeChange[i] + c.product(i, c.force)
	}
	energy, scale := c.energy(c.change, c.force)
	for range iterations {
		matrix := c.newtonMatrix[:n*n]
		for i, r := range c.rows {
			c.forceStep[i] = r.ResidualForce(c.change[i])
		}
		for i := range n {
			c.changeStep[i] = c.freeChange[i] + c.product(i, c.forceStep) - c.change[i]
		}
		for j, r := range c.rows {
			stiffness := r.ResidualStiffness(c.change[j])
			for i := range n {
				matrix[i*n+j] = -c.delassus[i*maxRegularisedRows+j] * stiffness
			}
			matrix[j*n+j]++
		}
		if !integrate.SolveDense(matrix, c.changeStep[:n]) {
			return false
		}
		settled := true
		for i, r := range c.rows {
			settled = settled && math.Abs(c.changeStep[i]) < 1e-6*r.GapScale()
			c.forceStep[i] += r.ResidualStiffness(c.change[i])*c.changeStep[i] - c.force[i]
		}
		before := energy
		for k, share := 0, 1.0; ; k, share = k+1, share/2 {
			if k == halvings {
				return false
			}
			for i := range n {
				c.trialForce[i] = c.force[i] + share*c.forceStep[i]
				c.trialChange[i] = c.change[i] + share*c.changeStep[i]
			}
			if energy, scale = c.energy(c.trialChange, c.trialForce); settled || energy <= before+1e-13*scale {
				break
			}
		}
		copy(c.force, c.trialForce[:n])
		copy(c.change, c.trialChange[:n])
		if settled {
			for i, r := range c.rows {
				c.force[i] = r.ResidualForce(c.change[i])
			}
			return true
		}
	}
	return false
}

// product is row i of D times forces.
func (c *correction) product(i int, forces []float64) (sum float64) {
	for j := range c.rows {
		sum += c.delassus[i*maxRegularisedRows+j] * forces[j]
	}
	return sum
}

// energy is that of which the forces are least, ½ eᵀ D e and what the laws store beyond what the tangent has taken, and the sum of the
// sizes of its terms, J.
func (c *correction) energy(change, force []float64) (sum, scale float64) {
	for i, r := range c.rows {
		bent := 0.5 * force[i] * (change[i] - c.freeChange[i])
		stored, taken := r.Energy(change[i])
		sum += bent + stored + taken
		scale += math.Abs(bent) + stored + math.Abs(taken)
	}
	return sum, scale
}

// CorrectIncrement makes X, an increment by the tangent, one by the laws of regularised rows. The free rows of Constraints hold meanwhile;
// where the correction takes a multiplier beyond a bound, or should release one from it, that row changes sides and the correction begins
// anew. Without a consistent active set the increment stays one by the tangent.
func (s *System) CorrectIncrement() {
	if len(s.by.regularised) == 0 {
		return
	}
	c := &s.Constraints
	if len(c.rows) == 0 {
		s.correctByRows(s)
		return
	}
	free := s.unconstrained
	copy(free, s.X)
	c.addResponses(free, 1)
	for i := range 4 * (len(c.rows) + 1) {
		s.correctByRows(heldTangent{s})
		c.addMultipliers(&s.correction)
		p, to := c.mostWrongAt(s.X, i >= 2*(len(c.rows)+1))
		if p < 0 {
			return
		}
		c.rows[p].bound = to
		copy(s.X, free)
		if !c.solveFree() {
			break
		}
		c.addResponses(s.X, -1)
	}
	for _, e := range s.by.regularised {
		e.BeginCorrection(s.State, s.X)
	}
	copy(s.X, free)
	c.solve(s.X)
}

// correctByRows corrects the increment by the rows of all elements.
func (s *System) correctByRows(k Inverse) {
	for _, e := range s.by.regularised {
		s.correction.correct(e, s.State, s.X, k)
	}
}

// heldTangent is the factored tangent with the free rows of Constraints, which hold.
type heldTangent struct{ *System }

// SolveFrom implements Inverse. It keeps the increments of the multipliers for the row of the correction that is extended.
func (t heldTangent) SolveFrom(first int, x []spatial.Vec6) bool {
	return t.System.SolveFrom(first, x) && t.Constraints.hold(x, t.correction.multipliers[t.correction.extended])
}
