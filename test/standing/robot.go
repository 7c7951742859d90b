package standing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
)

// Robot is a generated robot.
type Robot struct {
	Seed   uint64
	Kind   string  // what bends it
	Text   string  // the robot file
	Length float64 // m
	bend   float64 // EI, N m²
	Period float64 // of the first mode, unloaded, over 2π, s

	// Planar is the problem of shooting; nil where the robot has tendons, magnets or walls, or bends in space.
	Planar *Planar
}

// kinds of what bends a robot, beside its weight and payload.
var kinds = []string{"transverse force", "moment", "follower force", "tension", "tensions", "pulls", "precurvature", "magnet", "wall"}

// New generates a robot from a seed. Up to a tenth of the buckling load may be what makes it bend to one side.
func New(seed uint64) *Robot {
	g := rand.New(rand.NewPCG(seed, 0x7374616e64))
	between := func(a, b float64) float64 { return a + (b-a)*g.Float64() }
	log := func(a, b float64) float64 { return a * math.Pow(b/a, g.Float64()) }

	length := log(0.05, 0.5)
	radius := length / log(30, 400)
	young := log(1e6, 2e11)
	area, second := math.Pi*radius*radius, math.Pi*math.Pow(radius, 4)/4
	bend := young * second
	buckling := math.Pi * math.Pi * bend / (4 * length * length) // N
	// The weight of the rod buckles it at 7.837 EI/L², that is 3.18 times the force at the tip.
	payload := between(0, 3)
	density := min(20000, between(0.01, 0.6)*3.18*buckling/(area*length*9.80665))
	elements, order := 8+g.IntN(23), 2+2*g.IntN(2)
	lean := [...]float64{0, between(0, 1), between(0, 1), between(1, 2.5), math.Pi}[g.IntN(5)] // rad from upright, about y
	kind := kinds[g.IntN(len(kinds))]
	tip := payload * buckling / 9.80665
	mass := tip + density*area*length/4
	period := math.Sqrt(mass * math.Pow(length, 3) / (3 * bend))

	r := &Robot{Seed: seed, Kind: kind, Length: length, bend: bend, Period: period}
	var b strings.Builder
	c, s := math.Cos(lean), math.Sin(lean)
	precurvature := ""
	side := log(1e-4, 0.3) * float64(2*g.IntN(2)-1)
	if kind == "precurvature" {
		precurvature = fmt.Sprintf(", precurvature_per_m: [%g, %g, 0]", between(-1, 1)*side/length, side/length)
	}
	fmt.Fprintf(&b, "rod: {length_m: %g, radius_m: %g, density_kg_per_m3: %g, youngs_modulus_pa: %g, shear_modulus_pa: %g, elements: %d, element_order: %d, damping: {kelvin_voigt_s: %g, drag_per_s: %g}%s}\n",
		length, radius, max(1, density), young, young/2.6, elements, order, min(1000, period), 0.3/period, precurvature)
	fmt.Fprintf(&b, "base: {direction: [%g, 0, %g], normal: [%g, 0, %g]}\n", s, c, c, -s)
	fmt.Fprintf(&b, "tip: {mass_kg: %g}\n", tip)
	fmt.Fprintf(&b, "solver: {step_s: %g}\n", min(1, period/20))
	tendons := func(value string, count int, numbers ...float64) {
		fmt.Fprintf(&b, "tendons:\n")
		offset := min(length/15, 8*radius)
		stiffness := log(10, 1e5) * bend / (length * offset * offset)
		for k := range count {
			a := 2 * math.Pi * float64(k) / float64(count)
			fmt.Fprintf(&b, "  - {name: t%d, offset_m: [%g, %g], disks: {count: %d, first_m: %g, last_m: %g}, limits: {max_tension_n: 1e6, max_rate_n_per_s: 1e9}, stiffness_n_per_m: %g, %s: %g}\n",
				k, offset*math.Cos(a), offset*math.Sin(a), elements/2, length/float64(elements/2), length, stiffness, value, numbers[k])
		}
	}
	circle := 2 * math.Pi * bend / (length * min(length/15, 8*radius)) // tension that bends the rod to a circle, N
	switch kind {
	case "transverse force":
		fmt.Fprintf(&b, "loads: [{force_n: [%g, 0, 0]}]\n", side*buckling)
		r.Planar = &Planar{Force: [2]float64{side * buckling, 0}}
	case "moment":
		fmt.Fprintf(&b, "loads: [{moment_nm: [0, %g, 0]}]\n", side*buckling*length)
		r.Planar = &Planar{Moment: side * buckling * length}
	case "follower force":
		// Below what makes a rod flutter, 8 times what buckles it as a dead load.
		axial := -between(0, 3) * buckling
		fmt.Fprintf(&b, "loads: [{force_n: [%g, 0, %g], frame: body}]\n", side*buckling, axial)
		r.Planar = &Planar{Follower: [2]float64{side * buckling, axial}}
	case "tension":
		tendons("tension_n", 4, math.Abs(side)*circle/2, 0, 0, 0)
	case "tensions":
		tendons("tension_n", 3, between(0, 0.2)*circle, between(0, 0.2)*circle, between(0, 0.1)*circle)
	case "pulls":
		offset := min(length/15, 8*radius)
		tendons("pull_m", 4, side*offset, side*offset/3, -side*offset, -side*offset/3)
	case "magnet":
		fmt.Fprintf(&b, "magnets: [{name: m, at_m: %g, moment_a_m2: [0, 0, %g]}]\nfield: {uniform_t: [%g, 0, %g]}\n",
			length, buckling*length/0.05, 0.05*side, between(-0.05, 0.05))
	case "wall":
		fmt.Fprintf(&b, "loads: [{force_n: [%g, %g, 0]}]\nenvironment: {shapes: [{name: wall, plane: {point_m: [%g, 0, 0], normal: [-1, 0, 0]}}]}\n",
			side*buckling, between(-0.1, 0.1)*side*buckling, length*max(s, 0)+length*between(0.05, 0.5))
	}
	if p := r.Planar; p != nil {
		p.Length, p.Bend, p.Axial, p.Shear = length, bend, young*area, young/2.6*area*27/28
		p.Lean, p.Line, p.Tip = lean, max(1, density)*area*9.80665, tip*9.80665
	}
	r.Text = b.String()
	return r
}

// Model builds the robot.
func (r *Robot) Model() (*continuum.Model, error) {
	f, err := robotfile.Parse[robotfile.Continuum](fmt.Sprintf("standing-%d.yaml", r.Seed), []byte(r.Text))
	if err != nil {
		return nil, err
	}
	return continuum.New(f)
}
