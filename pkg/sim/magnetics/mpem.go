package magnetics

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	yaml "go.yaml.in/yaml/v3"

	"sinew/pkg/sim/spatial"
)

// offsetName is the entry of Coil_List that is no coil but the field without current.
const offsetName = "Offset"

// mpemFile is the part of a calibration file that every file has.
type mpemFile struct {
	CoilList  yaml.Node            `yaml:"Coil_List"`
	Workspace yaml.Node            `yaml:"Workspace_Dimensions"`
	Rest      map[string]yaml.Node `yaml:",inline"`
	name      string
}

// at puts file and line of a node before an error.
func (f *mpemFile) at(n *yaml.Node, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s:%d: %w", f.name, n.Line, err)
}

// checkNumbers refuses null in lists, which YAML writes as ~ or as nothing and a decoder of numbers takes
// for 0.
func (f *mpemFile) checkNumbers(n *yaml.Node) error {
	var errs []error
	for _, c := range n.Content {
		if n.Kind == yaml.SequenceNode && c.ShortTag() == "!!null" {
			errs = append(errs, f.at(c, fmt.Errorf("%q in a list is no number; expected: a finite number", c.Value)))
		}
		errs = append(errs, f.checkNumbers(c))
	}
	return errors.Join(errs...)
}

// mpemSource is one source of a coil.
type mpemSource struct {
	A         []float64 `yaml:"A_Coeff"`
	B         []float64 `yaml:"B_Coeff"`
	Direction []float64 `yaml:"Source_Direction"`
	Position  []float64 `yaml:"Source_Position"`
}

// ParseMPEM reads the YAML calibration of a coil system as ETH Zurich's magnetic
// manipulation software keeps it: Coil_List names the coils; each has a Source_List
// and, per source, Source_Position (m), Source_Direction, and A_Coeff and B_Coeff, the
// coefficients A_1 A_2 … and B_1 B_2 … of Coils. An entry named Offset is the field
// without current. name stands in error messages; all mistakes come back at once.
func ParseMPEM(name string, data []byte) (*Coils, error) {
	f := mpemFile{name: name}
	if err := yaml.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var coils []string
	if err := f.CoilList.Decode(&coils); err != nil {
		return nil, f.at(&f.CoilList, fmt.Errorf("Coil_List: %w", err))
	}
	if len(coils) == 0 {
		return nil, fmt.Errorf("%s: Coil_List is missing or empty; this is no MPEM calibration", name)
	}
	c := &Coils{Lower: spatial.Vec{X: 1}}
	errs := []error{f.at(&f.Workspace, c.workspace(&f.Workspace)), f.checkNumbers(&f.Workspace)}
	for _, key := range slices.Sorted(maps.Keys(f.Rest)) {
		node := f.Rest[key]
		errs = append(errs, f.checkNumbers(&node))
	}
	if _, ok := f.Rest[offsetName]; ok && !slices.Contains(coils, offsetName) {
		coils = append(coils, offsetName)
	}
	for i, coil := range coils {
		if slices.Contains(coils[:i], coil) {
			errs = append(errs, f.at(&f.CoilList, fmt.Errorf("Coil_List names %s twice", coil)))
			continue
		}
		sources, err := f.coil(coil)
		errs = append(errs, err)
		if coil == offsetName {
			c.offset = sources
			continue
		}
		c.names = append(c.names, coil)
		c.coils = append(c.coils, sources)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return c, nil
}

// workspace takes [[xmin, xmax], [ymin, ymax], [zmin, zmax]].
func (c *Coils) workspace(n *yaml.Node) error {
	if n.IsZero() {
		return nil
	}
	var w [][]float64
	if err := n.Decode(&w); err != nil {
		return fmt.Errorf("Workspace_Dimensions: %w", err)
	}
	ok := len(w) == 3
	for _, side := range w {
		ok = ok && len(side) == 2 && side[0] <= side[1]
	}
	if !ok {
		return fmt.Errorf("Workspace_Dimensions = %v, must be [[xmin, xmax], [ymin, ymax], [zmin, zmax]] in m", w)
	}
	const largest = 2.0 // m
	for k, side := range w {
		if side[1]-side[0] > largest {
			return fmt.Errorf("Workspace_Dimensions span %g m along %s, allowed: up to %g m; are they in mm?", side[1]-side[0], "xyz"[k:k+1], largest)
		}
	}
	c.Lower = spatial.Vec{X: w[0][0], Y: w[1][0], Z: w[2][0]}
	c.Upper = spatial.Vec{X: w[0][1], Y: w[1][1], Z: w[2][1]}
	return nil
}

// coil reads the sources of one coil.
func (f *mpemFile) coil(name string) ([]multipole, error) {
	node, ok := f.Rest[name]
	if !ok {
		return nil, f.at(&f.CoilList, fmt.Errorf("%s is in Coil_List but not in the file", name))
	}
	var body struct {
		List []string             `yaml:"Source_List"`
		Rest map[string]yaml.Node `yaml:",inline"`
	}
	if err := node.Decode(&body); err != nil {
		return nil, f.at(&node, fmt.Errorf("%s: %w", name, err))
	}
	if len(body.List) == 0 {
		return nil, f.at(&node, fmt.Errorf("%s: Source_List is missing or empty", name))
	}
	var sources []multipole
	var errs []error
	for _, s := range body.List {
		source, ok := body.Rest[s]
		if !ok {
			errs = append(errs, f.at(&node, fmt.Errorf("%s: source %s is in Source_List but not in the file", name, s)))
			continue
		}
		m, err := newMultipole(&source)
		if err != nil {
			errs = append(errs, f.at(&source, fmt.Errorf("%s, %s: %w", name, s, err)))
		}
		sources = append(sources, m)
	}
	return sources, errors.Join(errs...)
}

// farthestSource is how far from the origin the poles of a coil may be, m.
const farthestSource = 10.0

// maxDegree bounds the expansion; published calibrations stop at 3.
const maxDegree = 20

// newMultipole checks one source.
func newMultipole(node *yaml.Node) (m multipole, err error) {
	var s mpemSource
	if err := node.Decode(&s); err != nil {
		return m, err
	}
	for _, v := range []struct {
		key string
		v   []float64
		dst *spatial.Vec
	}{{"Source_Position", s.Position, &m.position}, {"Source_Direction", s.Direction, &m.direction}} {
		if len(v.v) != 3 || !spatial.AllFinite(v.v) {
			return m, fmt.Errorf("%s = %v, must be 3 finite numbers", v.key, v.v)
		}
		*v.dst = spatial.Vec{X: v.v[0], Y: v.v[1], Z: v.v[2]}
	}
	if m.direction = m.direction.Unit(); !m.direction.IsFinite() {
		return m, fmt.Errorf("Source_Direction = %v has no direction", s.Direction)
	}
	switch {
	case !spatial.AllFinite(s.A) || !spatial.AllFinite(s.B):
		return m, fmt.Errorf("A_Coeff = %v, B_Coeff = %v, must be finite", s.A, s.B)
	case len(s.A)+len(s.B) == 0:
		return m, errors.New("neither A_Coeff nor B_Coeff")
	case len(s.B) > 0 && m.position.Norm() > farthestSource:
		return m, fmt.Errorf("Source_Position = %v is %.4g m away, allowed: up to %g m; is it in mm?", s.Position, m.position.Norm(), farthestSource)
	case len(s.A) > maxDegree || len(s.B) > maxDegree:
		return m, fmt.Errorf("%d coefficients, at most %d", max(len(s.A), len(s.B)), maxDegree)
	}
	for i, a := range s.A {
		m.terms = append(m.terms, term{n: i + 1, power: i + 1, c: a})
	}
	for i, b := range s.B {
		m.terms = append(m.terms, term{n: i + 1, power: -i - 2, c: b})
	}
	return m, nil
}
