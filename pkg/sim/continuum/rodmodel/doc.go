// Package rodmodel makes rods of what robot files say about them: cross-sections, material, damping. SI units.
package rodmodel
