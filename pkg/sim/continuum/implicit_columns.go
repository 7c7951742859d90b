package continuum

import "sinew/pkg/sim/spatial"

// The tendons' columns of the border: each function fills those from p on. The
// tangent of the chords at constant tensions is in the skyline.

// addSticking enters the stiffness of the bristles that stick.
func (t *tendonSystem) addSticking(w *border, p int, pose []spatial.Pose) {
	for _, f := range t.friction {
		if f == nil {
			continue
		}
		for j := range f.Passed() {
			if f.Sticks(j) {
				f.PushBeyond(j, pose, false, w.b[p])
				w.c[p] = f.StiffnessAt(j)
				p++
			}
		}
	}
}

// sticking is the number of bristles that stick.
func (t *tendonSystem) sticking() (n int) {
	for _, f := range t.friction {
		if f == nil {
			continue
		}
		for j := range f.Passed() {
			if f.Sticks(j) {
				n++
			}
		}
	}
	return n
}

// addSliding enters the friction of sliding: the tension beyond a disk follows the
// angle there.
func (t *tendonSystem) addSliding(w *border, p int, pose []spatial.Pose) {
	for k, f := range t.friction {
		if f == nil {
			continue
		}
		rate := f.Slide(!t.release)
		for j := range f.Passed() {
			f.PushBeyond(j, pose, t.transverse, w.b[p])
			f.WrapSlope(j, pose, w.left(p))
			w.c[p] = rate * t.bundle.TensionAt(k, 0)
			p++
		}
	}
}

// passed is the number of disks that tendons pass with friction.
func (t *tendonSystem) passed() (n int) {
	for _, f := range t.friction {
		if f != nil {
			n += f.Passed()
		}
	}
	return n
}
