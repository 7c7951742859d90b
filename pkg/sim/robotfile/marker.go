package robotfile

import (
	"slices"
	"strings"
)

// Marker is a point of the rod that a camera follows.
type Marker struct {
	Name   string    `yaml:"name" example:"m1" doc:"unique; letters, digits, _ - . after a first letter or _; its columns in CSVs are this with _x, _y, _z"`
	At     float64   `yaml:"at_m" unit:"m" range:"[0, 100]" default:"0.25" doc:"arc length of the cross-section that carries it; the tip if absent"`
	Offset []float64 `yaml:"offset_m" unit:"m" range:"[-1, 1]" len:"0|2|3" example:"[0.03, 0, 0]" doc:"from the centreline, along d1, d2 and, where there is a third number, d3; empty: on the centreline"`
	Weight float64   `yaml:"weight" unit:"1" range:"[0, 1e6]" default:"1" doc:"how much its error counts in identify beside an equal one of the tip; 0: it is predicted only"`
}

// Columns are those of the marker in CSVs: its position in m.
func (m *Marker) Columns() []string { return []string{m.Name + "_x", m.Name + "_y", m.Name + "_z"} }

// finalizeMarkers checks the markers and their unique names and completes their offsets.
func (r *Continuum) finalizeMarkers(c *checker) {
	first := map[string]string{}
	for i := range r.Markers {
		m, path := &r.Markers[i], item("markers", i)
		at := join(path, "at_m")
		if !c.has(at) {
			m.At = r.Rod.Length
		}
		c.onRod(at, m.At, r.length())
		for len(m.Offset) < 3 {
			m.Offset = append(m.Offset, 0)
		}
		r.checkMarkerName(c, m, path, first)
	}
}

func (r *Continuum) checkMarkerName(c *checker, m *Marker, path string, first map[string]string) {
	at := join(path, "name")
	if !c.ok(at) || !c.has(at) {
		return
	}
	c.name(at, m.Name, tendonName, "a letter or _, then letters, digits, _ - . up to 64 in all", path, first)
	for _, column := range m.Columns() {
		taken := slices.Contains(csvColumns, column) || slices.ContainsFunc(r.Tendons, func(t Tendon) bool { return t.Name == column })
		if taken && c.ok(at) {
			c.fail(at, Mistake{
				Problem: "defines the column " + column + " of CSVs, which has another meaning",
				Allowed: "anything but tip and names of tendons without " + strings.Join([]string{"_x", "_y", "_z"}, ", "),
			})
		}
	}
}
