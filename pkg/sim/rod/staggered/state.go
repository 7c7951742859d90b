package staggered

import (
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Scheme selects the treatment of the ends of the rod.
type Scheme uint8

const (
	// Original equals PyElastica 0.3.2 up to round-off: the clamp fixes the directors of the whole
	// first element, which shortens the bending length by half an element, and the curvature has a
	// bias of 3e-11. It uses rod.VolumePreserving whatever the law of the material, and allows no
	// attached bodies.
	Original Scheme = iota
	// Corrected puts half a Voronoi domain between the base and the first element, whose directors
	// are free, and uses the exact gradient of the bending energy: second order in the element
	// length.
	Corrected
)

// Options are scheme, damping, loads and attached bodies of a State.
type Options struct {
	Scheme  Scheme
	Damping Damping
	Gravity spatial.Vec // world axes, m/s²
	// Attached are rigid bodies on nodes, whose weight and inertia add to those of the rod.
	Attached []rod.AttachedBody
}

// State is a rod in motion with its loads and scratch. The slices that it returns are its own
// storage: positions and forces have one entry per node, directors and couples one per element.
type State struct {
	*rod.Rod
	opt Options
	constants

	motion
	pending    pendingDrift
	undrifted  motion // motion before beginRead
	isReading  bool   // motion has the pending drift applied for reading
	checkpoint struct {
		motion
		pending pendingDrift
	}

	force  []spatial.Vec // external forces on the nodes in the next Kick, world axes
	couple []spatial.Vec // external couples on the elements in the next Kick, body axes

	// scratch of a Kick
	length        []float64     // element lengths
	sigma         []spatial.Vec // shear and stretch of the elements
	kappa         []spatial.Vec // curvatures; [i] between elements i and i+1
	spin          []spatial.Vec // rates of ω (Original) or couples (Corrected) from all but bending
	lastCurvature spatial.Vec   // result of the last voronoiCouples
	baseCurvature spatial.Vec   // curvature at the clamp, Corrected only
	// reaction of the base: force in world axes, moment in base axes
	reaction spatial.Wrench
}

// constants follow from rod.Rod and Options.
type constants struct {
	mass, invMass    []float64          // by node, kg and 1/kg
	inertia          []spatial.Vec      // by element, attached bodies included, kg m²
	attachedInertia  []spatial.Vec      // by element, attached bodies alone, kg m²
	rodInertia       []spatial.Vec      // by element, of the rod, kg m²
	invLength        []float64          // by element, inverse of the length at rest, 1/m
	voronoiLength    []float64          // of the Voronoi domain around a node between two elements, m
	tributary        []float64          // length of rod that belongs to a node, m
	endExtrapolation float64            // see newEndExtrapolation
	carriers         []AdjacentElements // by node
	base             Directors
	damper           damper
	undragged        []undraggedMass
}

// undraggedMass is a node with attached mass, on which drag proportional to mass does not act.
type undraggedMass struct {
	node  int
	share float64 // of the mass of the node
}
