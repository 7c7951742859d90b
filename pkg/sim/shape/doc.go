// Package shape computes the distances of points from walls: what contact needs of a plane, a
// sphere, a capsule, a rounded box, the inside of a tube and a triangle mesh.
//
// Lengths are in metres, points and directions in the world frame. The distance D of a
// point is positive on the free side of a wall and negative within it; its gradient N
// points from the wall to the free side. A rod of radius r touches where D = r.
//
// Shape.At is all that a hot loop calls. It does not allocate, and where it is defined it
// depends on the point alone: a Hint makes it faster and changes it by roundoff only.
// To continue bit for bit from a stored state, store the hints too.
//
// What the walls are:
//
//   - A plane is solid on the far side of its normal, without end.
//   - A sphere, a capsule and a box with rounded edges are solid bodies.
//   - A tube is a bore through a solid without end: the rod is inside. The centre line is
//     the cubic spline through the points (twice continuously differentiable, parameter by
//     chord length, natural ends). A bore of changing radius is the union of the balls about
//     the points of its centre line; distance, normal and Hessian are those of that surface,
//     exactly, with its slope. At an open end the wall is rounded outward with a lip of half
//     the radius there, so that the distance is smooth where a rod leaves, and beyond it
//     there is no wall. A closed end is a half ball.
//   - A rim is the edge of an open end of a tube or mesh, see Shape.Rims: a ring, of which the
//     lip is a quarter.
//   - A mesh is a closed surface, or the lumen of a vessel, which may have open ends. See
//     package mesh. Its distance is interpolated: N is its exact gradient, and so of length 1
//     only within the error of interpolation, about a hundredth at a smooth wall.
//
// At returns false where no contact is possible or its direction is undefined: on the
// centre line of a tube, at the centre of a sphere, beyond a tube's open end beside its lip,
// far from a mesh.
package shape
