package magnetics

import "golang.org/x/sys/cpu"

// hasVectors is whether the processor works on four numbers at once.
var hasVectors = cpu.X86.HasAVX2

// addRow adds the interaction of the row with the first n of the tile to both. The row
// has no sums before.
func addRow(r *row, t *tile, n int) {
	if hasVectors {
		addRowAVX2(r, t, n)
	} else {
		addRowPlain(r, t, n)
	}
}

// addRowAVX2 is addRowPlain four pairs at a time, with the same bits.
//
//go:noescape
func addRowAVX2(r *row, t *tile, n int)
