package contact

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// ErrSelfContacts means that more pairs of elements are near each other, or in contact, than there
// is room for. The error is a *SelfContactsError.
var ErrSelfContacts = errors.New("too many contacts of the rod with itself")

// SelfContactsError is the error of a rod with too many self-contacts.
type SelfContactsError struct {
	Near, Touching int // numbers of element pairs
}

func (e *SelfContactsError) Error() string {
	return fmt.Sprintf("self_contact: %d pairs of elements of the rod are near one another and %d touch, allowed: at most %d and %d; use fewer elements",
		e.Near, e.Touching, maxListed, maxActivePairs)
}

// Unwrap returns ErrSelfContacts.
func (e *SelfContactsError) Unwrap() error { return ErrSelfContacts }

// checkCapacity returns an error if there is no room for all pairs.
func (s *selfContact) checkCapacity(prevNodes []HermiteNode) error {
	if s.overflow { // the list filled up on the way; it may suffice at the present shape
		s.removeFar()
		s.rebuildList(prevNodes)
	}
	touching := 0
	for _, q := range s.listed {
		if f, _ := q.force(); f > 0 {
			touching++
		}
	}
	if s.overflow || touching > maxActivePairs {
		return &SelfContactsError{Near: len(s.listed), Touching: touching}
	}
	return nil
}

// listApproaching lists the pairs that the increments eta may bring near each other, and computes
// the displacements of the nodes. It returns the fraction of the increments up to which pairs that
// found no room stay apart.
func (s *selfContact) listApproaching(rod *strain.State, eta []spatial.Vec6, prevNodes []HermiteNode) (share float64) {
	travelled := s.travelSinceList()
	s.setDisplacements(rod, eta)
	expected := s.updateTravel()
	if 2*(travelled+expected) < s.travelLimit {
		return 1
	}
	share = 1
	s.updateBoundingSpheres(s.nodes)
	for a, last := range s.lastPartner {
		for b := range last + 1 {
			if s.distanceBound(a, b)-s.travel[a]-s.travel[b] < s.alarmDistance() && !s.listPair(a, b, prevNodes) {
				share = max(0, s.travelLimit-2*travelled) / (2 * expected)
			}
		}
	}
	return share
}

// relativeTravel returns a bound of the relative displacement of points of the two elements, m.
func (s *selfContact) relativeTravel(q *ElementPair) float64 {
	a0, a1, b0, b1 := &s.displacements[q.a], &s.displacements[q.a+1], &s.displacements[q.b], &s.displacements[q.b+1]
	distance := max(a0.p.Sub(b0.p).Norm(), a0.p.Sub(b1.p).Norm(), a1.p.Sub(b0.p).Norm(), a1.p.Sub(b1.p).Norm())
	return distance + tangentTravel(a0, a1, q.segmentA.length) + tangentTravel(b0, b1, q.segmentB.length)
}

// maxIncrementFraction returns the largest fraction, at most 1, of the increments that takes no
// element through another.
func (s *selfContact) maxIncrementFraction(rod *strain.State, eta []spatial.Vec6, prevNodes []HermiteNode) float64 {
	share := s.listApproaching(rod, eta, prevNodes)
	for _, q := range s.listed {
		if d, most := s.relativeTravel(q), max(q.gap, 0)+q.maxPenetrationPerStep(); d*share > most {
			share = most / d
		}
	}
	return share
}

// checkSpeed returns a *SpeedError if an element may have passed through another since the start of
// the step, where the nodes were prevNodes.
func (s *selfContact) checkSpeed(time float64, prevNodes []HermiteNode) error {
	for i := range s.displacements {
		s.displacements[i] = HermiteNode{s.nodes[i].p.Sub(prevNodes[i].p), s.nodes[i].t.Sub(prevNodes[i].t)}
	}
	if most := s.updateTravel(); 2*most > s.alarmDistance() {
		s.updateBoundingSpheres(prevNodes)
		for a, last := range s.lastPartner {
			for b := range last + 1 {
				if s.distanceBound(a, b) < s.travel[a]+s.travel[b] && !s.listPair(a, b, prevNodes) {
					s.overflow = true
				}
			}
		}
	}
	for _, q := range s.listed {
		if d, most := s.relativeTravel(q), max(q.prevGap, 0)+q.maxPenetrationPerStep(); d > most {
			return &SpeedError{Time: time, ArcLength: s.contactArcLengths(q)[0], Distance: d, Allowed: most}
		}
	}
	return nil
}

// deepestPenetration returns the pair with the largest penetration, if it exceeds the radius, else
// nil.
func (s *selfContact) deepestPenetration() (worst *ElementPair) {
	for _, q := range s.listed {
		if q.resolved && -q.surfaceDistance > min(q.points[0].radius, q.points[1].radius) && (worst == nil || q.surfaceDistance < worst.surfaceDistance) {
			worst = q
		}
	}
	return worst
}

// SelfInsideError is the error of a rod that penetrates itself by more than its radius.
type SelfInsideError struct {
	ArcLength [2]float64 // of the two points, m
	Depth     float64    // penetration of the surfaces, m
	Allowed   float64    // m
}

func (e *SelfInsideError) Error() string {
	return fmt.Sprintf("the rod is inside itself: its surfaces at %.4g m and %.4g m of it are %.3g m deep in one another, allowed: at most the radius there, %.3g m; change precurvature, loads or tensions",
		e.ArcLength[0], e.ArcLength[1], e.Depth, e.Allowed)
}

// Unwrap returns ErrInsideWall.
func (e *SelfInsideError) Unwrap() error { return ErrInsideWall }
