package identify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/trajectory"
)

const actuationPath = "hardware.tendons"

// actuation frees what each tendon of the hardware gets of a commanded tension.
func actuation(n fileNumbers, _ float64) (members []fit.Parameter, assign func([]float64) []assignment, reason string) {
	const most = 2 // gain, and its inverse the least
	names := n.itemNames(actuationPath)
	for _, name := range n.itemNames("tendons") {
		if !slices.Contains(names, name) && !n.driven(name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil, nil, "the robot has no tendons that are commanded by themselves; of those on motors free numbers of drives"
	}
	var items []string
	for i, name := range names {
		items = append(items, fmt.Sprintf("{name: %q}", name))
		gain, offset := fit.Parameter{Unit: "1", Start: 1, Log: true}, fit.Parameter{Unit: "N", Min: math.NaN(), Max: math.NaN()}
		for key, p := range map[string]*fit.Parameter{"gain": &gain, "offset_n": &offset} {
			if v, ok := n.at(actuationAt(i, key)); ok {
				p.Start = v
			}
			p.Name = "actuation." + name + "." + key
		}
		gain.Min, gain.Max = gain.Start/most, gain.Start*most
		members = append(members, gain, offset)
	}
	all := "[" + strings.Join(items, ", ") + "]"
	return members, func(x []float64) []assignment {
		a := []assignment{{actuationPath, all}} // the items, where the file has none
		for i := range names {
			a = append(a, assignment{actuationAt(i, "gain"), number(x[2*i])}, assignment{actuationAt(i, "offset_n"), number(x[2*i+1])})
		}
		return a
	}, ""
}

// driven reports whether a motor moves a tendon.
func (n fileNumbers) driven(tendon string) bool {
	return slices.ContainsFunc(n, func(m robotfile.Number) bool {
		item, _ := cutLast(m.Named)
		return strings.HasPrefix(m.Path, "drives.joints[") && strings.HasSuffix(item, ".tendons."+tendon)
	})
}

func actuationAt(i int, key string) string { return fmt.Sprintf("%s[%d].%s", actuationPath, i, key) }

// itemNames are the names of the items of a list that have numbers.
func (n fileNumbers) itemNames(list string) (names []string) {
	for _, m := range n {
		if rest, ok := strings.CutPrefix(m.Path, list+"["); ok {
			end := strings.Index(rest, "]")
			named := strings.TrimPrefix(m.Named, list+".")
			name := strings.TrimSuffix(named, strings.TrimPrefix(rest[end:], "]"))
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// drive is what the hardware makes of the commands: tensions with gain and offset.
type drive struct {
	port    int // −1: nothing is changed
	tendons []robotfile.TendonCalibration
	index   []int     // of the value of each tendon
	least   []float64 // least tensions by value of the port, N
	row     []float64
}

// newDrive finds the values of the tendons that a robot file names.
func newDrive(tendons []robotfile.TendonCalibration, ports []sim.Port) drive {
	d := drive{port: -1, tendons: tendons}
	columns := trajectory.NewTargets(ports)
	for i := range tendons {
		target, _ := columns.Of(tendons[i].Name)
		d.port, d.least = target.Port, ports[target.Port].Min
		d.index = append(d.index, target.Value)
	}
	return d
}

// command gives a port what the hardware makes of a command.
func (d *drive) command(in *sim.Inputs, port int, v []float64) {
	if port != d.port {
		in.Set(port, v)
		return
	}
	in.Set(port, d.calibrated(v))
}

// calibrated are the tensions of the hardware for commanded ones, within the least that the robot takes, N, until the next call.
func (d *drive) calibrated(v []float64) []float64 {
	d.row = append(d.row[:0], v...)
	for k, i := range d.index {
		if !sim.IsKeep(v[i]) {
			d.row[i] = max(d.least[i], d.tendons[k].Gain*v[i]+d.tendons[k].Offset)
		}
	}
	return d.row
}
