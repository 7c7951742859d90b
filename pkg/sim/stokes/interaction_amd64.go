package stokes

import "golang.org/x/sys/cpu"

// hasVectors is whether the processor works on four numbers at once.
var hasVectors = cpu.X86.HasAVX2

// addRow adds the interaction of the row with the first n of the tile to both, but for
// spheres that overlap, which it reports. The row has no motion before.
func addRow(r *row, t *tile, n int) (overlaps bool) {
	if hasVectors {
		return addRowAVX2(r, t, n)
	}
	return addRowPlain(r, t, n)
}

// addRowAVX2 is addRowPlain four pairs at a time, with the same bits.
//
//go:noescape
func addRowAVX2(r *row, t *tile, n int) (overlaps bool)
