// Package rod is the Cosserat rod: a slender elastic body that stretches,
// shears, bends and twists.
//
// A Rod holds the constants of a rod, uniform or of several parts, and never changes after
// it is made.
// Its states belong to the packages below, one per discretisation, so that several
// can be stepped at once: staggered is the explicitly stepped rod of PyElastica;
// strain is the implicitly stepped rod of elements of constant strain.
//
// The body axes of a cross-section are its directors: d1 and d2 span the section,
// d3 is the tangent, base to tip. Strain, stress and angular velocity are in body
// axes: shear along d1 and d2 and stretch along d3; curvature about d1 and d2 and
// twist about d3. SI units.
package rod
