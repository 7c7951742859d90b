package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"sinew/pkg/sim/spatial"
)

// WriteSamples writes samples.csv: a row for each compared sample of the hardware,
// with the latency removed and the hardware aligned to the simulation's world.
// Numbers have 17 significant digits; what is not known is empty.
func (d *Document) WriteSamples(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "t_s,sim_x_m,sim_y_m,sim_z_m,sim_qx,sim_qy,sim_qz,sim_qw,hw_x_m,hw_y_m,hw_z_m,hw_qx,hw_qy,hw_qz,hw_qw,"+
		"error_x_m,error_y_m,error_z_m,error_m,error_percent_of_length,rotation_error_rad")
	r := d.Comparison.Removed
	var line []byte
	for i := range r.Pairs {
		p := &r.Pairs[i]
		line = appendValue(line[:0], p.T)
		line = appendPose(line, &p.Sim, r.Rotations)
		line = appendPose(line, &p.Hw, r.Rotations)
		angle := math.NaN()
		if r.Rotations {
			angle = r.Rotation[i]
		}
		e := r.Error[i]
		for _, v := range []float64{e.X, e.Y, e.Z, e.Norm(), r.Percent(e.Norm()), angle} {
			line = appendValue(append(line, ','), v)
		}
		_, _ = b.Write(append(line, '\n')) // Flush reports the first error
	}
	return b.Flush()
}

// appendValue appends v, or nothing for NaN.
func appendValue(dst []byte, v float64) []byte {
	if math.IsNaN(v) {
		return dst
	}
	return strconv.AppendFloat(dst, v, 'g', 17, 64)
}

func appendPose(dst []byte, p *spatial.Pose, rotations bool) []byte {
	nan := math.NaN()
	values := [7]float64{p.P.X, p.P.Y, p.P.Z, nan, nan, nan, nan}
	if rotations {
		q := p.R.Quat()
		values[3], values[4], values[5], values[6] = q.X, q.Y, q.Z, q.W
	}
	for _, v := range values {
		dst = appendValue(append(dst, ','), v)
	}
	return dst
}

// WriteTUM writes the compared samples of the simulation, or of the hardware, as a
// trajectory in the TUM format, "t x y z qx qy qz qw": the same samples as
// samples.csv, so that evo_ape finds the same errors. Without rotations all are
// the identity.
func (d *Document) WriteTUM(w io.Writer, hardware bool) error {
	b := bufio.NewWriter(w)
	r := d.Comparison.Removed
	for i := range r.Pairs {
		p := &r.Pairs[i].Sim
		if hardware {
			p = &r.Pairs[i].Hw
		}
		q := spatial.IdentityQuat()
		if r.Rotations {
			q = p.R.Quat()
		}
		fmt.Fprintf(b, "%.9f %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", r.Pairs[i].T, p.P.X, p.P.Y, p.P.Z, q.X, q.Y, q.Z, q.W)
	}
	return b.Flush()
}
