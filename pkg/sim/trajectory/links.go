package trajectory

import (
	"slices"
	"strings"
)

// linkColumns begin the names of the columns of a link of a mechanism after its name: the pose of a body, and that of the end of a rod.
var linkColumns = []string{".", "." + tipPrefix}

// takeLinks finds the poses of the links of a mechanism: NAME.x, …, NAME.qw of bodies and NAME.tip_x, …, NAME.tip_qw of rods. The one
// that is asked for is that of the tip, or the last rod, or the last body.
func (s *sheet) takeLinks() error {
	g, rods := s.grammar, 0
	for i := range g {
		for _, prefix := range linkColumns {
			name, ok := strings.CutSuffix(g[i].Header, prefix+axes[0])
			if !ok || name == "" || strings.Contains(name, ".") || g[i].Kind != Unused || !s.takeLink(name, name+prefix) {
				continue
			}
			if s.links = append(s.links, name); prefix != linkColumns[0] {
				s.links = slices.Insert(slices.Delete(s.links, len(s.links)-1, len(s.links)), rods, name)
				rods++
			}
		}
	}
	if len(s.links) == 0 {
		return nil
	}
	chosen := rods - 1
	if rods == 0 {
		chosen = len(s.links) - 1
	}
	if s.o.Body != "" {
		if chosen = slices.Index(s.links, s.o.Body); chosen < 0 {
			return s.HeaderError("there is no link %q; there are %s", s.o.Body, strings.Join(s.links, ", "))
		}
		s.named = true
	}
	s.links[0], s.links[chosen] = s.links[chosen], s.links[0]
	return nil
}

// takeLink takes the seven columns of the pose of a link, if all are there.
func (s *sheet) takeLink(name, prefix string) bool {
	at := make([]int, 0, len(axes)+len(quaternionColumns))
	for _, component := range slices.Concat(axes, quaternionColumns) {
		i := slices.IndexFunc(s.grammar, func(c Column) bool { return c.Kind == Unused && c.Header == prefix+component })
		if i < 0 {
			return false
		}
		at = append(at, i)
	}
	for k, i := range at {
		c := &s.grammar[i]
		if c.Name = name; k < len(axes) {
			c.Kind, c.Index = MarkerPoint, k
		} else {
			c.Kind, c.Index = MarkerRotation, k-len(axes)
		}
	}
	return true
}

// useLink makes the pose of the chosen link that of the tip.
func (s *sheet) useLink(t *Trajectory) {
	if len(s.links) > 0 && len(t.Tip.Pose) == 0 {
		t.UseLink(s.links[0])
	}
}

// UseLink makes the pose of a link of a mechanism that of the tip, and reports whether there is such a link.
func (t *Trajectory) UseLink(name string) bool {
	i := slices.IndexFunc(t.Markers, func(m Marker) bool { return m.Name == name })
	if i >= 0 {
		t.Tip, t.Link, t.Topic = t.Markers[i].clone(), name, t.Markers[i].Topic
	}
	return i >= 0
}
