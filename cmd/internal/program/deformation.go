package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/table"
)

// readDeformation reads the deformation of a rod from a CSV as static writes it: s (m), x, y, z, qx, qy, qz, qw, and link where there
// are several.
func readDeformation(file, rod string, length float64) (*mechanism.Deformation, error) {
	const (
		most     = 64 << 20 // bytes
		roundoff = 1e-6     // of the length, and of a quaternion's
	)
	data, err := ReadFile(file, most)
	if err != nil {
		return nil, err
	}
	r, err := table.NewReader(file, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	columns := [...]string{"s", "x", "y", "z", "qx", "qy", "qz", "qw"}
	var at [len(columns)]int
	for i, name := range columns {
		if at[i] = slices.Index(r.Header(), name); at[i] < 0 {
			return nil, r.HeaderError("no column %s; a shape has s (m), x, y, z (m), qx, qy, qz, qw, as static writes it", name)
		}
	}
	link := slices.Index(r.Header(), "link")
	d := &mechanism.Deformation{}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if link >= 0 && row.Text(link) != rod {
			continue
		}
		var v [len(columns)]float64
		for i := range v {
			if v[i], err = row.Finite(at[i]); err != nil {
				return nil, err
			}
		}
		q := spatial.Quat{W: v[7], X: v[4], Y: v[5], Z: v[6]}
		n := len(d.ArcLengths)
		switch norm := math.Sqrt(q.W*q.W + q.X*q.X + q.Y*q.Y + q.Z*q.Z); {
		case math.Abs(norm-1) > roundoff:
			return nil, row.Errorf("the quaternion has the length %.7g, not 1", norm)
		case n == 0 && math.Abs(v[0]) > roundoff*length:
			return nil, row.Errorf("the shape begins at s = %.6g m; allowed: 0", v[0])
		case n > 0 && !(v[0] > d.ArcLengths[n-1]):
			return nil, row.Errorf("s = %.6g m does not rise above %.6g m", v[0], d.ArcLengths[n-1])
		}
		d.ArcLengths = append(d.ArcLengths, v[0])
		d.Poses = append(d.Poses, spatial.Pose{R: q.Normalized().Rot(), P: spatial.Vec{X: v[1], Y: v[2], Z: v[3]}})
	}
	if n := len(d.ArcLengths); n < 2 || math.Abs(d.ArcLengths[n-1]-length) > roundoff*length {
		end := "there are not two rows"
		if n > 0 {
			end = fmt.Sprintf("%d rows end at s = %.6g m", n, d.ArcLengths[n-1])
		}
		return nil, fmt.Errorf("%s: of the rod %s %s; the rod has %.6g m", file, rod, end, length)
	}
	return d, nil
}
