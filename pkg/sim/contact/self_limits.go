package contact

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// ErrSelfContacts: the rod is near itself, or touches itself, at more places than there is
// room for. The error is a *SelfContactsError.
var ErrSelfContacts = errors.New("too many contacts of the rod with itself")

// SelfContactsError is the error of a rod that touches itself at too many places.
type SelfContactsError struct {
	Near, Touching int // pairs of elements
}

func (e *SelfContactsError) Error() string {
	return fmt.Sprintf("self_contact: %d pairs of elements of the rod are near one another and %d touch, allowed: at most %d and %d; use fewer elements",
		e.Near, e.Touching, mostListed, mostTouching)
}

// Unwrap returns ErrSelfContacts.
func (e *SelfContactsError) Unwrap() error { return ErrSelfContacts }

// checkRoom refuses what there is no room for.
func (s *itself) checkRoom(held []frame) error {
	if s.full { // on the way here; perhaps no more
		s.trim()
		s.list(held)
	}
	touching := 0
	for _, q := range s.listed {
		if f, _ := q.force(); f > 0 {
			touching++
		}
	}
	if s.full || touching > mostTouching {
		return &SelfContactsError{Near: len(s.listed), Touching: touching}
	}
	return nil
}

// expect lists the elements that increments of the nodes may bring near one another, and makes
// moved what they do to the nodes. It returns the share of the increments after which those that there was no room for are not.
func (s *itself) expect(rod *strain.State, eta []spatial.Vec6, held []frame) (share float64) {
	gone := s.gone()
	s.displaced(rod, eta)
	goes := s.measureWays()
	if 2*(gone+goes) < s.slack {
		return 1
	}
	share = 1
	s.enclose(s.nodes)
	for a, last := range s.farthest {
		for b := range last + 1 {
			if s.bound(a, b)-s.ways[a]-s.ways[b] < s.alert() && !s.enlist(a, b, held) {
				share = max(0, s.slack-2*gone) / (2 * goes)
			}
		}
	}
	return share
}

// relative is a bound on how far the displacements take points of the two elements relative
// to one another.
func (s *itself) relative(q *couple) float64 {
	a0, a1, b0, b1 := &s.moved[q.a], &s.moved[q.a+1], &s.moved[q.b], &s.moved[q.b+1]
	way := max(a0.p.Sub(b0.p).Norm(), a0.p.Sub(b1.p).Norm(), a1.p.Sub(b0.p).Norm(), a1.p.Sub(b1.p).Norm())
	return way + bulgeOf(a0, a1, q.from.length) + bulgeOf(b0, b1, q.with.length)
}

// clip returns the share of the increments of the nodes that takes no element through another.
func (s *itself) clip(rod *strain.State, eta []spatial.Vec6, held []frame) float64 {
	share := s.expect(rod, eta, held)
	for _, q := range s.listed {
		if d, most := s.relative(q), max(q.gap, 0)+q.bite(); d*share > most {
			share = most / d
		}
	}
	return share
}

// checkSpeed refuses an iterate at which an element may have passed through another since the
// start of the step, where the nodes were held.
func (s *itself) checkSpeed(time float64, held []frame) error {
	for i := range s.moved {
		s.moved[i] = frame{s.nodes[i].p.Sub(held[i].p), s.nodes[i].t.Sub(held[i].t)}
	}
	if most := s.measureWays(); 2*most > s.alert() {
		s.enclose(held)
		for a, last := range s.farthest {
			for b := range last + 1 {
				if s.bound(a, b) < s.ways[a]+s.ways[b] && !s.enlist(a, b, held) {
					s.full = true
				}
			}
		}
	}
	for _, q := range s.listed {
		if d, most := s.relative(q), max(q.heldGap, 0)+q.bite(); d > most {
			return &SpeedError{Time: time, ArcLength: s.arcLengths(q)[0], Distance: d, Allowed: most}
		}
	}
	return nil
}

// deepest is the couple that is farthest in one another, beyond the radius; nil: none is.
func (s *itself) deepest() (worst *couple) {
	for _, q := range s.listed {
		if q.tested && -q.open > min(q.on[0].radius, q.on[1].radius) && (worst == nil || q.open < worst.open) {
			worst = q
		}
	}
	return worst
}

// SelfInsideError is the error of a rod that is in itself.
type SelfInsideError struct {
	ArcLength [2]float64 // m
	Depth     float64    // of the surfaces in one another, m
	Allowed   float64    // m
}

func (e *SelfInsideError) Error() string {
	return fmt.Sprintf("the rod is inside itself: its surfaces at %.4g m and %.4g m of it are %.3g m deep in one another, allowed: at most the radius there, %.3g m; change precurvature, loads or tensions",
		e.ArcLength[0], e.ArcLength[1], e.Depth, e.Allowed)
}

// Unwrap returns ErrInsideWall.
func (e *SelfInsideError) Unwrap() error { return ErrInsideWall }
