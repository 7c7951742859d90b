// Package drive is motor joints that wind tendons up: what becomes of a commanded angle on its
// way to the pulley, and how much joints and the plate that carries them give way to the
// tensions of their tendons. docs/drives.md has the equations.
package drive
