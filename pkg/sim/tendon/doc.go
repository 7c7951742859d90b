// Package tendon is what tendons do to a rod: they run from the base plate
// through holes in disks, in straight chords from hole to hole, and end at their
// last disk.
//
// A Route is the way of one tendon through the rod and never changes. Original and
// Corrected load the rod of package staggered with the tension of one tendon: as the
// TendonForces module for PyElastica does, faults included, and corrected. A Bundle
// loads the rod of package strain with all tendons at once and gives the exact
// tangent; Friction is the capstan friction of one of its tendons. Disks have mass
// and inertia.
package tendon
