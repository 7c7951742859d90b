package magnetics

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Headers of field maps that finite-element programs export.
var (
	operaSizes   = regexp.MustCompile(`^\s*\d+\s+\d+\s+\d+(\s+\d+)?\s*$`)
	operaColumn  = regexp.MustCompile(`^\s*\d+\s+(\w+)\s*(?:\[(\w+)\])?\s*$`)
	maxwellGrid  = regexp.MustCompile(`^Grid Output Min: \[\s*(-?[0-9.eE+-]+?)\s*(m|cm|mm|um)?[\s\]]`)
	maxwellNames = regexp.MustCompile(`^X, Y, Z, Vector data "(.*)"`)
	operaUnits   = map[string]string{"MM": "mm", "CM": "cm", "M": "m", "METRE": "m", "MICRON": "um", "GAUSS": "G", "TESLA": "T", "": ""}
)

// withNames returns a map of Opera or Maxwell with its header as a line of names of columns, and other files as they are. Lines keep
// their numbers.
func withNames(name string, data []byte) ([]byte, error) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	switch {
	case len(lines) > 4 && operaSizes.Match(bytes.TrimRight(lines[0], "\r\n")) && operaColumn.Match(bytes.TrimRight(lines[1], "\r\n")):
		return operaNames(name, lines)
	case len(lines) > 4 && bytes.HasPrefix(lines[0], []byte("Grid Output Min:")):
		return maxwellHeader(name, lines)
	}
	return data, nil
}

// headed joins names of columns and the rows below a header of some lines.
func headed(names []string, lines [][]byte, header int) []byte {
	text := strings.Join(names, "\t") + strings.Repeat("\n", header)
	for _, line := range lines[header:] {
		if cells := bytes.Fields(line); len(cells) > 0 {
			text += string(bytes.Join(cells, []byte("\t")))
		}
		text += "\n"
	}
	return []byte(text)
}

// operaNames reads the header of a table of Opera: the sizes of the grid, a line with the number, name and unit of each column, and 0.
func operaNames(name string, lines [][]byte) ([]byte, error) {
	var names []string
	for i, line := range lines[1:] {
		text := strings.TrimSpace(string(line))
		if text == "0" {
			return headed(names, lines, i+2), nil
		}
		m := operaColumn.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("%s:%d: a table of Opera with %q in its header; allowed: the number, name and unit of a column, as in 4 BX [GAUSS], and 0 behind the last", name, i+2, text)
		}
		unit, known := operaUnits[strings.ToUpper(m[2])]
		if !known {
			return nil, fmt.Errorf("%s:%d: a table of Opera with the unit %s; allowed: MM, CM, M, MICRON of lengths, and TESLA, GAUSS of fields", name, i+2, m[2])
		}
		column := m[1]
		if unit != "" {
			column += " [" + unit + "]"
		}
		names = append(names, column)
	}
	return nil, fmt.Errorf("%s: a table of Opera without the line 0 that ends its header; export it again", name)
}

// maxwellHeader reads the header of a field that Ansys Maxwell exports on a grid. The first point, which is that of the header, says
// whether points are in m or in the unit of the header.
func maxwellHeader(name string, lines [][]byte) ([]byte, error) {
	grid, field := maxwellGrid.FindSubmatch(lines[0]), maxwellNames.FindSubmatch(lines[1])
	switch {
	case field == nil:
		return nil, fmt.Errorf("%s:2: an export of Ansys Maxwell without X, Y, Z and vector data; export the vector B on a Cartesian grid, with its points", name)
	case !strings.HasPrefix(string(field[1]), "B") && !strings.Contains(string(field[1]), "<B"):
		return nil, fmt.Errorf("%s:2: an export of Ansys Maxwell of %q; export the vector B, in T", name, field[1])
	}
	unit := ""
	if cells := bytes.Fields(lines[2]); grid != nil && len(cells) == 6 {
		x, _ := strconv.ParseFloat(string(cells[0]), 64)
		least, _ := strconv.ParseFloat(string(grid[1]), 64)
		for _, u := range []string{"m", string(grid[2])} {
			const close = 1e-6 // of numbers that are printed
			if math.Abs(x*lengthUnits[u]-least*lengthUnits[string(grid[2])]) <= close*math.Abs(least)*lengthUnits[string(grid[2])] && least != 0 {
				unit = u
			}
		}
	}
	if unit == "" {
		return nil, fmt.Errorf("%s:3: an export of Ansys Maxwell whose first point is not the least one of the grid in line 1, so that the unit of its points is not certain; write a line x [mm],y [mm],z [mm],Bx,By,Bz with their unit in place of the first two", name)
	}
	u := " [" + unit + "]"
	return headed([]string{"x" + u, "y" + u, "z" + u, "Bx", "By", "Bz"}, lines, 2), nil
}

// currentInComment matches a current in a comment, as in I = 5 A or current: 500 mA.
var currentInComment = regexp.MustCompile(`(?i)\b(?:i|currents?|coil[ _]current)\s*(?:=|:|of|was|is|at)?\s*([-+]?[0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)\s*(mA|A|amps?|amperes?)\b`)

// checkComment refuses a comment with a current other than 1 A above fields whose unit is not per ampere: whether they are those of that
// current is not certain.
func checkComment(file string, line int, text string, names []mapColumn) error {
	m := currentInComment.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	amperes, _ := strconv.ParseFloat(m[1], 64)
	if strings.EqualFold(m[2], "mA") {
		amperes /= 1000
	}
	perAmpere := false
	for i := range names {
		perAmpere = perAmpere || strings.Contains(names[i].name, "/A") || strings.Contains(names[i].name, "per_A") || strings.Contains(names[i].name, "per A")
	}
	if amperes == 1 || perAmpere {
		return nil
	}
	return fmt.Errorf("%s:%d: field map: the comment says %q, and fields are in T per A: divide them by %g and name the columns as in Bx (T/A); a unit with /A also says that they are divided already", file, line, strings.TrimSpace(m[0]), amperes)
}
