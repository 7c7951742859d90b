package mechanism

import "sinew/pkg/sim/spatial"

// Perturbed returns the wrenches on the nodes of the mechanism at rest with its nodes moved by the body
// increments x, by node; the shape of rods stays.
func (w *World) Perturbed(x []spatial.Vec6) []spatial.Vec6 {
	before := append([]spatial.Pose(nil), w.pose...)
	for i := range x {
		g := &w.pose[i]
		g.P = g.P.Add(g.R.Apply(x[i].Linear()))
		g.R = g.R.Mul(spatial.ExpRot(x[i].Angular()))
	}
	clear(w.right)
	w.updateContacts()
	for _, c := range w.contacts.listed {
		c.friction.update(w)
	}
	w.assembleContacts(false)
	copy(w.pose, before)
	return append([]spatial.Vec6(nil), w.right[:len(w.pose)]...)
}

// BeginContacts starts a step of contacts alone, of length 1/rate.
func (w *World) BeginContacts(rate float64) { w.beginContacts(rate) }

// UpdateFriction sets friction from the present normal forces.
func (w *World) UpdateFriction() { w.updateContacts(); w.updateFriction(0) }

// ContactTangent returns the tangent of contacts times body increments.
func (w *World) ContactTangent(x []spatial.Vec6) []spatial.Vec6 {
	w.updateContacts()
	for _, c := range w.contacts.listed {
		c.friction.update(w)
	}
	w.coupleContacts()
	w.matrix.Zero()
	clear(w.right)
	w.assembleContacts(true)
	all, y := make([]spatial.Vec6, len(w.right)), make([]spatial.Vec6, len(w.right))
	copy(all, x)
	w.matrix.Multiply(all, y)
	return y[:len(x)]
}

// Shift moves the nodes by scale times the body increments x and leaves the contacts' start of the step.
func (w *World) Shift(x []spatial.Vec6, scale float64) {
	for i := range x {
		g := &w.pose[i]
		g.P = g.P.Add(g.R.Apply(x[i].Linear().Scale(scale)))
		g.R = g.R.Mul(spatial.ExpRot(x[i].Angular().Scale(scale)))
	}
}

// BeginTendons starts a step of tendons alone.
func (w *World) BeginTendons() {
	for _, t := range w.tendons {
		t.begin(w)
	}
}

// BeginTendonStatics starts a search for equilibrium of tendons alone, which follows one before.
func (w *World) BeginTendonStatics() {
	for _, t := range w.tendons {
		t.hasMoved = true
		t.commit(w)
		t.beginStatics()
		t.updateTensions()
	}
}

// PerturbedTendons returns the wrenches of tendons on the nodes moved by x, with the tensions under length control larger by
// more, and by how much each tendon is too long for its tension.
func (w *World) PerturbedTendons(x []spatial.Vec6, more float64) (wrenches []spatial.Vec6, gaps []float64) {
	before := append([]spatial.Pose(nil), w.pose...)
	w.Shift(x, 1)
	clear(w.right)
	for _, t := range w.tendons {
		t.law.multiplier += more
		t.assemble(w, false)
		gaps = append(gaps, t.gap())
		t.law.multiplier -= more
	}
	copy(w.pose, before)
	return append([]spatial.Vec6(nil), w.right[:len(w.pose)]...), gaps
}

// TendonTangent returns the derivatives of those, with the opposite sign for the wrenches.
func (w *World) TendonTangent(x []spatial.Vec6, more float64) (wrenches []spatial.Vec6, gaps []float64) {
	w.matrix.Zero()
	clear(w.right)
	for _, t := range w.tendons {
		t.assemble(w, true)
	}
	all, y := make([]spatial.Vec6, len(w.right)), make([]spatial.Vec6, len(w.right))
	copy(all, x)
	w.matrix.Multiply(all, y)
	for _, t := range w.tendons {
		all[t.unknown][0] = more
		for n, u := range t.sticking { // whose tensions follow from their rows
			for k := range t.stickingSize(n) {
				all[u][k] = -y[u][k] / w.matrix.Diagonal(u)[7*k]
			}
		}
	}
	w.matrix.Multiply(all, y)
	for _, t := range w.tendons {
		gaps = append(gaps, y[t.unknown][0])
	}
	return y[:len(x)], gaps
}
