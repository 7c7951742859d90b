package rigid

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Params describe a body. Vectors are in body axes, from the reference point.
type Params struct {
	Mass float64 // kg
	// Inertia about the reference point: Jxx, Jyy, Jzz, Jyz, Jxz, Jxy (kg m²), the
	// off-diagonal numbers being elements of the matrix, minus the products of inertia.
	Inertia [6]float64
	COM     spatial.Vec // centre of mass, m
	// Pivot is a point held fixed in the world by a spherical joint, m; nil: free.
	Pivot *spatial.Vec
}

// Body is a rigid body, constant after construction.
type Body struct {
	mass    float64
	com     spatial.Vec
	inertia spatial.Mat3 // about the reference point
	atCOM   spatial.Mat3 // about the centre of mass
	pivoted bool
	pivot   spatial.Vec
	props   integrate.MassProperties // about the pivot or, without one, about the centre of mass
}

// triangleSlack is how far, relatively, a principal moment may exceed the sum of the
// other two: what rounding to a few digits does to a thin rod.
const triangleSlack = 1e-6

// NewBody returns the body of p. It fails, with all mistakes at once, when the mass is
// not positive, a number is not finite, or the inertia is not one that a distribution of
// mass can have: positive about the centre of mass, none of its principal moments above
// the sum of the other two.
func NewBody(p Params) (*Body, error) {
	var errs []error
	if !(p.Mass > 0 && !math.IsInf(p.Mass, 0)) {
		errs = append(errs, fmt.Errorf("rigid: mass %g kg: must be positive", p.Mass))
	}
	if !p.COM.IsFinite() {
		errs = append(errs, fmt.Errorf("rigid: centre of mass %v m: must be finite", p.COM))
	}
	if p.Pivot != nil && !p.Pivot.IsFinite() {
		errs = append(errs, fmt.Errorf("rigid: pivot %v m: must be finite", *p.Pivot))
	}
	if !spatial.AllFinite(p.Inertia[:]) {
		errs = append(errs, fmt.Errorf("rigid: inertia %v kg m²: must be finite", p.Inertia))
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	b := &Body{mass: p.Mass, com: p.COM, inertia: Symmetric(p.Inertia)}
	b.atCOM = b.inertia.Sub(steiner(p.Mass, p.COM))
	moments, _ := principal(b.atCOM)
	if err := checkMoments(moments, b.inertia.Trace()); err != nil {
		return nil, err
	}
	b.props = integrate.MassProperties{Mass: p.Mass, Centre: p.COM, Inertia: b.atCOM}
	if p.Pivot != nil {
		b.pivoted, b.pivot = true, *p.Pivot
		b.props = integrate.MassProperties{
			Centre:  *p.Pivot,
			Inertia: b.atCOM.Add(steiner(p.Mass, p.COM.Sub(*p.Pivot))),
		}
	}
	b.props.Moments, b.props.Axes = principal(b.props.Inertia)
	b.props.Inverse = b.props.Inertia.Inv()
	return b, nil
}

// Symmetric returns the matrix with the elements xx, yy, zz, yz, xz, xy of j.
func Symmetric(j [6]float64) spatial.Mat3 {
	return spatial.Mat3{
		XX: j[0], XY: j[5], XZ: j[4],
		YX: j[5], YY: j[1], YZ: j[3],
		ZX: j[4], ZY: j[3], ZZ: j[2],
	}
}

// Shifted returns the parameters of the same body with the reference point moved by d
// (m, body axes): the centre of mass and the pivot are seen from there, and so is the
// inertia (Huygens and Steiner).
func (p Params) Shifted(d spatial.Vec) Params {
	j := Symmetric(p.Inertia).Sub(steiner(p.Mass, p.COM))
	p.COM = p.COM.Sub(d)
	j = j.Add(steiner(p.Mass, p.COM))
	p.Inertia = [6]float64{j.XX, j.YY, j.ZZ, j.YZ, j.XZ, j.XY}
	if p.Pivot != nil {
		moved := p.Pivot.Sub(d)
		p.Pivot = &moved
	}
	return p
}

// steiner returns the inertia of a mass at d about the origin, m (d·d I − d dᵀ).
func steiner(m float64, d spatial.Vec) spatial.Mat3 {
	n := m * d.Norm2()
	return spatial.Diag3(spatial.Vec{X: n, Y: n, Z: n}).Sub(spatial.Outer(d.Scale(m), d))
}

// principal returns the principal moments of j, ascending unless j is diagonal, and the
// rotation from principal to body axes.
func principal(j spatial.Mat3) (spatial.Vec, spatial.Quat) {
	if j.XY == 0 && j.XZ == 0 && j.YZ == 0 {
		return spatial.Vec{X: j.XX, Y: j.YY, Z: j.ZZ}, spatial.IdentityQuat()
	}
	var e mat.EigenSym
	sym := mat.NewSymDense(3, []float64{j.XX, j.XY, j.XZ, j.XY, j.YY, j.YZ, j.XZ, j.YZ, j.ZZ})
	if !e.Factorize(sym, true) {
		return spatial.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}, spatial.IdentityQuat()
	}
	var v mat.Dense
	e.VectorsTo(&v)
	col := func(k int) spatial.Vec { return spatial.Vec{X: v.At(0, k), Y: v.At(1, k), Z: v.At(2, k)} }
	l := e.Values(nil)
	// the third axis from the other two: right-handed
	axes := spatial.FromColumns(col(0), col(1), col(0).Cross(col(1)))
	return spatial.Vec{X: l[0], Y: l[1], Z: l[2]}, axes.Quat()
}

func checkMoments(m spatial.Vec, size float64) error {
	sum, largest := m.X+m.Y+m.Z, math.Max(m.X, math.Max(m.Y, m.Z))
	smallest := math.Min(m.X, math.Min(m.Y, m.Z))
	if !(smallest > 1e-14*math.Abs(size)) {
		return fmt.Errorf("rigid: principal moments of inertia about the centre of mass %v kg m²: must be positive", m)
	}
	if largest > (sum-largest)*(1+triangleSlack) {
		return fmt.Errorf("rigid: principal moments of inertia about the centre of mass %v kg m²: none can exceed the sum of the other two", m)
	}
	return nil
}

// Mass returns the mass in kg.
func (b *Body) Mass() float64 { return b.mass }

// COM returns the centre of mass in body axes, m.
func (b *Body) COM() spatial.Vec { return b.com }

// Inertia returns the inertia about the reference point in body axes, kg m².
func (b *Body) Inertia() spatial.Mat3 { return b.inertia }

// Pivot returns the point on the spherical joint in body axes (m) and whether there is
// a joint.
func (b *Body) Pivot() (spatial.Vec, bool) { return b.pivot, b.pivoted }

// AtCOM returns the inertia about the centre of mass in body axes, kg m².
func (b *Body) AtCOM() spatial.Mat3 { return b.atCOM }
