package offline

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Tables of mechanisms.
const (
	linksHeader  = "link,kind,s,x,y,z,qx,qy,qz,qw"
	jointsHeader = "joint,coordinate,value,fx,fy,fz,mx,my,mz"
	nameColumns  = 2 // columns before those of numbers
)

// writeLinks writes a row for each node of each rod, for each body and for the frame of each joint on its child.
func writeLinks(out io.Writer, m sim.Mechanism) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, linksHeader)
	var line []byte
	row := func(name, kind string, s *float64, g *spatial.Pose) {
		line = append(append(append(append(line[:0], name...), ','), kind...), ',')
		if s != nil {
			line = appendNumber(line, *s)
		}
		q := g.R.Quat()
		for _, v := range [...]float64{g.P.X, g.P.Y, g.P.Z, q.X, q.Y, q.Z, q.W} {
			line = appendNumber(append(line, ','), v)
		}
		_, _ = w.Write(append(line, '\n')) // Flush reports the first error
	}
	for _, l := range m.Links() {
		for i := range l.Poses {
			var s *float64
			if l.Kind == sim.RodLink {
				s = &l.ArcLengths[i]
			}
			row(l.Name, string(l.Kind), s, &l.Poses[i])
		}
	}
	for _, j := range m.Joints() {
		row(j.Name, "joint", nil, &j.Frame)
	}
	return w.Flush()
}

// writeJoints writes a row for each coordinate of each joint, or one of a joint without coordinates, with the reaction of the joint.
func writeJoints(out io.Writer, joints []sim.Joint) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, jointsHeader)
	var line []byte
	for _, j := range joints {
		for i := range max(1, len(j.Coordinates)) {
			line = append(append(line[:0], j.Name...), ',')
			if i < len(j.Coordinates) {
				line = appendNumber(append(append(line, j.CoordinateNames[i]...), ','), j.Coordinates[i])
			} else {
				line = append(line, ',')
			}
			f, m := &j.Reaction.Force, &j.Reaction.Moment
			for _, v := range [...]float64{f.X, f.Y, f.Z, m.X, m.Y, m.Z} {
				line = appendNumber(append(line, ','), v)
			}
			_, _ = w.Write(append(line, '\n'))
		}
	}
	return w.Flush()
}

// reactionSuffixes name the components of the reaction of a joint.
var reactionSuffixes = []string{".fx", ".fy", ".fz", ".mx", ".my", ".mz"}

// reactionSamples are the reactions of the joints of a mechanism, on their children and in world axes, and its energies.
func reactionSamples(m sim.Model) ([]program.Samples, error) {
	mechanism, ok := sim.As[sim.Mechanism](m)
	if !ok {
		return nil, exitcode.Usagef("--reactions: a robot with one rod has no joints; its base carries what base_fx and its neighbours say")
	}
	joints, ports := mechanism.Joints(), m.Ports()
	var all []program.Samples
	for i := range ports {
		if p := &ports[i]; p.Silent && p.Kind == sim.Wrench && strings.HasSuffix(p.Name, "/reaction") {
			s := program.Samples{Port: p.Name}
			for _, suffix := range reactionSuffixes {
				s.Columns = append(s.Columns, joints[len(all)].Name+suffix)
			}
			all = append(all, s)
		}
	}
	if i := slices.IndexFunc(ports, func(p sim.Port) bool { return p.Name == "energies" }); i >= 0 {
		all = append(all, program.Samples{Port: "energies", Columns: ports[i].Labels})
	}
	return all, nil
}
