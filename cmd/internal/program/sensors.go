package program

import (
	"path"

	"sinew/pkg/sim"
)

// SensorSamples are the columns of sensors: how many measurements have arrived and, of the newest, for how long it has been taken (s) and
// its values, each behind the name of the sensor and a point.
func SensorSamples(ports []sim.Port) (columns []Samples) {
	for i := range ports {
		p := &ports[i]
		if p.Samples == 0 {
			continue
		}
		s := Samples{Port: p.Name}
		for _, c := range p.Components() {
			s.Columns = append(s.Columns, path.Base(p.Name)+"."+c.Name)
		}
		columns = append(columns, s)
	}
	return columns
}
