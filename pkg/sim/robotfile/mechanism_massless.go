package robotfile

import (
	"fmt"
	"strings"

	"sinew/pkg/sim/spatial"
)

// checkMasses refuses free bodies without a mass, once the joints are known to be right.
func (r *Mechanism) checkMasses(c *checker) {
	for i := range r.Bodies {
		b := &r.Bodies[i]
		mass := join(item("bodies", i), "mass_kg")
		if b.Motion == FreeBody && b.Mass == 0 && c.ok(mass) {
			c.fail(mass, Mistake{Value: "0", Unit: "kg", Problem: "is too small for a body with motion free", Allowed: "(0, 1e6]", Hint: r.massHint(b.Name)})
		}
	}
}

// massHint says what to do about a massless body. One that only fixed joints hold can be left out: then the other joints connect to what
// the first of them connects it to.
func (r *Mechanism) massHint(name string) string {
	const give = "give its mass and inertia; a thousandth of the mass of the links that it connects to has little effect"
	var on *JointSide // what holds the body
	var first string
	var at spatial.Pose // the body in the axes of that
	var others []string
	for i := range r.Joints {
		j := &r.Joints[i]
		mine, other, key := &j.Parent, &j.Child, "parent"
		if mine.Body != name {
			mine, other, key = &j.Child, &j.Parent, "child"
		}
		switch {
		case mine.Body != name:
			continue
		case j.Type != "fixed":
			return give
		case on == nil:
			on, first, at = other, j.Name, other.frame().Mul(mine.frame().Inv())
			continue
		}
		others = append(others, fmt.Sprintf("joint %s the %s {%s}", j.Name, key, on.moved(at.Mul(mine.frame()))))
	}
	if len(others) == 0 {
		return give
	}
	return give + "; or leave the body and joint " + first + " out, since fixed joints alone hold it, and give " + strings.Join(others, ", ")
}

// frame returns the pose of the joint's frame in the axes of its side.
func (s *JointSide) frame() spatial.Pose {
	return spatial.Pose{R: s.Orientation.Rot(), P: s.Position}
}

// moved writes the side with another frame as YAML.
func (s *JointSide) moved(to spatial.Pose) string {
	link := "world: true"
	switch {
	case s.Body != "":
		link = "body: " + s.Body
	case s.Rod != "":
		_, at := s.Link()
		link = fmt.Sprintf("rod: %s, at_m: %.12g", s.Rod, at)
	}
	const roundOff = 1e-15
	number := func(x float64) string {
		if x < roundOff && x > -roundOff {
			x = 0
		}
		return fmt.Sprintf("%.12g", x)
	}
	list := func(v ...float64) string {
		var all []string
		for _, x := range v {
			all = append(all, number(x))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	q := to.R.Quat()
	return link + ", position_m: " + list(to.P.X, to.P.Y, to.P.Z) + ", orientation_xyzw: " + list(q.X, q.Y, q.Z, q.W)
}
