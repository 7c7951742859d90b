package identify

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"sinew/pkg/sim/hil/fit"
)

// Group is a set of parameters that together decide about numbers of the robot
// file which are not parameters themselves.
type Group struct {
	Name, Doc string

	// make returns the members and how the robot file changes with all of them. If the group does
	// not apply to the file, it returns no members and the reason.
	make func(n fileNumbers, lengthM float64) (members []fit.Parameter, assign func(x []float64) []assignment, reason string)
}

// Groups lists the groups that can be freed.
func Groups() []Group { return slices.Clone(groups) }

var groups = []Group{
	{"base_pose", "small motion of the base in the world: x, y, z (m), rx, ry, rz (rad)", basePose},
	{"hardware_pose", "small motion, in the world, of the frame that the hardware is measured in: x, y, z (m), rx, ry, rz (rad)", hardwarePose},
	{"latency_s", "by how much the hardware is later than the simulation", latency},
	{"tendon_offsets", "each tendon's hole: radius_m and azimuth_rad", tendonOffsets},
	{"actuation", "what each tendon of the hardware gets of a commanded tension: gain, offset_n", actuation},
	{"moment", "magnitude of the magnetic moment, or of that or the magnetization of each magnet on a rod", moment},
	{"resistance", "factors of the measured resistance: trans, rot", resistance},
}

// groupOf is the group that a name or one of its members belongs to, or empty.
func groupOf(name string) string {
	first, _, _ := strings.Cut(dotted(name), ".")
	for i := range groups {
		if groups[i].Name == first {
			return first
		}
	}
	return ""
}

// means reports whether a name means a member; * in it stands for a part between dots.
func means(name, member string) bool {
	matched, err := path.Match(strings.ReplaceAll(dotted(name), ".", "/"), strings.ReplaceAll(member, ".", "/"))
	return err == nil && matched || member == dotted(name)
}

// choose frees the members of a group that are asked for; the others stay.
func (g *Group) choose(rs []request, n fileNumbers, lengthM float64) (Free, error) {
	members, assign, reason := g.make(n, lengthM)
	if members == nil {
		return Free{}, &RequestError{rs[0].index, fmt.Errorf("%s: %s", g.Name, reason)}
	}
	all := make([]float64, len(members))
	for i := range members {
		all[i] = members[i].Start
	}
	var f Free
	var index []int
	for _, r := range rs {
		found := false
		for i := range members {
			p := members[i]
			if !means(r.name, p.Name) && (r.name != g.Name || r.decides() && len(members) > 1) || slices.Contains(index, i) {
				continue
			}
			if err := r.apply(&p); err != nil {
				return Free{}, &RequestError{r.index, err}
			}
			found, index, f.Parameters = true, append(index, i), append(f.Parameters, p)
		}
		if !found {
			return Free{}, &RequestError{r.index, fmt.Errorf("%s: no such parameter, one that is freed already, or bounds for several at once, or a prior that is no share (+-10%%); %s has %s", r.name, g.Name, strings.Join(parameterNames(members), ", "))}
		}
	}
	f.assign = func(x []float64) []assignment {
		y := slices.Clone(all)
		for k, i := range index {
			y[i] = x[k]
		}
		return assign(y)
	}
	return f, nil
}
