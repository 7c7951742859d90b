package integrate

// Defect is how the defects of a step follow from the changes dv of velocities and da of accelerations. With
// the formula D of the step, those of the exact motion q are
//
//	D q = q̇ − δ,   D q̇ = q̈ − ε,
//
// δ = Velocity dv + Acceleration da and ε = Change da + Jerk (last jerk).
type Defect struct{ Velocity, Acceleration, Change, Jerk float64 }

// DefectHistory is what the defect of the next step needs to know of the steps before. Its zero value is that of a motion that
// begins.
type DefectHistory struct {
	change float64 // largest change of an acceleration in the last step, m/s²
	// hasJerk says that the changes of accelerations in the last step are those of a smooth motion.
	hasJerk bool
	// omittedShare is the share of the next change of accelerations that the defect of the last step has
	// omitted; 0 without hasJerk: the accelerations before the next step are unknown.
	omittedShare float64
	// interrupted is the number of the next steps of order 2 whose differences reach across an interruption.
	interrupted int
}

// DefectHistoryLen is the number of values of a DefectHistory in a saved state.
const DefectHistoryLen = 3

// Save writes the history to dst, and Restore reads what Save wrote.
func (t *DefectHistory) Save(dst []float64) {
	dst[0], dst[1], dst[2] = t.change, float64(-t.interrupted), t.omittedShare
	if t.hasJerk {
		dst[1] = 1
	}
}

// Restore reads what Save wrote.
func (t *DefectHistory) Restore(src []float64) {
	t.change, t.hasJerk, t.omittedShare, t.interrupted = src[0], src[1] > 0, src[2], int(max(0, -src[1]))
}

// Forget makes the accelerations before the next step unknown.
func (t *DefectHistory) Forget() { t.hasJerk, t.omittedShare, t.interrupted = false, 0, 0 }

// Interrupt is Forget where the next step, too, is no part of the smooth motion after it, as one of an impact. That one and those of
// order 1 after it, by which the impact ends, have no defect, but positions that are off; see IsInterrupted. Those of order 2 have none
// until no difference reaches across: that of the velocities and the acceleration at the end of a first one do, the change of the
// acceleration in a second one, and the jerk before a third one.
func (t *DefectHistory) Interrupt() { t.hasJerk, t.omittedShare, t.interrupted = false, 0, mostReach+1 }

// IsInterrupted reports whether the next step, of order 1, is one of an interruption. It is off by Velocity = ½, as every one of its
// order, but the velocities at its end are not: what happens in it at once, such as an impact, makes them.
func (t *DefectHistory) IsInterrupted() bool { return t.interrupted > 0 }

// mostReach is the number of steps of order 2 after an interruption that differences reach across.
const mostReach = 3

// jumpGrowth is the growth of the change of accelerations from one step to the next above which
// the loads have jumped.
const jumpGrowth = 4

// Next returns the defect of a step of dt seconds, after one of last seconds, with a formula of the given order. change is
// the largest change of the acceleration of a node.
//
// BDF1 has δ = h q̈/2 and ε = h/2 times the jerk, BDF2 of steps h after h₀ has δ and ε of h (h + h₀)/6
// times a third derivative.
//
// In a step of length h at whose start the acceleration jumps by J and then has the slope s, its change is
// da = J + s h, which does not tell J from s h. BDF1 has D q̇ = J + s h/2, so ε = s h/2, and none of da. BDF2
// has D q̇ = 3/2 (J h + s h²/2)/h = 3/2 J + 3/4 s h, so ε = −J/2 + s h/4 = −da/2 + 3/4 s h, and δ = h da/4.
// The change in the next step, of length h′, is s h′: there 0.5 or 0.75 of it times (h/h′)² gives the velocity
// that h ε omits.
//
// BDF2 begins with a level before that constant accelerations make. From there D q̇ = a + 3/4 s h, so ε = s h/4, which a
// quarter of the change in the next step gives, and δ = s h²/4, half of dv.
func (t *DefectHistory) Next(order int, dt, last, change float64) Defect {
	jumped := t.hasJerk && change > jumpGrowth*t.change
	unknown := !t.hasJerk && t.omittedShare == 0
	t.change = change
	if t.interrupted > 0 {
		if t.interrupted > mostReach || order == 2 {
			t.interrupted--
		}
		t.hasJerk = t.interrupted == 0
		return Defect{}
	}
	omitted := 0.0
	if !t.hasJerk && !unknown {
		omitted = t.omittedShare * (last / dt) * (last / dt)
	}
	var d Defect
	switch {
	case order == 1 && (jumped || unknown):
		t.hasJerk, t.omittedShare = false, 0.5
		return Defect{Velocity: 0.5}
	case order == 1:
		d = Defect{Velocity: 0.5, Change: 0.5 + omitted}
	case unknown:
		t.hasJerk, t.omittedShare = false, 0.25
		return Defect{Velocity: 0.5}
	case jumped:
		t.hasJerk, t.omittedShare = false, 0.75
		return Defect{Acceleration: dt / 4, Change: -0.5}
	case t.hasJerk:
		d = Defect{Velocity: 1. / 3, Change: 1. / 3, Jerk: -dt / 3}
	default:
		d = Defect{Velocity: 1. / 3, Change: omitted}
	}
	t.hasJerk, t.omittedShare = true, 0
	return d
}
