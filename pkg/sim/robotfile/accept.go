package robotfile

import (
	"fmt"
	"slices"
	"strings"
)

// Warning is the name of a warning that a robot file can accept. Names stay the same.
type Warning string

// The warnings of suspicious values; docs/guide.md says when each is given.
const (
	QuaternionLength Warning = "quaternion_length"
	StepPeriod       Warning = "step_period"
	ShortTimeout     Warning = "command_timeout"
	Size             Warning = "size"
	Density          Warning = "density"
	Slenderness      Warning = "slenderness"
	PoissonRatio     Warning = "poisson_ratio"
	TendonOffset     Warning = "tendon_offset"
	DiskRange        Warning = "disk_range"
	Magnetization    Warning = "magnetization"
	MagneticVolume   Warning = "magnetic_volume"
	DipoleRange      Warning = "dipole_range"
	MeshFlaws        Warning = "mesh_flaws"
	Modulus          Warning = "modulus"
	Payload          Warning = "payload"

	MagnetInteraction Warning = "magnet_interaction"
	Temperature       Warning = "temperature"

	// Models measure these while they run, too.
	Strain          Warning = "strain"
	Reynolds        Warning = "reynolds"
	RotationPerStep Warning = "rotation_per_step"
	CoilRange       Warning = "coil_range"
	FlowThroughWall Warning = "flow_through_wall"
	BaseInWall      Warning = "base_in_wall"

	PenetrationBetweenPoints Warning = "penetration_between_points_over_radius"

	TimeError Warning = "time_error_over_length"
)

// renamedWarnings maps names that robot files may still accept, those of gauges among them, to
// the names of today. The old names stay valid for one release.
var renamedWarnings = map[string]Warning{
	"dip_over_radius":              PenetrationBetweenPoints,
	"base_depth_over_radius":       BaseInWall,
	"base_penetration_over_radius": BaseInWall,
}

// isMeasuredInMotion reports whether the cause of the warning may arise only while the robot
// moves. A file may accept such a warning although its values do not cause it.
func (w Warning) isMeasuredInMotion() bool {
	return slices.Contains([]Warning{Strain, Reynolds, RotationPerStep, CoilRange, FlowThroughWall, BaseInWall, PenetrationBetweenPoints, TimeError}, w)
}

// Given returns the numbers of a key as the files give them, or nil if the key is absent or not
// numeric.
type Given func(key string) []float64

// Given implements the function type Given for the files that the last call of Robot read.
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

// Source returns the name of the file, or of what else, that gives a key, or "" if the key is absent.
type Source func(key string) string

// Source implements the function type Source for the files that the last call of Robot read.
func (d *Draft[T]) Source(key string) string {
	if n := d.checker.given[key]; n != nil {
		return n.file
	}
	return ""
}

// Location returns the place of a key as file:line, or that of the nearest mapping around an
// absent key, in the files that the last call of Robot read.
func (d *Draft[T]) Location(key string) string {
	m := d.checker.locate(key, Mistake{})
	if m.Line == 0 {
		return m.File
	}
	return fmt.Sprintf("%s:%d", m.File, m.Line)
}

// AddFindings adds the findings about the robot that the last call of Robot returned to its
// warnings, with their locations and values, except for those that the file accepts. An accepted
// name that matches no finding is a warning, too.
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
			d.warned = append(d.warned, c.locate(item("accept", i), Mistake{Problem: "matches no warning", Hint: "remove it"}))
		}
	}
	d.warned = inOrder(d.warned, d.sources)
}

// Overridden returns the keys that replace the number at path wherever it would have an effect,
// or nil if it has an effect. It refers to the files that the last call of Robot read.
func (d *Draft[T]) Overridden(path string) (by []string) {
	list, key, also := "", "", ""
	switch {
	case path == "environment.friction_coefficient":
		list, key = "environment.shapes", "friction_coefficient"
	case strings.HasPrefix(path, "rod.") && !strings.Contains(path, "sections"):
		list, key = "rod.sections", strings.TrimPrefix(path, "rod.")
		key, _, _ = strings.Cut(key, "[")
		if key == "youngs_modulus_pa" {
			also = "shear_modulus_pa" // proportional to it unless it is given
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

// inheritedBySections are the keys of the rod that its sections inherit.
var inheritedBySections = map[string]bool{
	"density_kg_per_m3": true, "youngs_modulus_pa": true, "shear_modulus_pa": true, "shear_correction": true,
	"contact_radius_m": true, "precurvature_per_m": true,
}
