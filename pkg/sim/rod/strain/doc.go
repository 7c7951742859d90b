// Package strain is the implicitly stepped Cosserat rod of elements of constant
// strain on SE(3), as in Sonneville, Cardona and Brüls, "Geometrically exact beam
// finite element formulated on the special Euclidean group SE(3)", CMAME 268 (2014)
// 451, but with the strains as coordinates, so that rotations cannot drift and a
// moving base is a prescribed pose. The material law is rod.Linear. Elements of order 4
// have a strain that is linear along the element, condensed within it; see shape.
//
// Every node k = 0 … n carries a pose, mass and rotary inertia; element e between
// the nodes e and e+1 has the coordinates x = l (v, u) with g_{e+1} = g_e exp(x),
// l times its shears and stretch and its curvatures and twist. The coordinates
// and the pose of the base are the configuration. Wrenches on a node are in its
// body axes, about it. Increments of a node are a displacement in body axes and a
// rotation vector: p ← p + R δ, R ← R exp([w]×).
package strain
