// Package rod has the constants of a Cosserat rod: a slender elastic body that stretches, shears,
// bends and twists. A Rod is uniform or has several parts, and is immutable. States are in the
// packages below, one per discretisation, so several can step one Rod at once: package staggered is
// the explicitly stepped rod of PyElastica, and package strain the implicitly stepped rod of strain
// elements.
//
// The body axes of a cross-section are its directors d1, d2, d3: d1 and d2 span the section, and d3
// is the tangent, base to tip. Strain, stress and angular velocity are in body axes: shear along d1
// and d2 and stretch along d3, curvature about d1 and d2 and twist about d3.
//
// Symbols: s is arc length at rest and l an element length, m; E and G are Young's and the shear
// modulus, Pa; ρ the density, kg/m³; A, I1, I2, J area, second moments and torsion constant of a
// section. SI units.
//
// Reading order: material.go and section.go, part.go for parts and the properties of elements,
// mesh.go for the nodes, rod.go for Rod, and nodal.go for the distribution of masses to nodes.
package rod
