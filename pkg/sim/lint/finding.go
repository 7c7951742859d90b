package lint

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// findings are warnings about a robot file without their locations.
type findings []robotfile.Mistake

// add adds a finding about a key. The format describes the consequence of the value and the
// expected range.
func (f *findings) add(name robotfile.Warning, key, format string, args ...any) {
	*f = append(*f, robotfile.Mistake{Name: name, Key: key, Problem: fmt.Sprintf(format, args...)})
}

// about writes x with two significant digits, as 180, 2.4e17 or 8.5e-4.
func about(x float64) string {
	text := strconv.FormatFloat(x, 'e', 1, 64)
	rounded, _ := strconv.ParseFloat(text, 64)
	if a := math.Abs(rounded); a == 0 || a >= 1e-3 && a < 1e6 {
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	digits, exponent, _ := strings.Cut(text, "e")
	return strings.TrimSuffix(digits, ".0") + "e" + strings.TrimPrefix(strings.NewReplacer("+0", "", "-0", "-").Replace(exponent), "+")
}

// quaternion finds one that is far from unit length as it is written: reading normalizes it.
func (f *findings) quaternion(given robotfile.Given, key string) {
	const slack = 0.02 // numbers of two digits, as in [0, 0, 0.7, 0.7]
	q := given(key)
	if len(q) != 4 {
		return
	}
	sum := 0.0
	for _, x := range q {
		sum += x * x
	}
	length := math.Sqrt(sum)
	if math.Abs(length-1) <= slack {
		return
	}
	angle := 2 * math.Atan2(math.Hypot(q[0], math.Hypot(q[1], q[2])), math.Abs(q[3])) * 180 / math.Pi
	problem := fmt.Sprintf("has length %s and is read as a turn by %s degrees; expected: x, y, z, w of a unit quaternion", about(length), about(angle))
	if length > 2 {
		problem += "; are these degrees?"
	}
	f.add(robotfile.QuaternionLength, key, "%s", problem)
}

// rates finds time steps and timeouts that do not fit the control period.
func (f *findings) rates(given robotfile.Given, stepS float64, r *robotfile.Rates, timeoutS float64) {
	const roundoff = 1e-9
	period := 1 / r.Control
	if stepS > period*(1+roundoff) {
		key := "solver.step_s"
		if given(key) == nil {
			key = "rates.control_hz"
		}
		f.add(robotfile.StepPeriod, key, "leaves control periods of %s s and steps of %s s: run takes steps of %s s, and sim of %s s; expected: solver.step_s of at most %s s",
			about(period), about(stepS), about(period), about(stepS), about(period))
	}
	const periods = 2
	if timeoutS < periods*period {
		f.add(robotfile.ShortTimeout, "command_timeout_s", "is below two control periods of %s s: commands time out before the next can come; expected: several times as long as the commands are apart", about(period))
	}
}

// turning finds what turns by more than the limit (rad) in a step (s), at a rate in rad/s.
func (f *findings) turning(key, what string, rate, step, limit float64, method string) {
	if angle := math.Abs(rate) * step; angle > limit {
		f.add(robotfile.RotationPerStep, key, "turns %s by %s rad in a step of %s s; expected: at most %g rad with method %s, solver.step_s %s",
			what, about(angle), about(step), limit, method, about(limit/math.Abs(rate)))
	}
}

// density finds a density of solid matter in grams per cubic centimetre, or above that of
// any element.
func (f *findings) density(key string, d float64) {
	switch {
	case d < lightest:
		f.add(robotfile.Density, key, "is that of a light foam or an aerogel; expected: from %g to %d kg/m^3; is it in g/cm^3? Then it is %.4g kg/m^3", lightest, osmium, 1000*d)
	case d > osmium:
		f.add(robotfile.Density, key, "is more than that of osmium, the densest element; expected: from %g to %d kg/m^3", lightest, osmium)
	}
}

// Densities of solid matter, kg/m^3: of light foams, and of the densest element. All metals given in
// g/cm^3 are below the first.
const (
	lightest = 25.0
	osmium   = 22590
)

func norm(v spatial.Vec) float64 { return v.Norm() }
