package robotfile

import (
	"fmt"
	"slices"
	"strings"
)

// Warning is the name of a warning that a robot file can accept. Names stay the same.
type Warning string

// The warnings of numbers that are allowed and hardly meant; docs/guide.md says what each
// expects.
const (
	QuaternionLength Warning = "quaternion_length"
	StepPeriod       Warning = "step_period"
	ShortTimeout     Warning = "command_timeout"
	Size             Warning = "size"
	Density          Warning = "density"
	Slenderness      Warning = "slenderness"
	PoissonRatio     Warning = "poisson_ratio"
	TendonOffset     Warning = "tendon_offset"
	Magnetization    Warning = "magnetization"
	MagneticVolume   Warning = "magnetic_volume"
	DipoleRange      Warning = "dipole_range"

	MagnetInteraction Warning = "magnet_interaction"
	Temperature       Warning = "temperature"

	// Those that models measure while they run, too.
	Strain          Warning = "strain"
	Reynolds        Warning = "reynolds"
	RotationPerStep Warning = "rotation_per_step"
	CoilRange       Warning = "coil_range"
	BaseInWall      Warning = "base_in_wall"
)

// isMeasuredInMotion tells the warnings whose cause may come only while the robot moves, so that a
// file may accept them although nothing is found in it.
func (w Warning) isMeasuredInMotion() bool {
	return slices.Contains([]Warning{Strain, Reynolds, RotationPerStep, CoilRange, BaseInWall}, w)
}

// Given returns the numbers of a key as the files give them, or nil if it is absent or has
// others than numbers.
type Given func(key string) []float64

// Given is a Given of what the last call of Robot has read.
func (d *Draft[T]) Given(key string) (numbers []float64) {
	n := d.checker.given[key]
	if n == nil {
		return nil
	}
	items := n.items
	if n.kind == scalar {
		items = []*node{n}
	}
	for _, e := range items {
		x, ok := parseNumber(e)
		if e.kind != scalar || !ok {
			return nil
		}
		numbers = append(numbers, x)
	}
	return numbers
}

// Location says where the last call of Robot has found a key, as file:line: there, or where the
// nearest mapping around it is.
func (d *Draft[T]) Location(key string) string {
	m := d.checker.locate(key, Mistake{})
	if m.Line == 0 {
		return m.File
	}
	return fmt.Sprintf("%s:%d", m.File, m.Line)
}

// AddFindings adds to the warnings of the last call of Robot those with a name that were found in
// what it returned, and fills in their places and values. Those that the file accepts are
// left out; that it accepts what nobody found is a warning of its own.
func (d *Draft[T]) AddFindings(found []Mistake, accepted []Warning) {
	c := d.checker
	used := map[Warning]bool{}
	for _, m := range found {
		used[m.Name] = true
		if slices.Contains(accepted, m.Name) {
			continue
		}
		m.Hint = fmt.Sprintf("accept: [%s] if it is meant", m.Name)
		d.warned = append(d.warned, c.locate(m.Key, m))
	}
	for i, name := range accepted {
		if !used[name] && !name.isMeasuredInMotion() {
			d.warned = append(d.warned, c.locate(item("accept", i), Mistake{Problem: "accepts a warning that there is none of", Hint: "leave it out"}))
		}
	}
	d.warned = inOrder(d.warned, d.sources)
}

// Overridden names the keys that are given instead of the number at path, everywhere where it
// would act, so that it has no effect; nil where it acts. It is about what the last call of
// Robot has read.
func (d *Draft[T]) Overridden(path string) (by []string) {
	list, key, also := "", "", ""
	switch {
	case path == "environment.friction_coefficient":
		list, key = "environment.shapes", "friction_coefficient"
	case strings.HasPrefix(path, "rod.") && !strings.Contains(path, "sections"):
		list, key = "rod.sections", strings.TrimPrefix(path, "rod.")
		key, _, _ = strings.Cut(key, "[")
		if key == "youngs_modulus_pa" {
			also = "shear_modulus_pa" // which is in proportion where it is not given
		}
		if !inheritedBySections[key] {
			return nil
		}
	default:
		return nil
	}
	for i := 0; d.checker.given[item(list, i)] != nil; i++ {
		at := join(item(list, i), key)
		if !d.checker.has(at) || also != "" && !d.checker.has(join(item(list, i), also)) {
			return nil
		}
		by = append(by, at)
	}
	return by
}

// inheritedBySections are the keys of a rod that its sections have where they give none.
var inheritedBySections = map[string]bool{
	"density_kg_per_m3": true, "youngs_modulus_pa": true, "shear_modulus_pa": true, "shear_correction": true,
	"contact_radius_m": true, "precurvature_per_m": true,
}
