package robotfile

import "math"

// single is the file of a robot of one rod of the mechanism with the tendons through its disks, and their numbers.
func (r *Mechanism) single(rod int) (file *Continuum, tendons []int) {
	file = &Continuum{Rod: r.Rods[rod].Rod, Solver: RodSolver{Method: Implicit}}
	for i := range r.Tendons {
		if t := &r.Tendons[i]; t.Rod == r.Rods[rod].Name && len(t.Route) == 0 {
			file.Tendons, tendons = append(file.Tendons, t.Tendon), append(tendons, i)
		}
	}
	return file, tendons
}

// DiskNodes returns the arc lengths at which a rod has nodes because of disks and borders of sections, m.
func (r *Mechanism) DiskNodes(rod int) []float64 {
	file, _ := r.single(rod)
	return file.NodeArcLengths()
}

// RodTendon is a tendon through the disks of a rod.
type RodTendon struct {
	Index      int // among the tendons of the file
	DiskMasses []float64
}

// RodTendons returns the tendons through the disks of a rod, with the masses of their disks (kg), 0 where an earlier tendon of the
// rod passes the same disk and so carries it.
func (r *Mechanism) RodTendons(rod int) (all []RodTendon) {
	file, tendons := r.single(rod)
	for k, i := range tendons {
		all = append(all, RodTendon{i, file.DiskMasses(k)})
	}
	return all
}

// LoadEnd returns the time at which a load ends as a time after 0, s, +Inf for never: what is present in the initial state only ends
// before the first step.
func LoadEnd(until float64) float64 {
	if until == 0 {
		return math.SmallestNonzeroFloat64
	}
	return until
}
