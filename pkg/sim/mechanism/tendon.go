package mechanism

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// Tendon is a massless cord that runs straight from hole to hole. Its motor is at the first hole, and it is tied at
// the last. Its motor has either its tension or its length under control. Under length control the tension is the
// multiplier of a law:
//
//	L − (L₀ − pull) = T/k  for Tmin < T < Tmax,  less at T = Tmin,  more at T = Tmax
//
// with its length L, that at t = 0 before an equilibrium L₀, and its stiffness k.
type Tendon struct {
	Name    string
	Route   []Hole
	Tension float64 // under tension control at t = 0, N
	// Pull is by how much the motor has shortened the tendon at t = 0, m; nil: its tension is under control.
	Pull *float64
	// Stiffness is that of tendon and drive, N/m; 0: tension control alone; +Inf: inextensible.
	Stiffness float64
	// MinTension and MaxTension are what the motor pulls with at least and at most under length control, N. Below 0 it
	// pushes. A MaxTension of 0 is no limit.
	MinTension, MaxTension float64
	Disks                  Disks // empty: the holes are no holes of disks
	// Bristles carry the friction at the holes; see tendon.Friction. None: there is no friction.
	Bristles []tendon.Bristle
}

// Hole is a point of a link through which a tendon runs.
type Hole struct {
	Link     string      // name of a rod or body; "" is the world
	At       float64     // arc length of the section of a rod, m
	Position spatial.Vec // in the axes of the body or section, or of the world, m
	Friction float64     // capstan coefficient; the first and the last hole have none
}

// routedTendon is a tendon in a world. Its potential is tension times length.
type routedTendon struct {
	Tendon
	hole  []side
	pair  []blocks.Place // of the nodes of a segment, by its first hole
	nodes []tendonNode   // through whose holes it runs, each once
	disks []disk         // of each hole
	slot  []int          // of the node of each hole among them; -1: the world
	scale float64        // of the commands, on the way to an equilibrium
	path  tendon.Path    // segments at the last assembly

	pulls bool    // its length is under control
	pull  float64 // m
	rest  float64 // length at t = 0, m
	// law has the tension as its multiplier. Where the length is not under control, that is the commanded one.
	law     law
	unknown int // of the law; -1: tension control alone

	friction    *tendon.Friction // nil: none
	capstan     capstanLaw
	wasCapstan  capstanLaw // before the step
	hasMoved    bool       // there has been an equilibrium or a step, which the next equilibrium follows
	shareChange float64    // of the segments, in the last assembly of an equilibrium
	sticking    []int      // unknowns of the tensions that sticking takes, six passed holes each
	share       []float64  // of the tension at the motor, by segment
}

// tendonNode is a node with holes of a tendon.
type tendonNode struct {
	node           int
	place          blocks.Place   // of the law
	sticking       []blocks.Place // of the unknowns of sticking
	gradient       spatial.Vec6   // scratch: of a length
	lengthGradient spatial.Vec6   // of what the tension works on
	rows           spatial.Mat6   // scratch: of sticking
}

// capstanLaw says what the friction of a tendon is. In equilibria it depends on the tension, and is that of
// the last iterate.
type capstanLaw int

const (
	capstanInMotion capstanLaw = iota // in a step
	capstanSliding                    // toward the motor, in an equilibrium without a predecessor
	capstanSticking                   // of the bristles, in an equilibrium with one
	capstanHeld                       // as in the last assembly
)

// closestHoles is the least length of a segment, m: below it, its direction is not defined.
const closestHoles = 1e-6

// steadyShares is the change of the shares of the tension, below which friction in an equilibrium counts as found.
const steadyShares = 1e-11

func (w *World) addTendon(t *Tendon) error {
	if err := t.check(); err != nil {
		return err
	}
	for _, h := range t.Route {
		if h.Link != "" && w.link(h.Link) == nil {
			return fmt.Errorf("mechanism: tendon %q runs through %q, which is no link", t.Name, h.Link)
		}
	}
	n := len(t.Route)
	o := &routedTendon{
		Tendon: *t, scale: 1, pair: make([]blocks.Place, n-1), path: tendon.NewPath(n - 1), share: make([]float64, n-1), unknown: -1,
	}
	if o.MaxTension == 0 {
		o.MaxTension = math.Inf(1)
	}
	o.law = law{kind: tensionLaw, limit: Limits{o.MinTension, o.MaxTension}, multiplier: o.Tension}
	if t.Pull != nil {
		o.pulls, o.pull = true, *t.Pull
		o.law.multiplier, o.law.isActive = 0, true
	}
	if len(t.Bristles) > 0 {
		coefficients := make([]float64, 0, n-2)
		for _, h := range t.Route[1 : n-1] {
			coefficients = append(coefficients, h.Friction)
		}
		o.friction = tendon.NewFriction(o.path, coefficients, t.Bristles...)
	}
	w.tendons = append(w.tendons, o)
	return nil
}

func (t *Tendon) check() error {
	if len(t.Route) < 2 {
		return fmt.Errorf("mechanism: tendon %q has %d holes; it needs at least 2", t.Name, len(t.Route))
	}
	if !(t.Stiffness >= 0) {
		return fmt.Errorf("mechanism: tendon %q has a stiffness of %g N/m; it needs 0 or more", t.Name, t.Stiffness)
	}
	if t.Pull != nil && t.Stiffness == 0 {
		return fmt.Errorf("mechanism: the length of tendon %q is under control, and its stiffness is 0; it needs more", t.Name)
	}
	if !(t.MinTension <= 0 && t.MaxTension >= 0) {
		return fmt.Errorf("mechanism: tendon %q pulls with %g to %g N; the first needs to be at most 0, and the second at least 0", t.Name, t.MinTension, t.MaxTension)
	}
	for i, h := range t.Route {
		if !(h.Friction >= 0) {
			return fmt.Errorf("mechanism: tendon %q, hole %d: friction of %g; it needs 0 or more", t.Name, i+1, h.Friction)
		}
		if h.Friction > 0 && len(t.Bristles) == 0 {
			return fmt.Errorf("mechanism: tendon %q, hole %d has friction, which needs bristles", t.Name, i+1)
		}
	}
	return nil
}

// connect finds the nodes of the holes, adds the unknowns of the tendon, and returns what it couples.
func (t *routedTendon) connect(w *World, first []int, unknowns *[]blocks.Unknown) (pairs [][2]int) {
	for _, h := range t.Route {
		s := w.side(&JointSide{Link: h.Link, At: h.At, Frame: spatial.Pose{R: spatial.Identity3(), P: h.Position}}, first)
		t.hole = append(t.hole, s)
		k := -1
		if s.node >= 0 {
			if k = slices.IndexFunc(t.nodes, func(n tendonNode) bool { return n.node == s.node }); k < 0 {
				k = len(t.nodes)
				t.nodes = append(t.nodes, tendonNode{node: s.node})
			}
		}
		t.slot = append(t.slot, k)
	}
	t.placeDisks(w, first)
	for i := range t.pair {
		if a, b := t.hole[i].node, t.hole[i+1].node; a >= 0 && b >= 0 && a != b {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	add := func(size int) (unknown int) {
		unknown = len(*unknowns)
		*unknowns = append(*unknowns, blocks.Unknown{Size: size, Constraint: true})
		for _, n := range t.nodes {
			pairs = append(pairs, [2]int{unknown, n.node})
		}
		return unknown
	}
	if t.Stiffness > 0 {
		t.unknown = add(1)
	}
	if t.friction != nil {
		for left := t.friction.PassedDisks(); left > 0; left -= 6 {
			t.sticking = append(t.sticking, add(min(left, 6)))
		}
	}
	return pairs
}

// place finds the blocks of the tendon.
func (t *routedTendon) place(w *World) {
	for i := range t.pair {
		if a, b := t.hole[i].node, t.hole[i+1].node; a >= 0 && b >= 0 && a != b {
			t.pair[i] = w.matrix.Place(a, b)
		}
	}
	for k := range t.nodes {
		n := &t.nodes[k]
		if t.unknown >= 0 {
			n.place = w.matrix.Place(t.unknown, n.node)
		}
		n.sticking = n.sticking[:0]
		for _, u := range t.sticking {
			n.sticking = append(n.sticking, w.matrix.Place(u, n.node))
		}
	}
}

// rowCount returns the number of rows, all of which have a negative eigenvalue.
func (t *routedTendon) rowCount() (n int) {
	if t.unknown >= 0 {
		n = 1
	}
	if t.friction != nil {
		n += t.friction.PassedDisks()
	}
	return n
}

// measure computes the segments at the present poses.
func (t *routedTendon) measure(w *World) {
	x := t.hole[0].position(w.pose)
	for i := range t.path {
		y := t.hole[i+1].position(w.pose)
		t.path.SetChord(i, y.Sub(x))
		x = y
	}
}

// tension returns the tension at the motor, N.
func (t *routedTendon) tension() float64 {
	if t.pulls {
		return t.law.multiplier
	}
	return t.Tension * t.scale
}

// updateTensions sets tensions and shares of the segments.
func (t *routedTendon) updateTensions() {
	t.path.SetTension(t.tension())
	if t.friction == nil {
		for i := range t.share {
			t.share[i] = 1
		}
		return
	}
	switch f := t.friction; t.capstan {
	case capstanInMotion:
		f.UpdateTensions()
		for i := range t.share {
			t.share[i] = 1
		}
		return
	case capstanHeld:
	case capstanSliding:
		f.SetSlidingShares(t.tension() >= 0)
	case capstanSticking:
		f.UpdateShares(t.tension())
	}
	t.shareChange = 0
	for i, was := range t.share {
		t.share[i] = t.path.Share(i)
		t.shareChange = max(t.shareChange, math.Abs(t.share[i]-was))
	}
	t.path.SetTension(t.tension())
}

// assemble adds the forces of the tendon, and the tangents where the matrix is that of an iteration. With
// the unit vector u of a segment of length l, its tension T pulls the ends together by T u, and its second
// derivative in the difference of the ends is T/l (1 − u uᵀ).
func (t *routedTendon) assemble(w *World, withTangent bool) {
	t.measure(w)
	t.updateTensions()
	for i := range t.path {
		t.assembleSegment(w, i, withTangent)
	}
	if !withTangent {
		t.clearRows(w)
		return
	}
	t.addLengthRow(w)
	t.addSticking(w)
}

func (t *routedTendon) assembleSegment(w *World, i int, withTangent bool) {
	a, b := &t.hole[i], &t.hole[i+1]
	if a.node == b.node {
		return
	}
	tension := t.path.Tension(i)
	l, u := t.path.Chord(i)
	var gradient [2]spatial.Vec6 // of the place of each end along u
	for k, s := range [...]*side{a, b} {
		if s.node < 0 {
			continue
		}
		along := w.pose[s.node].R.ApplyT(u)
		gradient[k] = spatial.Vec6Of(along, s.frame.P.Cross(along))
		pull := tension * float64(1-2*k)
		right := &w.right[s.node]
		for n, g := range gradient[k] {
			right[n] += pull * g
		}
		if withTangent {
			addHoleTangent(w.matrix.Diagonal(s.node), &gradient[k], s.frame.P, pull, tension/l)
		}
	}
	if withTangent && a.node >= 0 && b.node >= 0 {
		pair := pairTangent(&w.pose[a.node].R, &w.pose[b.node].R, &gradient[0], &gradient[1], a.frame.P, b.frame.P, tension/l)
		w.matrix.Add(t.pair[i], &pair)
	}
}

// addHoleTangent adds the lower triangle of the tangent of a node with a hole at p, in its axes, to k: of the second derivative
// s (1 − u uᵀ) in the place of the hole, and of a constant force pull u on it. gradient is that of the place along u.
func addHoleTangent(k *spatial.Mat6, gradient *spatial.Vec6, p spatial.Vec, pull, s float64) {
	for r, g := range gradient {
		for c := range r + 1 {
			k[6*r+c] -= s * g * gradient[c]
		}
	}
	k.LinLin().AddDiag(s)
	f := gradient.Linear().Scale(pull)
	k.RotLin().AddSkew(p.Scale(s).AddScaled(0.5, f))
	h := p.Scale(s).Add(f) // the symmetric part of h·p 1 − h pᵀ is what p turns
	m := k.RotRot()
	m.AddDiag(h.Dot(p))
	m.AddLower(spatial.Lower3{
		XX: -h.X * p.X,
		YX: -0.5 * (h.Y*p.X + h.X*p.Y), YY: -h.Y * p.Y,
		ZX: -0.5 * (h.Z*p.X + h.X*p.Z), ZY: -0.5 * (h.Z*p.Y + h.Y*p.Z), ZZ: -h.Z * p.Z,
	})
}

// pairTangent returns the tangent −s (1 − u uᵀ) between holes at a and b, in the axes of nodes with the rotations ra and rb, whose
// increments (δ, w) move the holes by δ − a × w and δ − b × w. ga and gb are the gradients of their places along u.
func pairTangent(ra, rb *spatial.Mat3, ga, gb *spatial.Vec6, a, b spatial.Vec, s float64) (k spatial.Mat6) {
	var q [3]spatial.Vec6 // gradients of the place of hole b along the axes of node a
	for n, axis := range [...]spatial.Vec{ra.Col1(), ra.Col2(), ra.Col3()} {
		t := rb.ApplyT(axis)
		q[n] = spatial.Vec6Of(t, b.Cross(t))
	}
	for c, g := range gb {
		x, y, z := q[0][c], q[1][c], q[2][c]
		k[c] = s * (ga[0]*g - x)
		k[6+c] = s * (ga[1]*g - y)
		k[12+c] = s * (ga[2]*g - z)
		k[18+c] = s * (ga[3]*g - a.Y*z + a.Z*y)
		k[24+c] = s * (ga[4]*g - a.Z*x + a.X*z)
		k[30+c] = s * (ga[5]*g - a.X*y + a.Y*x)
	}
	return k
}

func (t *routedTendon) clearGradient() {
	for k := range t.nodes {
		t.nodes[k].gradient = spatial.Vec6{}
	}
}

// addGradient adds the gradient of the length of segment i times scale to those of the nodes.
func (t *routedTendon) addGradient(w *World, i int, scale float64) {
	_, u := t.path.Chord(i)
	for k := range 2 {
		s := &t.hole[i+k]
		if s.node < 0 {
			continue
		}
		f := w.pose[s.node].R.ApplyT(u).Scale(scale * float64(2*k-1))
		g := &t.nodes[t.slot[i+k]].gradient
		addWrench(g, f, s.frame.P.Cross(f))
	}
}

// clearRows leaves the rows of the tendon without effect.
func (t *routedTendon) clearRows(w *World) {
	if t.unknown >= 0 {
		w.matrix.Diagonal(t.unknown)[0] = -1
		w.right[t.unknown] = spatial.Vec6{}
	}
	for n, u := range t.sticking {
		for k := range t.stickingSize(n) {
			w.matrix.Diagonal(u)[7*k] = -1
		}
		w.right[u] = spatial.Vec6{}
	}
}

func (t *routedTendon) stickingSize(n int) int { return min(6, t.friction.PassedDisks()-6*n) }

// stretch returns by how much the tendon is longer than without tension, m.
func (t *routedTendon) stretch() float64 { return t.path.Length() - (t.rest - t.scale*t.pull) }

// compliance returns that of the tendon, m/N.
func (t *routedTendon) compliance() float64 { return 1 / t.Stiffness }

// gap returns by how much the tendon is too long for its tension, m.
func (t *routedTendon) gap() float64 { return t.stretch() - t.compliance()*t.law.multiplier }

// addLengthRow adds the row of length control, whose gradient is that of what the tension works on.
func (t *routedTendon) addLengthRow(w *World) {
	if t.unknown < 0 {
		return
	}
	o, diagonal := &t.law, w.matrix.Diagonal(t.unknown)
	w.right[t.unknown] = spatial.Vec6{}
	if !t.pulls {
		o.isActive = false
		diagonal[0] = -1
		return
	}
	o.update(t.gap(), closed*w.size, w.mayChange())
	w.hasChangedLaw = w.hasChangedLaw || o.hasChanged
	if !o.isActive {
		diagonal[0] = -1
		return
	}
	diagonal[0] = -t.compliance()
	w.right[t.unknown][0] = -o.value
	t.clearGradient()
	for i := range t.path {
		t.addGradient(w, i, t.share[i])
	}
	for k := range t.nodes {
		n := &t.nodes[k]
		n.lengthGradient = n.gradient
		var row spatial.Mat6
		copy(row[:], n.gradient[:])
		w.matrix.Add(n.place, &row)
	}
}

// addSticking adds the stiffness of bristles that stick, that of each hole in a row: with the gradient b of the length
// of tendon beyond the hole, k b bᵀ is the Schur complement of [0 b; bᵀ −1/k].
func (t *routedTendon) addSticking(w *World) {
	for n, u := range t.sticking {
		w.right[u] = spatial.Vec6{}
		for m := range t.nodes {
			t.nodes[m].rows = spatial.Mat6{}
		}
		for k := range t.stickingSize(n) {
			j, pivot := 6*n+k, &w.matrix.Diagonal(u)[7*k]
			stiffness := t.stickStiffness(j)
			if *pivot = -1; stiffness == 0 {
				continue
			}
			*pivot = -1 / stiffness
			t.clearGradient()
			for i := j + 1; i < len(t.path); i++ {
				t.addGradient(w, i, 1)
			}
			for m := range t.nodes {
				copy(t.nodes[m].rows[6*k:], t.nodes[m].gradient[:])
			}
		}
		for m := range t.nodes {
			w.matrix.Add(t.nodes[m].sticking[n], &t.nodes[m].rows)
		}
	}
}

// stickStiffness returns the stiffness of the bristles that stick at passed hole j, N/m.
func (t *routedTendon) stickStiffness(j int) float64 {
	switch t.capstan {
	case capstanInMotion:
		return t.friction.StickStiffness(j)
	case capstanSticking, capstanHeld: // whose bristles are those of 1 N
		return math.Abs(t.tension()) * t.friction.StickStiffness(j)
	}
	return 0
}

// addCompliance adds a compliance to increments of the tension, as to those of multipliers of joints, but none to the
// tension: a tendon has its own.
func (t *routedTendon) addCompliance(w *World) {
	o := &t.law
	if t.unknown < 0 || !o.isActive {
		return
	}
	free := 0.0
	for k := range t.nodes {
		n := &t.nodes[k]
		if w.rowCompliance == compliance {
			free += w.nodeCompliance(n.node, &n.lengthGradient)
			continue
		}
		// in an equilibrium tendons may be all that holds their nodes, whose own tangent is then no measure
		of, l, turn := &w.scale[n.node], n.lengthGradient.Linear(), n.lengthGradient.Angular()
		free += l.Dot(l)/of.linear + turn.Dot(turn)/of.angular
	}
	o.free = free + t.compliance()
	w.matrix.Diagonal(t.unknown)[0] -= w.rowCompliance * free
}

// begin starts a step: the tension at its start limits the friction within it.
func (t *routedTendon) begin(w *World) {
	t.scale = 1
	t.law.keep()
	t.wasCapstan = t.capstan
	if t.friction != nil {
		t.measure(w)
		t.friction.Begin(t.tension())
	}
	t.capstan = capstanInMotion
}

// revert returns to the start of the step.
func (t *routedTendon) revert() {
	t.law.revert()
	t.capstan = t.wasCapstan
	if t.friction != nil {
		t.friction.Revert()
	}
}

// commit makes the tendon at the end of the step the state.
func (t *routedTendon) commit(w *World) {
	t.hasMoved = true
	if t.friction != nil {
		t.measure(w)
		t.friction.Commit()
	}
}

// beginStatics starts a search for equilibrium. The first one has the friction of a tendon that slides toward its motor;
// those after it follow the bristles from where they were.
func (t *routedTendon) beginStatics() {
	if t.capstan = capstanSliding; t.hasMoved {
		t.capstan = capstanSticking
	}
}

// commitStatics makes the tendon in the equilibrium the state: the bristles take over its friction.
func (t *routedTendon) commitStatics(w *World) {
	t.hasMoved = true
	if t.friction == nil {
		return
	}
	t.measure(w)
	t.updateTensions()
	if t.capstan == capstanSticking {
		t.friction.CommitEquilibrium(t.tension())
	} else {
		t.friction.InitBristles(t.tension())
	}
}

// checkLengths refuses segments that are too short at t = 0.
func (t *routedTendon) checkLengths(w *World) error {
	t.measure(w)
	for i := range t.path {
		if l, _ := t.path.Chord(i); !(l > closestHoles) {
			return fmt.Errorf("mechanism: tendon %q: holes %d and %d are %.3g m apart; they need more than %g m", t.Name, i+1, i+2, l, closestHoles)
		}
	}
	return nil
}

// hasSteadyShares reports whether the friction of tendons in the equilibrium is that of its last iterate.
func (w *World) hasSteadyShares() bool {
	return !slices.ContainsFunc(w.tendons, func(t *routedTendon) bool { return t.friction != nil && t.shareChange > steadyShares })
}

// checkTension refuses a tendon whose length is not what its tension makes it.
func (t *routedTendon) checkTension(w *World) error {
	if !t.law.isActive {
		return nil
	}
	t.measure(w)
	if gap, allowed := t.gap(), contradiction*w.size; !(math.Abs(gap) <= allowed) {
		return fmt.Errorf("mechanism: tendon %q is off by %.3g m from the length that its tension of %.4g N makes it, allowed %.3g m; use slower pulls, a shorter step, or tendons that do not pull against one another", t.Name, gap, t.law.multiplier, allowed)
	}
	return nil
}

// stateLen returns the number of values of the tendon in a saved state.
func (t *routedTendon) stateLen() int {
	n := 8
	if t.friction != nil {
		n += t.friction.StateLen()
	}
	return n
}

func (t *routedTendon) save(dst []float64) {
	dst[0], dst[1], dst[2], dst[3] = t.Tension, fromBool(t.pulls), t.pull, t.law.multiplier
	dst[4], dst[5], dst[6], dst[7] = t.law.state(), float64(t.capstan), fromBool(t.hasMoved), t.law.free
	if t.friction != nil {
		t.friction.Save(dst[8:])
	}
}

func (t *routedTendon) restore(src []float64) {
	t.Tension, t.pulls, t.pull, t.law.multiplier = src[0], src[1] != 0, src[2], src[3]
	t.law.setState(src[4])
	t.capstan, t.hasMoved, t.law.free = capstanLaw(src[5]), src[6] != 0, src[7]
	if t.friction != nil {
		t.friction.Restore(src[8:])
	}
}

// SetTension brings the tension of tendon i under control: that of what follows, N.
func (w *World) SetTension(i int, tension float64) {
	t := w.tendons[i]
	t.Tension, t.pulls, t.law.isActive = tension, false, false
}

// SetPull brings the length of tendon i, which has a stiffness, under control: its motor has shortened it by pull in what
// follows, m.
func (w *World) SetPull(i int, pull float64) {
	t := w.tendons[i]
	if !t.pulls {
		t.pulls, t.law.isActive = true, true
		t.law.multiplier = min(max(t.Tension, t.MinTension), t.MaxTension)
	}
	t.pull = pull
}

// TendonPull returns by how much the motor of tendon i has shortened it, m, and whether that is under control.
func (w *World) TendonPull(i int) (pull float64, isControlled bool) {
	t := w.tendons[i]
	return t.pull, t.pulls
}

// TendonTension returns the tension of tendon i at its motor, N; below 0 it pushes.
func (w *World) TendonTension(i int) float64 { return w.tendons[i].tension() }

// TendonRestLength returns the length of tendon i with rods in their rest shapes, where the joints place the links at t = 0, m.
func (w *World) TendonRestLength(i int) float64 { return w.tendons[i].rest }

// TendonLength returns the length of tendon i, m.
func (w *World) TendonLength(i int) float64 {
	t := w.tendons[i]
	t.measure(w)
	return t.path.Length()
}
