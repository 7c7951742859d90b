package trajectory

import (
	"slices"
	"strings"
)

// notAfterComponent are words behind x, y and z that are no names of points: those of a position, which need no other name, and of
// inputs and actuators in three axes.
var notAfterComponent = append([]string{"in", "input", "out", "output", "coil", "coils", "pair", "motor", "axis", "joint", "tendon"}, positionKinds...)

// nameComponentFirst gives the columns of a point whose names begin with the component, x_tip and qx_tip, the names with the component
// at the end, where all components are there. Commands of the robot keep their names.
func (s *sheet) nameComponentFirst() {
	var targets *Targets
	if s.o.Robot != nil {
		t := NewTargets(s.o.Robot.Ports)
		targets = &t
	}
	type point struct{ position, rotation [4]int } // numbers of columns, from 1
	points := map[string]*point{}
	for i, c := range s.grammar {
		name, _ := wordsOf(c.Header)
		first, body, is := strings.Cut(name, "_")
		component, turned := strings.CutPrefix(first, "q")
		k := slices.Index(quaternionParts, component)
		if !is || k < 0 || k == len(axes) && !turned || slices.ContainsFunc(strings.Split(body, "_"), isNoPoint) {
			continue
		}
		if targets != nil {
			if _, isCommand := targets.Of(c.Header); isCommand {
				continue
			}
		}
		if points[body] == nil {
			points[body] = new(point)
		}
		if turned {
			points[body].rotation[k] = i + 1
		} else {
			points[body].position[k] = i + 1
		}
	}
	for body, p := range points {
		if !slices.Contains(p.position[:len(axes)], 0) {
			for k, axis := range axes {
				s.renamed(p.position[k]-1, body+"_"+axis)
			}
		}
		if !slices.Contains(p.rotation[:], 0) {
			for k, part := range quaternionColumns {
				s.renamed(p.rotation[k]-1, body+"_"+part)
			}
		}
	}
}

// isNoPoint reports whether a word of a name says that a vector is no point.
func isNoPoint(word string) bool {
	return slices.Contains(noPoints, word) || slices.Contains(notAfterComponent, word)
}

// commandedWords are words for points that are commanded, not measured.
var commandedWords = []string{"cmd", "command", "commanded", "des", "desired", "setpoint", "ref", "reference", "goal"}

// isCommanded reports whether the name of a point says that it was commanded.
func isCommanded(name string) bool {
	words, _ := wordsOf(name)
	return slices.ContainsFunc(strings.Split(words, "_"), func(word string) bool { return slices.Contains(commandedWords, word) })
}
