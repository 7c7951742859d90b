package robotfile

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Drives are the motors that wind the tendons, and their common plate.
type Drives struct {
	SharedCompliance float64 `yaml:"shared_compliance_m_per_n" live:"model" unit:"m/N" range:"[0, 1]" default:"0" doc:"loss of pull of every tendon per newton of the sum of all tensions: compliance of the plate that carries the motors"`
	Joints           []Joint `yaml:"joints" doc:"motor joints, commanded by servo_jp in radians, in this order or by name"`
}

// Joint is a motor joint. The commanded angle acts on the shaft through dead time, lag and
// gain, and on the pulley and its tendons through backlash.
type Joint struct {
	Name       string         `yaml:"name" example:"motor_1" doc:"unique, also among tendons; letters, digits, _ - . after a first letter or _"`
	Tendons    []DrivenTendon `yaml:"tendons" doc:"the tendons on its pulley, each on one joint only; two of gain 1 and -1 are an antagonistic pair"`
	Pulley     float64        `yaml:"pulley_radius_m" unit:"m" range:"(0, 10]" example:"0.01" doc:"pull of a tendon of gain 1 per radian"`
	Angle      float64        `yaml:"angle_rad" unit:"rad" range:"[-1e4, 1e4]" default:"0" doc:"commanded angle at t = 0, which the motor has reached and holds until the first command"`
	DeadTime   float64        `yaml:"dead_time_s" unit:"s" range:"[0, 10]" default:"0" doc:"after which a command begins to act; at most 10000 steps"`
	Lag        float64        `yaml:"lag_s" live:"model" unit:"s" range:"[0, 1000]" default:"0" doc:"time constant of first order, with which the shaft follows; 0: at once"`
	Gain       float64        `yaml:"gain" live:"model" unit:"1" range:"(0, 100]" default:"1" doc:"angle of the shaft without load per commanded one"`
	Compliance float64        `yaml:"compliance_rad_per_nm" live:"model" unit:"rad/(N m)" range:"[0, 1000]" default:"0" doc:"rotation of the shaft per torque of its tendons, as of a position servo without integral action"`
	Backlash   float64        `yaml:"backlash_rad" live:"model" unit:"rad" range:"[0, 6.3]" default:"0" doc:"play between shaft and pulley, from one side to the other; friction holds the pulley meanwhile"`
	Limits     JointLimits    `yaml:"limits" doc:"of commands"`
}

// DrivenTendon is a tendon on the pulley of a joint.
type DrivenTendon struct {
	Name     string  `yaml:"name" example:"tendon_1" doc:"of the tendon, which needs stiffness_n_per_m: that of the spring in series"`
	Gain     float64 `yaml:"gain" unit:"1" range:"[-100, 100]" default:"1" doc:"pull per pulley_radius_m and radian; negative: wound the other way"`
	RestPull float64 `yaml:"rest_pull_m" unit:"m" range:"[-1, 1]" default:"0" doc:"pull at angle 0, which gives pretension; negative: so much slack"`
}

// JointLimits bound the commands to a joint.
type JointLimits struct {
	Min     float64 `yaml:"min_rad" live:"model" unit:"rad" range:"[-1e4, 1e4]" default:"-3.141592653589793" doc:"commands below are clamped; if absent at most angle_rad"`
	Max     float64 `yaml:"max_rad" live:"model" unit:"rad" range:"[-1e4, 1e4]" default:"3.141592653589793" doc:"commands above are clamped; if absent at least angle_rad"`
	MaxRate float64 `yaml:"max_rate_rad_per_s" live:"model" unit:"rad/s" range:"(0, inf]" default:"10" doc:"how fast the commanded angle follows a command"`
}

// maxDeadSteps is the maximum number of steps of a dead time: the delayed commands are part of
// the state.
const maxDeadSteps = 10000

// JointOf returns the index of the joint that moves a tendon, or −1.
func (d *Drives) JointOf(tendon string) int {
	return slices.IndexFunc(d.Joints, func(j Joint) bool {
		return slices.ContainsFunc(j.Tendons, func(w DrivenTendon) bool { return w.Name == tendon })
	})
}

// finalizeDrives checks the joints, their unique names and their tendons.
func (r *Continuum) finalizeDrives(c *checker) {
	if r.Drives.SharedCompliance > 0 {
		r.requireImplicit(c, "drives.shared_compliance_m_per_n")
	}
	first, wound := map[string]string{}, map[string]string{}
	for i := range r.Tendons {
		first[r.Tendons[i].Name] = item("tendons", i)
	}
	for i := range r.Drives.Joints {
		j, path := &r.Drives.Joints[i], item("drives.joints", i)
		r.requireImplicit(c, path)
		if at := join(path, "name"); c.has(at) {
			c.name(at, j.Name, tendonName, "a letter or _, then letters, digits, _ - . up to 64 in all", path, first)
		}
		j.finalizeLimits(c, path)
		if at := join(path, "dead_time_s"); j.DeadTime > maxDeadSteps*r.ShortestStep() && c.ok(at, "solver.step_s", "rates.control_hz") {
			c.fail(at, Mistake{Unit: "s", Problem: "has too many steps of solver.step_s",
				Allowed: fmt.Sprintf("at most %d steps, %s s", maxDeadSteps, formatNumber(maxDeadSteps*r.ShortestStep()))})
		}
		if len(j.Tendons) == 0 && c.ok(path) {
			c.warnAt(path, Mistake{Problem: "has no effect: it moves no tendon", Hint: "list them under tendons, or leave the joint out"})
		}
		for k := range j.Tendons {
			r.finalizeDrivenTendon(c, &j.Tendons[k], item(join(path, "tendons"), k), wound)
		}
	}
}

// requireImplicit reports a key that only method implicit supports.
func (r *Continuum) requireImplicit(c *checker, path string) {
	if r.Solver.Method != Implicit && c.ok(path, "solver.method") {
		c.fail(path, Mistake{Problem: "is supported by method implicit only", Allowed: "remove it, or use method implicit"})
	}
}

// finalizeLimits relates angle and limits.
func (j *Joint) finalizeLimits(c *checker, path string) {
	low, high, angle := join(path, "limits.min_rad"), join(path, "limits.max_rad"), join(path, "angle_rad")
	if !c.ok(low, high, angle) {
		return
	}
	l := &j.Limits
	if !c.has(low) {
		l.Min = min(l.Min, j.Angle, l.Max)
	}
	if !c.has(high) {
		l.Max = max(l.Max, j.Angle, l.Min)
	}
	switch {
	case l.Min > l.Max:
		c.fail(low, Mistake{Unit: "rad", Problem: "is above max_rad", Allowed: "at most " + formatNumber(l.Max)})
	case j.Angle < l.Min || j.Angle > l.Max:
		c.fail(angle, Mistake{Unit: "rad", Problem: "is beyond the limits of the joint", Allowed: fmt.Sprintf("[%s, %s]", formatNumber(l.Min), formatNumber(l.Max))})
	}
}

// finalizeDrivenTendon checks that a tendon exists, is elastic or inextensible, is on one pulley
// only, and has no commands but those of its joint.
func (r *Continuum) finalizeDrivenTendon(c *checker, w *DrivenTendon, path string, wound map[string]string) {
	at := join(path, "name")
	if !c.ok(at) || !c.has(at) {
		return
	}
	i := slices.IndexFunc(r.Tendons, func(t Tendon) bool { return t.Name == w.Name })
	switch {
	case i < 0:
		var names []string
		for k := range r.Tendons {
			names = append(names, r.Tendons[k].Name)
		}
		c.fail(at, Mistake{Problem: "is not a tendon of the robot", Allowed: strings.Join(names, ", ")})
		return
	case wound[w.Name] != "":
		c.fail(at, Mistake{Problem: "is on the pulley of " + wound[w.Name] + " too", Allowed: "each tendon once"})
		return
	}
	wound[w.Name] = parentPath(parentPath(path))
	t, own := &r.Tendons[i], item("tendons", i)
	if stiffness := join(own, "stiffness_n_per_m"); t.Stiffness == 0 && c.ok(stiffness) {
		c.fail(at, Mistake{Problem: "is a tendon without stiffness_n_per_m", Allowed: "a tendon with stiffness_n_per_m above 0, .inf: inextensible"})
	}
	for _, key := range []struct {
		name  string
		given bool
	}{{"pull_m", t.Pull != nil}, {"tension_n", t.Tension != 0}} {
		if given := join(own, key.name); key.given && c.ok(given) {
			c.fail(given, Mistake{Problem: "excludes the joint that the tendon is on", Allowed: "remove it; the joint has angle_rad, and rest_pull_m of the tendon"})
		}
	}
	for _, key := range []string{"limits.max_rate_n_per_s", "limits.max_rate_m_per_s", "limits.pretension_n"} {
		c.warn(join(own, key), Mistake{Problem: "has no effect: a joint moves the tendon", Hint: "remove it; the joint has limits and rest_pull_m"})
	}
}

// finalizeTendonCalibrations reports gains of commanded tensions for tendons that a joint moves.
func (r *Continuum) finalizeTendonCalibrations(c *checker) {
	for i := range r.Hardware.Tendons {
		at, name := join(item("hardware.tendons", i), "name"), r.Hardware.Tendons[i].Name
		if j := r.Drives.JointOf(name); j >= 0 && c.ok(at) {
			c.fail(at, Mistake{Problem: "is moved by joint " + r.Drives.Joints[j].Name + ", not by a tension", Allowed: "tendons that are on no joint; the gain of a joint is in drives"})
		}
	}
}

// ShortestStep returns the length of the steps of the loop, s: a control period is divided into
// equal steps of at most solver.step_s.
func (r *Continuum) ShortestStep() float64 {
	const whole = 1e-9 // round-off of a number of steps
	period := r.Rates.Period()
	if period == 0 || r.Solver.Step == 0 {
		return r.Solver.Step
	}
	return period / max(1, math.Ceil(period/r.Solver.Step-whole))
}
