// Package contact presses a rod against walls and against itself: which places along it touch,
// with what force, and what that means for the equations of its nodes.
//
// A rod is tested at its stations: its nodes but the base, and points between them where
// walls are more curved than the elements are long. They are fixed in the material, so that
// nothing jumps as the rod slides, and no point counts twice. Beside a convex wall a station
// stands for the rod around it, and touches where that is nearest: a station that is off that
// place by x would push along the rod by x over the radius of the wall.
//
// The normal force is that of a stiff spring with a smooth onset, a function of the distance
// alone at rest; see Law. What hits a wall is damped, so that it stays there at any step; see
// impact. Friction is Coulomb's, with a memory of where each station sticks, and so
// holds for ever what is below its limit. Within a step it has a potential too, for the
// normal force in it is that of the step before, or, where that has changed, of a first
// solution. So steps stay minima of a merit function, and the matrix symmetric and banded.
//
// Of itself a rod touches elements with elements, each two where their surfaces are nearest,
// without friction. What touches follows from the shape alone. As such a contact joins places
// that are far apart along the rod, its tangent is a change of low rank beside the band.
package contact
