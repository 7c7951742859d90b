// Package report writes a comparison of simulation and hardware for people and
// for programs: one self-contained HTML page, metrics as JSON, the aligned
// samples as CSV, and trajectories in the TUM format.
//
// The page needs nothing but itself: no script, no style sheet, font or picture
// from elsewhere. Its figures are inline SVG; colours follow the reader's choice
// of light or dark.
//
// The keys of the metrics are documented at [Metrics]. Units are SI and stand in
// the keys and in the headers of columns; in the page lengths are in mm, or
// µm of small robots, and angles in degrees. Errors are simulation minus hardware.
package report
