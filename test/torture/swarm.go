package torture

import (
	"fmt"
	"math"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const swarmStream = 0x737761726d

// NewSwarm generates swarm seed: a few spheres of 1 µm to 1 mm that attract one another and
// drag one another along, of moments up to those of NdFeB, half of the small ones with
// thermal motion. A swarm costs as much as a hundred bodies, so that it is short and small.
func NewSwarm(seed uint64) (*Case, error) {
	d := &bodyDraft{generator: newGenerator(seed, swarmStream, wildBodies), file: robotfile.Example[robotfile.Microrobot]()}
	f := d.file
	f.Seed = int(seed % 1000)
	d.beads()
	d.fluid(1e-3, 1)
	f.Dynamics, f.Solver.Method = robotfile.Overdamped, []robotfile.BodyMethod{robotfile.RKMK4, robotfile.LieEuler}[d.IntN(2)]
	if d.size < 5e-5 && d.chance(0.5) {
		f.Fluid.Brownian, f.Solver.Method = true, robotfile.RKMK4
		d.kind += " with thermal motion"
	}
	f.Swarm = &robotfile.Swarm{Count: int(d.log(2, 8)), Spacing: d.size * d.between(2.02, 6), Interaction: robotfile.FullInteraction}
	d.kind = fmt.Sprintf("%d times a %s", f.Swarm.Count, d.kind)
	return d.finish(&Case{Seed: seed, Period: 0.005, Periods: 2})
}

// beads draws spheres: two in five of NdFeB, some without a magnet.
func (d *bodyDraft) beads() {
	b := &d.file.Body
	a := d.log(0.5e-6, 5e-4)
	d.size, d.volume, d.kind = a, 4./3*math.Pi*a*a*a, "sphere"
	b.Shape, b.Density, b.Mass = &robotfile.Shape{Sphere: &a}, d.log(1000, 7800), 0
	b.Orientation = spatial.Quat{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64(), W: d.NormFloat64()}.Normalized()
	b.Magnet, b.Soft = nil, nil
	m := 1e6 // A/m
	switch p := d.Float64(); {
	case p < 0.1:
		d.kind += ", not magnetic,"
		return
	case p < 0.6:
		m = d.log(1e2, 1e6)
	}
	b.Magnet = &robotfile.Magnet{Moment: d.direction().Scale(m * d.volume)}
	d.kind += fmt.Sprintf(", magnet of %.2g A/m,", m)
}
