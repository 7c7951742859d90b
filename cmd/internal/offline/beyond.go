package offline

import (
	"fmt"
	"strings"

	"sinew/pkg/sim"
)

// mostBeyond is how many values beyond their limits are named.
const mostBeyond = 3

// beyond keeps the first values of commands of each status that are beyond their limits.
type beyond struct {
	ports []sim.Port
	first map[sim.CommandStatus][]string
}

func newBeyond(ports []sim.Port) *beyond {
	return &beyond{ports: ports, first: map[sim.CommandStatus][]string{}}
}

// observe looks at a command that acts at t (s), at a place in a file.
func (b *beyond) observe(place string, t float64, port int, v []float64) {
	p := &b.ports[port]
	for i, x := range v {
		limit, is := 0.0, false
		switch {
		case sim.IsKeep(x):
		case i < len(p.Min) && x < p.Min[i]:
			limit, is = p.Min[i], true
		case i < len(p.Max) && x > p.Max[i]:
			limit, is = p.Max[i], true
		}
		status := sim.Clamped
		if p.Strict {
			status = sim.OutOfRange
		}
		if !is || len(b.first[status]) == mostBeyond {
			continue
		}
		side := "at most"
		if x < limit {
			side = "at least"
		}
		if place == "" {
			place = fmt.Sprintf("the row at %.6g s", t)
		}
		text := strings.TrimSpace(fmt.Sprintf("%s %.6g %s", side, limit, p.UnitOf(i)))
		b.first[status] = append(b.first[status], fmt.Sprintf("%s: %s = %.6g, allowed: %s", place, nameOfValue(p, i), x, text))
	}
}

// nameOfValue names value i of a port.
func nameOfValue(p *sim.Port, i int) string {
	if i < len(p.Labels) {
		return p.Labels[i]
	}
	return fmt.Sprintf("value %d of %s", i+1, p.Name)
}

// text describes the first values with a status, empty if none is known.
func (b *beyond) text(s sim.CommandStatus) string {
	if len(b.first[s]) == 0 {
		return ""
	}
	return "; the first values beyond their limits: " + strings.Join(b.first[s], "; ")
}
