package boundary

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// Surface is the surface of a body, in axes about its reference point.
type Surface struct {
	// Panels cover the surface, or the part of it on the positive side of the mirrors.
	Panels []Panel
	// Mirrors says for each axis whether the plane normal to it through the reference point is a
	// mirror of the body.
	Mirrors [3]bool
}

// modes is the number of motions of the surface: translations along and rotations about the
// axes, then straining motions. The first rigid ones are those of a rigid body.
const rigid, modes = 6, 12

// Loads are what the surface exerts on fluid of viscosity 1 Pa s in which it moves as a mode
// says, about its reference point in its axes: the rows are the three components of the force
// and those of the moment. The columns are the velocities along x, y and z (blocks in m and
// m²), the angular velocities about them (m² and m³), and the strain rates Exx, Eyy, Ezz, Eyz,
// Exz and Exy of a velocity E x (m² and m³).
type Loads struct {
	Wrench [6][modes]float64
	// Second is the mean over the three translations i of ∫ fᵢ x xᵀ dS/∫ fᵢ dS, m².
	Second spatial.Mat3
}

// velocity returns the velocity of the surface at x in a mode.
func velocity(mode int, x spatial.Vec) spatial.Vec {
	switch mode {
	case 0, 1, 2:
		return axis(mode)
	case 3, 4, 5:
		return axis(mode - 3).Cross(x)
	case 6, 7, 8:
		e := axis(mode - 6)
		return e.Scale(e.Dot(x))
	}
	a, b := axis((mode-8)%3), axis((mode-7)%3)
	return a.Scale(b.Dot(x)).Add(b.Scale(a.Dot(x)))
}

func axis(i int) spatial.Vec {
	return [...]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}[i]
}

// parity returns for each mirror whether the image of a mode in it is the mode (1) or its opposite
// (−1). A rotation is an axial vector.
func parity(mode int) [3]float64 {
	p := [3]float64{1, 1, 1}
	switch i := mode % 3; {
	case mode < 3:
		p[i] = -1
	case mode < 6 || mode >= 9:
		p[(i+1)%3], p[(i+2)%3] = -1, -1
	}
	return p
}

// Solve returns the loads of a surface. It fails if a panel has no area, or if the equations are
// singular.
func (s *Surface) Solve() (*Loads, error) {
	for i, p := range s.Panels {
		if a := p.areaVector().Norm(); !(a > 0) {
			return nil, fmt.Errorf("boundary: panel %d has the area %g m²; it must be positive", i, a)
		}
	}
	// of a surface of unit size: areas and densities of micrometres are tiny numbers
	size := 0.0
	for _, p := range s.Panels {
		for _, x := range p {
			size = max(size, x.Norm())
		}
	}
	unit := make([]Panel, len(s.Panels))
	for i, p := range s.Panels {
		for _, x := range p {
			unit[i] = append(unit[i], x.Scale(1/size))
		}
	}
	e := newEquations(unit, s.Mirrors)
	loads := &Loads{}
	for _, c := range e.classes() {
		if err := e.solve(&c, loads); err != nil {
			return nil, err
		}
	}
	loads.scale(size)
	return loads, nil
}

// scale changes the unit of length from 1 m to size.
func (l *Loads) scale(size float64) {
	for i := range l.Wrench {
		for j := range l.Wrench[i] {
			order := 1
			if i >= 3 {
				order++
			}
			if j >= 3 {
				order++
			}
			l.Wrench[i][j] *= math.Pow(size, float64(order))
		}
	}
	l.Second = l.Second.Scale(size * size / 3)
}

// equations are those of the densities of the panels.
type equations struct {
	panels  []Panel
	centers []spatial.Vec
	areas   []spatial.Vec // normal into the fluid times area
	mirrors [3]bool
	images  []spatial.Vec // signs of the coordinates of the images of a panel
	kernels [][]spatial.Mat3
}

func newEquations(panels []Panel, mirrors [3]bool) *equations {
	e := &equations{panels: panels, mirrors: mirrors, images: []spatial.Vec{{X: 1, Y: 1, Z: 1}}}
	for i, has := range mirrors {
		if has {
			for _, signs := range e.images {
				e.images = append(e.images, signs.Sub(axis(i).Scale(2*axis(i).Dot(signs))))
			}
		}
	}
	for _, p := range panels {
		e.centers, e.areas = append(e.centers, p.center()), append(e.areas, p.areaVector())
	}
	n := len(panels)
	e.kernels = make([][]spatial.Mat3, len(e.images))
	for k, signs := range e.images {
		e.kernels[k] = make([]spatial.Mat3, n*n)
		for j, p := range panels {
			q := p.image(signs)
			for i, x := range e.centers {
				e.kernels[k][i*n+j] = q.stokeslets(x)
			}
		}
	}
	return e
}

// class is the modes of one parity in the mirrors of the body, 0 for an axis without a mirror. One
// factorisation serves them all.
type class struct {
	parity [3]float64
	modes  []int
}

// classes groups the modes, in their order. It leaves those out that have neither force nor moment for
// their parity: no motion of a rigid body has it.
func (e *equations) classes() (all []class) {
	for mode := range modes {
		p := parity(mode)
		for i, has := range e.mirrors {
			if !has {
				p[i] = 0
			}
		}
		i := slices.IndexFunc(all, func(c class) bool { return c.parity == p })
		switch {
		case i >= 0:
			all[i].modes = append(all[i].modes, mode)
		case mode < rigid:
			all = append(all, class{p, []int{mode}})
		}
	}
	return all
}

// image returns the factors of the components of a density in its image with the given signs of the
// coordinates.
func (c *class) image(signs spatial.Vec) spatial.Vec {
	for i, s := range [...]float64{signs.X, signs.Y, signs.Z} {
		if s < 0 {
			signs = signs.Scale(c.parity[i])
		}
	}
	return signs
}

// solve adds the loads of the modes of one class.
func (e *equations) solve(c *class, loads *Loads) error {
	n := len(e.panels)
	a := mat.NewDense(3*n, 3*n, nil)
	for k, signs := range e.images {
		image := spatial.Diag3(c.image(signs).Scale(1 / (8 * math.Pi)))
		for i := range n {
			for j := range n {
				addBlock(a, i, j, e.kernels[k][i*n+j].Mul(image))
			}
		}
	}
	if odd := slices.Contains(c.parity[:], -1); !odd {
		e.excludePressure(a)
	}
	b := mat.NewDense(3*n, len(c.modes), nil)
	for k, mode := range c.modes {
		for i, x := range e.centers {
			v := velocity(mode, x)
			b.Set(3*i, k, v.X)
			b.Set(3*i+1, k, v.Y)
			b.Set(3*i+2, k, v.Z)
		}
	}
	var f mat.Dense
	if err := f.Solve(a, b); err != nil {
		var poor mat.Condition
		if !errors.As(err, &poor) || math.IsInf(float64(poor), 0) {
			return fmt.Errorf("boundary: the equations of %d panels have no solution: %w", n, err)
		}
	}
	for k, mode := range c.modes {
		e.addLoads(mode, c, mat.Col(nil, k, &f), loads)
	}
	return nil
}

func addBlock(a *mat.Dense, i, j int, k spatial.Mat3) {
	for r, row := range [3][3]float64{{k.XX, k.XY, k.XZ}, {k.YX, k.YY, k.YZ}, {k.ZX, k.ZY, k.ZZ}} {
		for c, v := range row {
			a.Set(3*i+r, 3*j+c, a.At(3*i+r, 3*j+c)+v)
		}
	}
}

// excludePressure adds the flux of the density through the surface to the equations. A density along
// the normals moves no fluid, so they leave it open.
func (e *equations) excludePressure(a *mat.Dense) {
	total := 0.0
	for _, area := range e.areas {
		total += area.Norm()
	}
	for i := range e.panels {
		n := e.areas[i].Unit()
		for j, area := range e.areas {
			addBlock(a, i, j, spatial.Outer(n, area.Scale(1/total)))
		}
	}
}

// addLoads adds the loads of the densities f of a mode. Those of the images are the same up to
// signs, which cancel in all components that are not of the parity of the mode.
func (e *equations) addLoads(mode int, c *class, f []float64, loads *Loads) {
	var force, moment spatial.Vec
	var second spatial.Mat3
	for i, area := range e.areas {
		density := spatial.Vec{X: f[3*i], Y: f[3*i+1], Z: f[3*i+2]}.Scale(area.Norm())
		for _, signs := range e.images {
			g, x := density.Mul(c.image(signs)), e.centers[i].Mul(signs)
			force, moment = force.Add(g), moment.Add(x.Cross(g))
			if mode < 3 {
				second = second.Add(spatial.Outer(x.Scale(g.Dot(axis(mode))), x))
			}
		}
	}
	for r, v := range [...]float64{force.X, force.Y, force.Z, moment.X, moment.Y, moment.Z} {
		loads.Wrench[r][mode] = v
	}
	if mode < 3 {
		loads.Second = loads.Second.Add(second.Scale(1 / force.Dot(axis(mode))))
	}
}
