//go:build !amd64

package stokes

// addRow adds the interaction of the row with the first n of the tile to both, but for
// spheres that overlap, which it reports. The row has no motion before.
func addRow(r *row, t *tile, n int) (overlaps bool) { return addRowPlain(r, t, n) }
