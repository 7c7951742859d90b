package main

import (
	"math"
	"strconv"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// robot is what all programs simulate: a round rod, horizontal and clamped at its base,
// straight and at rest in the beginning, with massless disks through whose holes four
// tendons are strung, if any has a tension. Its shear modulus is E/2, so that it resists bending and torsion
// alike, as a ball joint with a spring does. For the chain of MuJoCo, which knows neither, it has no
// shear and stretch; for PyElastica, whose steps these make short, it has those of its section.
type robot struct {
	Name     string     `json:"name"`
	Title    string     `json:"-"`       // in the table of docs/performance.md
	Length   float64    `json:"length"`  // m
	Radius   float64    `json:"radius"`  // m
	Density  float64    `json:"density"` // kg/m³
	Young    float64    `json:"young"`   // Pa
	Cosserat bool       `json:"-"`       // it has shear and stretch
	Damping  float64    `json:"damping"` // Kelvin–Voigt time constant, s
	Drag     float64    `json:"drag"`    // of a medium, over the mass, 1/s
	Hole     float64    `json:"hole"`    // distance of the holes from the centreline, m
	Disks    int        `json:"disks"`   // at equal distances, the last at the tip
	Tensions [4]float64 `json:"tensions"`
	Gravity  float64    `json:"gravity"`  // m/s²
	Floor    float64    `json:"floor"`    // its depth below the axis, frictionless, m; 0: none
	Duration float64    `json:"duration"` // s
	Samples  int        `json:"samples"`  // of the tip, at equal times, the last at the end
}

// robots are the soft rod, of silicone, the nitinol robot, with the mass of its 10 disks
// of 0.5 g spread along the wire, and the soft rod without tendons that falls onto a floor,
// without and with a medium.
var robots = []robot{
	{
		Name: "soft", Title: "soft rod, tendons", Length: 0.6, Radius: 0.01, Density: 997.7, Young: 16598637, Damping: 0.01,
		Hole: 0.02, Disks: 12, Tensions: [4]float64{8, 4, 1, 1}, Gravity: 9.80665, Duration: 1, Samples: 21,
	},
	{
		Name: "nitinol", Title: "nitinol wire, tendons", Length: 0.2, Radius: 0.0005, Density: 6450 + 0.005/(0.2*math.Pi*0.0005*0.0005), Young: 60e9, Damping: 0.002,
		Hole: 0.008, Disks: 10, Tensions: [4]float64{2, 1, 0.5, 0.5}, Gravity: 9.80665, Duration: 1, Samples: 21,
	},
	{
		Name: "floor", Title: "soft rod that falls onto a floor", Length: 0.6, Radius: 0.01, Density: 997.7, Young: 1659863.7, Damping: 0.01,
		Hole: 0.02, Disks: 12, Gravity: 9.80665, Floor: 0.1, Duration: 1, Samples: 21,
	},
	{
		Name: "settling", Title: "soft rod that settles on a floor, with shear and stretch", Length: 0.6, Radius: 0.01, Density: 997.7, Young: 1659863.7, Cosserat: true, Drag: 10,
		Disks: 12, Gravity: 9.80665, Floor: 0.1, Duration: 1, Samples: 21,
	},
}

// stiffening is by how much a rod without shear and stretch is stiffer in them than its section
// is: what is left moves the tip by less than 1e-5 of the length.
const stiffening = 100

// file is the robot for method implicit.
func (r *robot) file(elements, order int) *robotfile.Continuum {
	area, second, stiffer := math.Pi*r.Radius*r.Radius, math.Pi*math.Pow(r.Radius, 4)/4, float64(stiffening)
	if r.Cosserat {
		stiffer = 1
	}
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: r.Length, Density: r.Density, YoungsModulus: stiffer * r.Young, ShearModulus: stiffer * r.Young / 2,
			ShearCorrection: 1, Elements: elements, Order: order, MaterialLaw: robotfile.Linear,
			Section: &robotfile.Section{Area: area, I1: second / stiffer, I2: second / stiffer, J: 2 * second / stiffer},
			Damping: robotfile.Damping{KelvinVoigt: r.Damping, Drag: r.Drag},
		},
		Base:      robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}},
		Gravity:   spatial.Vec{Z: -r.Gravity},
		DiskForce: robotfile.FullDiskForce,
		Solver:    robotfile.RodSolver{Method: robotfile.Implicit, Step: 1e-3},
	}
	if r.Floor > 0 {
		f.Rod.ContactRadius = r.Radius
		f.Environment.Shapes = []robotfile.EnvironmentShape{{
			Name: "floor", Plane: &robotfile.HalfSpace{Point: spatial.Vec{Z: -r.Floor}, Normal: spatial.Vec{Z: 1}},
		}}
	}
	if r.Tensions == [4]float64{} {
		return f
	}
	for i, hole := range [4][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: "tendon_" + strconv.Itoa(i+1), Offset: [2]float64{r.Hole * hole[0], r.Hole * hole[1]}, Tension: r.Tensions[i],
			Disks:  robotfile.Disks{Count: r.Disks, First: r.Length / float64(r.Disks), Last: r.Length},
			Limits: robotfile.TendonLimits{MaxTension: 100, MaxRate: 1000, MaxPullRate: 0.1},
		})
	}
	return f
}
