package identify

import (
	"fmt"
	"math"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/spatial"
)

// Bounds of small motions.
const (
	smallShift = 0.1  // fraction of the robot's length
	smallTurn  = 0.35 // rad
)

// smallMotion are the members of a small rigid motion.
func smallMotion(name string, lengthM float64) (members []fit.Parameter) {
	for _, axis := range []string{"x", "y", "z"} {
		members = append(members, fit.Parameter{Name: name + "." + axis, Unit: "m", Min: -smallShift * lengthM, Max: smallShift * lengthM})
	}
	for _, axis := range []string{"rx", "ry", "rz"} {
		members = append(members, fit.Parameter{Name: name + "." + axis, Unit: "rad", Min: -smallTurn, Max: smallTurn})
	}
	return members
}

func vec(x []float64) spatial.Vec { return spatial.Vec{X: x[0], Y: x[1], Z: x[2]} }

func vecList(v spatial.Vec) string { return list(v.X, v.Y, v.Z) }

// basePose turns and shifts the clamped end of the rod: world axes, the rotation
// about the base itself.
func basePose(n fileNumbers, lengthM float64) ([]fit.Parameter, func([]float64) []assignment, string) {
	p, d3, d1 := n.vector("base.position_m"), n.vector("base.direction"), n.vector("base.normal")
	if p == nil || d3 == nil || d1 == nil {
		return nil, nil, "the robot has no base"
	}
	return smallMotion("base_pose", lengthM), func(x []float64) []assignment {
		turn := spatial.ExpRot(vec(x[3:]))
		return []assignment{
			{"base.position_m", vecList(vec(p).Add(vec(x)))},
			{"base.direction", vecList(turn.Apply(vec(d3)))},
			{"base.normal", vecList(turn.Apply(vec(d1)))},
		}
	}, ""
}

// hardwarePose turns and shifts the frame of the measurements.
func hardwarePose(n fileNumbers, lengthM float64) ([]fit.Parameter, func([]float64) []assignment, string) {
	p, q := n.vector("hardware.position_m"), n.vector("hardware.orientation_xyzw")
	if p == nil || q == nil {
		return nil, nil, "the robot file has no hardware"
	}
	start := spatial.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}
	return smallMotion("hardware_pose", lengthM), func(x []float64) []assignment {
		r := spatial.ExpQuat(vec(x[3:])).Mul(start)
		return []assignment{
			{"hardware.position_m", vecList(vec(p).Add(vec(x)))},
			{"hardware.orientation_xyzw", list(r.X, r.Y, r.Z, r.W)},
		}
	}, ""
}

// latency is a key of its own, but may be absent: estimated when both run live.
func latency(n fileNumbers, _ float64) ([]fit.Parameter, func([]float64) []assignment, string) {
	start, _ := n.at(latencyPath)
	p := fit.Parameter{Name: "latency_s", Unit: "s", Start: start, Min: min(start, 0) - 0.1, Max: max(start, 0) + 0.5}
	return []fit.Parameter{p}, func(x []float64) []assignment { return []assignment{{latencyPath, number(x[0])}} }, ""
}

const latencyPath = "hardware.latency_s"

// tendonOffsets moves each tendon's hole in polar coordinates, in which a real
// robot is wrong: the disks' radius and how they are turned.
func tendonOffsets(n fileNumbers, _ float64) (members []fit.Parameter, assign func([]float64) []assignment, reason string) {
	const share, turn = 0.5, 0.5 // fraction of the radius; rad
	var paths []string
	var start []float64
	for i := 0; ; i++ {
		path := fmt.Sprintf("tendons[%d].offset_m", i)
		v := n.vector(path)
		if v == nil {
			break
		}
		if n.vector(fmt.Sprintf("tendons[%d].offsets_m[0]", i)) != nil {
			return nil, nil, "tendons have a hole for each disk (offsets_m)"
		}
		paths = append(paths, path)
		r, a := math.Hypot(v[0], v[1]), math.Atan2(v[1], v[0])
		name := "tendon_offsets." + n.itemName(path)
		members = append(members,
			fit.Parameter{Name: name + ".radius_m", Unit: "m", Start: r, Min: (1 - share) * r, Max: (1 + share) * r},
			fit.Parameter{Name: name + ".azimuth_rad", Unit: "rad", Start: a, Min: a - turn, Max: a + turn})
		start = append(start, r, a)
	}
	if members == nil {
		return nil, nil, "the robot has no tendons"
	}
	return members, func(x []float64) (a []assignment) {
		for i, path := range paths {
			if r, azimuth := x[2*i], x[2*i+1]; r != start[2*i] || azimuth != start[2*i+1] {
				sin, cos := math.Sincos(azimuth)
				a = append(a, assignment{path, list(r*cos, r*sin)})
			}
		}
		return a
	}, ""
}

// itemName is the name of the tendon that a path leads to.
func (n fileNumbers) itemName(path string) string {
	for _, m := range n {
		if strings.HasPrefix(m.Path, path+"[") {
			return strings.Split(dotted(m.Named), ".")[1]
		}
	}
	return path
}

// moment scales the magnet of a body, or each on a rod, and keeps its direction.
func moment(n fileNumbers, _ float64) (members []fit.Parameter, assign func([]float64) []assignment, reason string) {
	const decade = 10
	var paths []string
	add := func(name, unit, path string) (found bool) {
		m := n.vector(path)
		if m == nil || vec(m).Norm() == 0 {
			return m != nil
		}
		size := vec(m).Norm()
		members = append(members, fit.Parameter{Name: name, Unit: unit, Start: size, Min: size / decade, Max: size * decade, Log: true})
		paths = append(paths, path)
		return true
	}
	add("moment", "A m^2", "body.magnet.moment_a_m2")
	for i, found := 0, true; found; i++ {
		at := fmt.Sprintf("magnets[%d].", i)
		dipole, stretch := at+"moment_a_m2", at+"magnetization_a_per_m"
		found = add("moment."+n.itemName(dipole), "A m^2", dipole)
		found = add("moment."+n.itemName(stretch), "A/m", stretch) || found
	}
	if members == nil {
		return nil, nil, "the robot has no permanent magnet"
	}
	return members, func(x []float64) (a []assignment) {
		for i, path := range paths {
			m := vec(n.vector(path))
			a = append(a, assignment{path, vecList(m.Scale(x[i] / m.Norm()))})
		}
		return a
	}, ""
}

// resistance scales the measured resistance matrix R to D R D with D = diag(√trans,
// √rot), which keeps it positive definite.
func resistance(n fileNumbers, _ float64) ([]fit.Parameter, func([]float64) []assignment, string) {
	const path, decade = "body.shape.resistance", 10
	trans, rot, coupling := n.vector(path+".trans_kg_per_s"), n.vector(path+".rot_kg_m2_per_s"), n.vector(path+".coupling_kg_m_per_s")
	if trans == nil || rot == nil {
		return nil, nil, "the body has no shape.resistance; the drag of any other shape is in proportion to viscosity_pa_s"
	}
	scaled := func(v []float64, by float64) string {
		w := make([]float64, len(v))
		for i := range v {
			w[i] = v[i] * by
		}
		return list(w...)
	}
	var members []fit.Parameter
	for _, part := range []string{"trans", "rot"} {
		members = append(members, fit.Parameter{Name: "resistance." + part, Unit: "1", Start: 1, Min: 1. / decade, Max: decade, Log: true})
	}
	return members, func(x []float64) []assignment {
		a := []assignment{{path + ".trans_kg_per_s", scaled(trans, x[0])}, {path + ".rot_kg_m2_per_s", scaled(rot, x[1])}}
		if coupling != nil {
			a = append(a, assignment{path + ".coupling_kg_m_per_s", scaled(coupling, math.Sqrt(x[0]*x[1]))})
		}
		return a
	}, ""
}
