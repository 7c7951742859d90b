package magnetics

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// mapColumn is numbers of a field map under a name, one for each point, or for each plane of points.
type mapColumn struct {
	name   string
	values []float64
	place  func(i int) string // of a value in the file
}

// maxMapPoints bounds the points of a grid.
const maxMapPoints = 4_000_000

// Names of columns of a map: a position, and a component of the field of a coil, whose name or number is before
// or after it.
var (
	unitInName = regexp.MustCompile(`^(.*?)[ _]*[\[(]([^\])]*)[\])]$`)
	unitAtEnd  = regexp.MustCompile(`^(.*[A-Za-z0-9])_(mm|cm|um|m|mT|uT|T|G|mT_per_A|uT_per_A|T_per_A|G_per_A)$`)
	position   = regexp.MustCompile(`^(?i:pos(?:ition)?[_ .]*)?([xyzXYZ])$`)
	component  = regexp.MustCompile(`^(?:(.*?)[_ .:/-]*)?[bB][_ ]?([xyzXYZ])(?:[_ .:/-]*(.*))?$`)
	derived    = regexp.MustCompile(`^(?i:grad|d[xyz]|std|sd|sigma|var|err|error|unc)$`) // beside it, a gradient or an uncertainty
	numbered   = regexp.MustCompile(`^[bB][_ ]?(\d+)[_ ]?([xyzXYZ])$`)
)

// lengthUnits are in m, fieldUnits in T; both also per ampere.
var (
	lengthUnits = map[string]float64{"": 1, "m": 1, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6}
	fieldUnits  = map[string]float64{"": 1, "T": 1, "mT": 1e-3, "uT": 1e-6, "µT": 1e-6, "Vs/m^2": 1, "V.s/m^2": 1, "Wb/m^2": 1, "G": 1e-4, "Gs": 1e-4, "Gauss": 1e-4}
)

// unitOf splits a name of a column into what it names and the unit.
func unitOf(name string) (what, unit string) {
	name = strings.TrimSpace(name)
	if m := unitInName.FindStringSubmatch(name); m != nil {
		return strings.TrimSpace(m[1]), perAmpere(m[2])
	}
	if m := unitAtEnd.FindStringSubmatch(name); m != nil {
		return m[1], perAmpere(m[2])
	}
	return name, ""
}

// perAmpere removes "per A" of a unit, which fields of coils always are.
func perAmpere(unit string) string {
	unit = strings.TrimSpace(unit)
	for _, end := range []string{"/A", "_per_A", " per A", " A^-1"} {
		unit = strings.TrimSuffix(unit, end)
	}
	return unit
}

// Indices of the columns of a coil.
type coilColumns struct {
	name   string
	number [3]int // of the components among the columns, −1: none
}

// newFieldMap makes coils of the columns of a map.
func newFieldMap(name string, all []mapColumn) (*Coils, error) {
	fail := func(format string, args ...any) (*Coils, error) {
		return nil, fmt.Errorf("%s: field map: %s", name, fmt.Sprintf(format, args...))
	}
	positions, coils, err := sortColumns(all)
	if err != nil {
		return fail("%v", err)
	}
	m := &fieldMap{}
	n := len(all[coils[0].number[0]].values)
	order, err := m.grid(positions, n)
	if err != nil {
		return fail("%v", err)
	}
	c := &Coils{}
	c.Lower, c.Upper = m.box()
	for i := range coils {
		values, err := coilValues(&coils[i], all, order)
		if err != nil {
			return fail("%v", err)
		}
		what := "coil " + coils[i].name
		if !strings.EqualFold(coils[i].name, offsetName) {
			c.names = append(c.names, coils[i].name)
			m.values = append(m.values, values)
		} else {
			m.offset, what = values, "the field without current"
		}
		if err := m.check(what, values); err != nil {
			return fail("%v", err)
		}
	}
	if len(c.names) == 0 {
		return fail("there is no coil beside the field without current; name its columns Bx, By, Bz")
	}
	c.grid = m
	c.coils = make([][]multipole, len(c.names))
	return c, nil
}

// check refuses fields of a coil that are in another unit, or no magnetic field.
func (m *fieldMap) check(what string, values []spatial.Vec) error {
	strongest := 0.0
	for _, b := range values {
		strongest = max(strongest, b.Norm())
	}
	if strongest > MaxField {
		return fmt.Errorf("%s: the field reaches %.4g T/A, allowed: at most %g T/A; the unit is tesla per ampere: write it behind the name of the column, as in Bx_mT, or divide by the current of the measurement", what, strongest, MaxField)
	}
	const most = 0.5 // noise and coarse grids are below
	if ofGradient, ofField := m.curlShare(values); ofGradient > most && ofField > most {
		return fmt.Errorf("%s: %.0f %% of the derivatives are curl and divergence, which the field of a coil does not have where no current flows; %s", what, 100*ofGradient, cmp.Or(m.exchanged(values, ofGradient), "are columns exchanged, or is the grid too coarse?"))
	} else if cure := m.exchanged(values, ofGradient); ofGradient > suspicious && cure != "" {
		return fmt.Errorf("%s: %.0f %% of the derivatives are curl and divergence, which the field of a coil does not have where no current flows; %s", what, 100*ofGradient, cure)
	}
	return nil
}

// suspicious is the share of curl and divergence above which other orders of the columns are tried, and clearer is how many times less
// the right one has.
const (
	suspicious = 0.1
	clearer    = 5
)

// exchanged says which components are exchanged: those of another order with which curl and divergence, which have this share, nearly
// vanish. It is empty where no order is that much better.
func (m *fieldMap) exchanged(values []spatial.Vec, share float64) string {
	const names = "xyz"
	best, order := share/clearer, [3]int{}
	other := make([]spatial.Vec, len(values))
	for _, p := range [...][3]int{{1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}} {
		for i, b := range values {
			c := [3]float64{b.X, b.Y, b.Z}
			other[i] = spatial.Vec{X: c[p[0]], Y: c[p[1]], Z: c[p[2]]}
		}
		if s, _ := m.curlShare(other); s < best {
			best, order = s, p
		}
	}
	if order == ([3]int{}) {
		return ""
	}
	var columns []string
	for k, from := range order {
		if from != k {
			columns = append(columns, fmt.Sprintf("B%c is B%c", names[from], names[k]))
		}
	}
	return fmt.Sprintf("columns are exchanged: with %.2g %% the one called %s", 100*best, strings.Join(columns, ", the one called "))
}

// currentColumn matches the name of a column of the currents at which a map was measured.
var currentColumn = regexp.MustCompile(`(?i)^(i|current|amps?|amperes?|coil_current)(_?\d+)?([ _]*[([]?m?A[)\]]?)?$`)

// sortColumns finds the positions, in m, and the columns of each coil.
func sortColumns(all []mapColumn) (positions [3]*mapColumn, coils []coilColumns, err error) {
	var unknown []string
	for i := range all {
		c := &all[i]
		what, unit := unitOf(c.name)
		if p := position.FindStringSubmatch(what); p != nil {
			k := strings.Index("xyz", strings.ToLower(p[1]))
			scale, known := lengthUnits[unit]
			switch {
			case positions[k] != nil:
				return positions, nil, fmt.Errorf("columns %s and %s are both %s", positions[k].name, c.name, strings.ToLower(p[1]))
			case !known:
				return positions, nil, fmt.Errorf("the unit of column %s is not known; allowed: m, cm, mm, um", c.name)
			}
			positions[k] = c.scaled(scale)
			continue
		}
		coil, axis := componentOf(what)
		scale, known := fieldUnits[unit]
		switch {
		case axis < 0 && currentColumn.MatchString(what):
			return positions, nil, fmt.Errorf("column %s is a current: fields are in T per A; divide them by it and leave the column out", c.name)
		case axis < 0:
			unknown = append(unknown, c.name)
			continue
		case !known:
			return positions, nil, fmt.Errorf("the unit of column %s is not known; allowed: T, mT, uT, G, each also per A", c.name)
		}
		k := slices.IndexFunc(coils, func(c coilColumns) bool { return c.name == coil })
		if k < 0 {
			k = len(coils)
			coils = append(coils, coilColumns{coil, [3]int{-1, -1, -1}})
		}
		if other := coils[k].number[axis]; other >= 0 {
			return positions, nil, fmt.Errorf("columns %s and %s are the same component of coil %s", all[other].name, c.name, coil)
		}
		coils[k].number[axis] = i
		all[i] = *c.scaled(scale)
	}
	return positions, coils, missing(positions, coils, unknown)
}

// missing refuses a map that lacks columns.
func missing(positions [3]*mapColumn, coils []coilColumns, unknown []string) error {
	var lacks []string
	for k, p := range positions {
		if p == nil {
			lacks = append(lacks, "xyz"[k:k+1])
		}
	}
	for i := range coils {
		for k, n := range coils[i].number {
			if n < 0 {
				lacks = append(lacks, fmt.Sprintf("B%s of coil %s", "xyz"[k:k+1], coils[i].name))
			}
		}
	}
	if len(coils) == 0 {
		lacks = append(lacks, "Bx, By, Bz")
	}
	if len(lacks) == 0 {
		return nil
	}
	text := fmt.Sprintf("columns are missing: %s; a map has x, y, z and for each coil NAME_Bx, NAME_By, NAME_Bz in T/A, with other units as in x_mm, Bx_mT", strings.Join(lacks, ", "))
	if len(unknown) > 0 {
		const most = 5
		text += "; not known: " + strings.Join(unknown[:min(len(unknown), most)], ", ")
	}
	return errors.New(text)
}

// componentOf returns the coil and the axis of a component of the field, −1 for another column. A coil
// without a name is Coil_0.
func componentOf(what string) (coil string, axis int) {
	if m := numbered.FindStringSubmatch(what); m != nil {
		return "Coil_" + m[1], strings.Index("xyz", strings.ToLower(m[2]))
	}
	m := component.FindStringSubmatch(what)
	if m == nil || derived.MatchString(m[1]) || derived.MatchString(m[3]) {
		return "", -1
	}
	coil = m[1] + m[3]
	switch {
	case coil == "":
		coil = "Coil_0"
	case strings.Trim(coil, "0123456789") == "":
		coil = "Coil_" + coil
	}
	return coil, strings.Index("xyz", strings.ToLower(m[2]))
}

// scaled returns the column with values in another unit.
func (c *mapColumn) scaled(by float64) *mapColumn {
	if by == 1 {
		return c
	}
	s := *c
	s.values = slices.Clone(c.values)
	for i := range s.values {
		s.values[i] *= by
	}
	return &s
}

// grid sets the axes of the points, and returns for each point of the grid the number of its row. Columns of
// positions have a number for each of the n rows, or are the axes, with z the fastest.
func (m *fieldMap) grid(positions [3]*mapColumn, n int) (order []int32, err error) {
	const farthest, largest = 10, 1.0 // m, from the origin and from side to side
	size := [3]int{}
	for k, c := range positions {
		for i, x := range c.values {
			if !spatial.IsFinite(x) {
				return nil, fmt.Errorf("%s: %s is %g; it must be finite", c.place(i), c.name, x)
			}
			if math.Abs(x) > farthest {
				return nil, fmt.Errorf("%s: %s is %g m, allowed: up to %d m; are positions in mm? Write the unit behind the name, as in %s_mm", c.place(i), c.name, x, farthest, "xyz"[k:k+1])
			}
		}
		m.axes[k] = levels(c.values)
		if n := len(m.axes[k]); n > 0 && m.axes[k][n-1]-m.axes[k][0] > largest {
			return nil, fmt.Errorf("%s: %s spans %g m, allowed: up to %g m; are positions in mm? Write the unit behind the name, as in %s_mm", c.place(0), c.name, m.axes[k][n-1]-m.axes[k][0], largest, "xyz"[k:k+1])
		}
		size[k] = len(m.axes[k])
	}
	total := size[0] * size[1] * size[2]
	shape := fmt.Sprintf("%d × %d × %d", size[0], size[1], size[2])
	switch {
	case total == 0 || n == 0:
		return nil, errors.New("there are no points")
	case total > min(maxMapPoints, 8*n):
		return nil, fmt.Errorf("the %d points have %s different coordinates and are on no grid; interpolate measurements onto a grid first", n, shape)
	case total == max(size[0], size[1], size[2]):
		return nil, fmt.Errorf("the grid has %s points; at least two axes must have two or more", shape)
	}
	order = make([]int32, total)
	if axesOnly := len(positions[0].values)*len(positions[1].values)*len(positions[2].values) == n && len(positions[0].values) < n; axesOnly {
		for i := range order {
			order[i] = int32(i)
		}
		for k, c := range positions {
			if !slices.IsSorted(c.values) || len(c.values) != size[k] {
				return nil, fmt.Errorf("axis %s must ascend, without repeated values", c.name)
			}
		}
		return order, nil
	}
	for i := range order {
		order[i] = -1
	}
	for i := range n {
		at := 0
		for k, c := range positions {
			if len(c.values) != n {
				return nil, fmt.Errorf("%s has %d values and the field %d; positions are one for each point, or the axes of a grid", c.name, len(c.values), n)
			}
			at = at*size[k] + level(m.axes[k], c.values[i])
		}
		if order[at] >= 0 {
			return nil, fmt.Errorf("%s: the point (%g, %g, %g) m is there twice", positions[0].place(i), positions[0].values[i], positions[1].values[i], positions[2].values[i])
		}
		order[at] = int32(i)
	}
	if at := slices.Index(order, -1); at >= 0 {
		x, y, z := m.axes[0][at/(size[1]*size[2])], m.axes[1][at/size[2]%size[1]], m.axes[2][at%size[2]]
		return nil, fmt.Errorf("%d points are no full grid of %s: (%g, %g, %g) m is missing; interpolate measurements onto a grid first", n, shape, x, y, z)
	}
	return order, nil
}

// sameLevel is the part of the extent by which positions of one plane of points may differ.
const sameLevel = 1e-5

// levels returns the different values, ascending.
func levels(values []float64) (all []float64) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	if len(sorted) == 0 {
		return nil
	}
	same := sameLevel * (sorted[len(sorted)-1] - sorted[0])
	for _, x := range sorted {
		if len(all) == 0 || x-all[len(all)-1] > same {
			all = append(all, x)
		}
	}
	return all
}

// level returns the number of the value that is nearest to x.
func level(axis []float64, x float64) int {
	i, _ := slices.BinarySearch(axis, x)
	if i == len(axis) || i > 0 && x-axis[i-1] < axis[i]-x {
		i--
	}
	return i
}

// coilValues returns the field of a coil at the points of the grid, whose rows the order numbers.
func coilValues(coil *coilColumns, all []mapColumn, order []int32) ([]spatial.Vec, error) {
	var parts [3]*mapColumn
	for k, n := range coil.number {
		parts[k] = &all[n]
		if len(parts[k].values) != len(order) {
			return nil, fmt.Errorf("%s has %d values for %d points", parts[k].name, len(parts[k].values), len(order))
		}
	}
	values := make([]spatial.Vec, len(order))
	for at, row := range order {
		b := spatial.Vec{X: parts[0].values[row], Y: parts[1].values[row], Z: parts[2].values[row]}
		if !b.IsFinite() {
			return nil, fmt.Errorf("%s: the field of %s is (%g, %g, %g) T/A; it must be finite: fill the point from its neighbours", parts[0].place(int(row)), coil.name, b.X, b.Y, b.Z)
		}
		values[at] = b
	}
	return values, nil
}
