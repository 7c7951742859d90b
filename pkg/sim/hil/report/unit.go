package report

import (
	"fmt"
	"math"

	"sinew/pkg/sim/hil"
)

// rwPercent is the error of the model of Rucker and Webster (2011) against a
// measured robot, in percent of its length: the field's usual reference.
const rwPercent = 1.7

// Unit is a unit of length for people.
type Unit struct {
	Name     string
	PerMetre float64
}

// LengthUnit returns the unit that fits the robot and its motion: mm, or µm below
// 5 mm.
func LengthUnit(c *hil.Comparison) Unit {
	size := c.Options.LengthM
	if size == 0 {
		size = c.HwMotion.ExtentM
	}
	return unitOf(size)
}

// unitOf is the unit that fits a robot of a length.
func unitOf(lengthM float64) Unit {
	const small = 5e-3 // m
	if lengthM < small {
		return Unit{"µm", 1e6}
	}
	return Unit{"mm", 1e3}
}

// show prints a length given in m.
func (u Unit) show(m float64) string { return short(u.PerMetre*m) + " " + u.Name }

// short prints a number with three significant digits, without exponents for usual
// sizes.
func short(v float64) string {
	const nothing = 1e-9 // what rounding leaves
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "–"
	case a < nothing:
		return "0"
	case a >= 100:
		return fixed(v, 0)
	case a >= 10:
		return fixed(v, 1)
	case a >= 1:
		return fixed(v, 2)
	case a >= 0.001:
		return fixed(v, 3)
	}
	return fmt.Sprintf("%.2g", v)
}
