// Package tendon is what tendons do to a rod: they run from the base plate
// through holes in disks, in straight chords from hole to hole, and end at their
// last disk.
//
// A Route is the way of one tendon through the rod and never changes. Chords
// loads the explicitly stepped rod with a tension; its two schemes are the one of
// the TendonForces module for PyElastica, faults included, and the corrected one.
// Bundle does the same for the implicitly stepped rod, all tendons at once and
// with the exact tangent; Friction is the capstan friction of one of its tendons.
// Disks are what the disks weigh.
package tendon
