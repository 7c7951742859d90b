//go:build !amd64

package magnetics

// addRow adds the interaction of the row with the first n of the tile to both. The row
// has no sums before.
func addRow(r *row, t *tile, n int) { addRowPlain(r, t, n) }
