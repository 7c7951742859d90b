package hil

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// Alignment tells how the frame of the hardware is brought onto the world frame of
// the simulation.
type Alignment string

// The alignments.
const (
	AlignNone   Alignment = "none"   // the frames are the same, as after a calibration
	AlignOrigin Alignment = "origin" // a translation that makes the first compared positions equal
	AlignSE3    Alignment = "se3"    // the rigid motion with the smallest RMS position error
)

// RotationAlignment tells how measured rotations are brought onto simulated ones,
// after the Alignment.
type RotationAlignment string

// The alignments of rotations. Each is the mean of the single differences, in the
// sense of least squares of matrices.
const (
	RotationNone  RotationAlignment = "none"
	RotationLeft  RotationAlignment = "left"  // R_hw ↦ Q R_hw, for a wrong world frame
	RotationRight RotationAlignment = "right" // R_hw ↦ R_hw Q, for markers mounted askew on the tip
)

// Frame is an alignment that has been found.
type Frame struct {
	Kind Alignment
	// Pose maps measured coordinates (m) to the world frame of the simulation.
	Pose spatial.Pose
	// Left and Right turn measured rotations, R ↦ Left Pose.R R Right.
	Left, Right spatial.Mat3
	// Degenerate tells what the motion leaves open. It is empty if that is nothing.
	Degenerate string
}

// Angle returns the angle (rad) by which the frame of the hardware was turned.
func (f *Frame) Angle() float64 { return f.Pose.R.Log().Norm() }

// Apply returns a measured pose in the simulation's world.
func (f *Frame) Apply(p *spatial.Pose, rotation bool) spatial.Pose {
	out := spatial.Pose{P: f.Pose.Apply(p.P), R: p.R}
	if rotation {
		out.R = f.Left.Mul(f.Pose.R.Mul(p.R)).Mul(f.Right)
	}
	return out
}

// identityFrame changes nothing, to the last bit.
func identityFrame(kind Alignment) Frame {
	return Frame{Kind: kind, Pose: spatial.IdentityPose(), Left: spatial.Identity3(), Right: spatial.Identity3()}
}

// align finds the frame of pairs.
func align(pairs []Pair, kind Alignment, rotation RotationAlignment) (Frame, error) {
	f := identityFrame(kind)
	switch kind {
	case AlignNone:
	case AlignOrigin:
		f.Pose.P = pairs[0].Sim.P.Sub(pairs[0].Hw.P)
	case AlignSE3:
		var err error
		if f.Pose, f.Degenerate, err = rigid(pairs); err != nil {
			return f, err
		}
	default:
		return f, fmt.Errorf("alignment %q, allowed: %s, %s, %s", kind, AlignNone, AlignOrigin, AlignSE3)
	}
	var sum spatial.Mat3
	for i := range pairs {
		hw := f.Apply(&pairs[i].Hw, true)
		if rotation == RotationRight {
			sum = sum.Add(hw.R.TMul(pairs[i].Sim.R))
		} else {
			sum = sum.Add(pairs[i].Sim.R.MulT(hw.R))
		}
	}
	var err error
	switch rotation {
	case RotationNone:
	case RotationLeft:
		f.Left, _, err = nearestRotation(sum)
	case RotationRight:
		f.Right, _, err = nearestRotation(sum)
	default:
		err = fmt.Errorf("alignment of rotations %q, allowed: %s, %s, %s", rotation, RotationNone, RotationLeft, RotationRight)
	}
	return f, err
}

// rigid returns the motion g that makes Σ|sim − g hw|² smallest [Umeyama 1991,
// eq. 39–41 without scale].
func rigid(pairs []Pair) (g spatial.Pose, degenerate string, err error) {
	const thin = 1e-4 // ratio of squared extents below which a motion counts as a line
	var sum moments
	for i := range pairs {
		sum.add(pairs[i].Hw.P.Sub(pairs[0].Hw.P), pairs[i].Sim.P.Sub(pairs[0].Sim.P))
	}
	_, _, c := sum.spread()
	r, s, err := nearestRotation(c)
	if err != nil {
		return g, "", err
	}
	switch {
	case s[0] < minExtent*minExtent*sum.n:
		r, degenerate = spatial.Identity3(), "the tip moves too little: only a translation could be found"
	case s[1] < thin*s[0]:
		r, degenerate = shortestTurn(c), "the tip moves on a line: the rotation about it cannot be found and was left out"
	}
	a, b := pairs[0].Hw.P.AddScaled(1/sum.n, sum.a), pairs[0].Sim.P.AddScaled(1/sum.n, sum.b)
	return spatial.Pose{R: r, P: b.Sub(r.Apply(a))}, degenerate, nil
}

// nearestRotation returns the rotation R with the largest tr(Rᵀ m), which is also
// the nearest to m, and the singular values of m.
func nearestRotation(m spatial.Mat3) (spatial.Mat3, [3]float64, error) {
	u, s, v, err := decompose(m)
	if err != nil {
		return spatial.Mat3{}, s, err
	}
	sign := 1.0
	if u.Det()*v.Det() < 0 {
		sign = -1
	}
	return u.Mul(spatial.Diag3(spatial.Vec{X: 1, Y: 1, Z: sign})).MulT(v), s, nil
}

// shortestTurn returns the rotation by the smallest angle that brings the principal
// direction of the right factor of m to that of the left one.
func shortestTurn(m spatial.Mat3) spatial.Mat3 {
	u, _, v, err := decompose(m)
	if err != nil {
		return spatial.Identity3()
	}
	to, from := u.Col1(), v.Col1()
	axis, c := from.Cross(to), from.Dot(to)
	angle := math.Atan2(axis.Norm(), c)
	if axis.Norm() < 1e-12 {
		axis = v.Col2() // half a turn about any perpendicular axis will do
	}
	return spatial.ExpRot(axis.Unit().Scale(angle))
}

// decompose returns the singular value decomposition m = u diag(s) vᵀ.
func decompose(m spatial.Mat3) (u spatial.Mat3, s [3]float64, v spatial.Mat3, err error) {
	var svd mat.SVD
	if !svd.Factorize(dense(m), mat.SVDFull) {
		return u, s, v, fmt.Errorf("no singular value decomposition of %v", m)
	}
	svd.Values(s[:])
	var du, dv mat.Dense
	svd.UTo(&du)
	svd.VTo(&dv)
	return undense(&du), s, undense(&dv), nil
}

// dense returns m as a matrix of gonum.
func dense(m spatial.Mat3) *mat.Dense {
	return mat.NewDense(3, 3, []float64{m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ})
}

// undense returns the 3×3 matrix d of gonum.
func undense(d *mat.Dense) spatial.Mat3 {
	return spatial.Mat3{
		XX: d.At(0, 0), XY: d.At(0, 1), XZ: d.At(0, 2),
		YX: d.At(1, 0), YY: d.At(1, 1), YZ: d.At(1, 2),
		ZX: d.At(2, 0), ZY: d.At(2, 1), ZZ: d.At(2, 2),
	}
}
