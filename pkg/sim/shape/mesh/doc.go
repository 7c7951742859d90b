// Package mesh makes a distance field of a surface of triangles: a bone to lean on, or the
// lumen of a vessel.
//
// ReadSTL reads the triangles, New repairs them and builds the Field. The surface must be
// closed and have two sides; repair.go has the flaws that are repaired. With
// Inside, free space is enclosed, and the surface may be open at the ends of vessels: where
// its edge is a loop that the wall runs out to. A loop within a wall is a hole and refused.
// At an open end the wall continues as a rounded lip, as at the open end of a tube, so that
// the sign of the distance does not turn there and a rod that leaves is let go smoothly.
//
// # The surface
//
// STL has no normals at corners. Edges that turn by less than 40 degrees are taken for
// those of a smooth surface: normals are averaged at its corners, and over each triangle the
// surface is the quadratic patch with these normals [1], which is off a smooth surface by the
// third power of the length of an edge, where a flat triangle is off by the second and its
// normal by the first. Sharper edges stay as they are.
//
// # The field
//
// The distance is computed, from the nearest triangle, at the points of a grid about the
// surface and interpolated by the tensor product of cubic B-splines. It is twice continuously
// differentiable, so that nothing rattles over facets, and off the distance to the surface by
// the fourth power of the spacing; sharp edges are rounded by about the spacing. Blocks
// of the grid are kept only near the surface. Deeper in the wall a coarse grid of the same
// kind determines its size, of distances that are interpolated far from the surface; on the free
// side Field.At reports that no wall is near.
//
// The sign is that of the pseudonormal of the nearest corner, edge or face [2].
//
// [1] T. Boubekeur, M. Alexa: Phong tessellation, ACM Transactions on Graphics 27 (2008) 141;
// with the weight 1/2, for which quadrics are reproduced.
// [2] J. A. Bærentzen, H. Aanæs: Signed distance computation using the angle weighted
// pseudonormal, IEEE Transactions on Visualization and Computer Graphics 11 (2005) 243.
package mesh
