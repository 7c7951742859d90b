package magnetics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// ParseCoils reads the calibration of a coil system: that of the multipole model, as ParseMPEM, or a map of
// the field of each coil at the points of a grid, as text in columns (CSV, COMSOL), JSON or YAML. Models of other
// kinds are named in the error. name stands in error messages.
func ParseCoils(name string, data []byte) (*Coils, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if model := binaryModel(data); model != "" {
		return nil, fmt.Errorf("%s: is %s, which is not read; %s", name, model, modelCure)
	}
	data, err := withNames(name, data)
	if err != nil {
		return nil, err
	}
	if isColumns(data) {
		columns, err := readColumns(name, data)
		if err != nil {
			return nil, err
		}
		return newFieldMap(name, columns)
	}
	var top map[string]yaml.Node
	if yaml.Unmarshal(data, &top) != nil || len(top) == 0 {
		var rows []map[string]yaml.Node
		if yaml.Unmarshal(data, &rows) == nil && len(rows) > 0 {
			return parseTree(name, data)
		}
		return noCalibration(name, data)
	}
	if _, mpem := top["Coil_List"]; mpem {
		return ParseMPEM(name, data)
	}
	if model := textModel(top); model != "" {
		return nil, fmt.Errorf("%s: is %s, which is not read; %s", name, model, modelCure)
	}
	for key := range top {
		if position.MatchString(key) || slices.Contains([]string{"grid", "field", "vfield", "coils", "points", "positions", "data"}, strings.ToLower(key)) {
			return parseTree(name, data)
		}
	}
	return noCalibration(name, data)
}

// noCalibration returns the error of data that are neither a calibration nor a map.
func noCalibration(name string, data []byte) (*Coils, error) {
	c, err := ParseMPEM(name, data)
	if err != nil {
		err = fmt.Errorf("%w; nor is it a map of fields: %s", err, mapCure)
	}
	return c, err
}

// mapCure says what a map is.
const mapCure = "that has columns x, y, z and NAME_Bx, NAME_By, NAME_Bz of each coil"

// modelCure says what to do with a model that is not read.
const modelCure = "evaluate it at 1 A in each coil on a grid, and give a map with columns x, y, z and NAME_Bx, NAME_By, NAME_Bz for each coil; or fit an MPEM calibration"

// binaryModel names a binary file of data, empty if it is text.
func binaryModel(data []byte) string {
	for _, f := range []struct{ begin, name string }{
		{"MATLAB 5.0", "a file of MATLAB"}, {"\x89HDF\r\n", "a file of HDF5 or MATLAB"}, {"\x93NUMPY", "an array of NumPy"},
		{"PK\x03\x04", "a ZIP archive, as of NumPy, PyTorch or a spreadsheet"}, {"\x80\x03", "a pickle of Python"}, {"\x80\x04", "a pickle of Python"}, {"\x80\x05", "a pickle of Python"},
		{"# vtk DataFile", "a file of VTK"}, {"<VTKFile", "a file of VTK"}, {"<?xml", "XML"}, {"\x1f\x8b", "compressed by gzip"},
	} {
		if bytes.HasPrefix(data, []byte(f.begin)) {
			return f.name
		}
	}
	return ""
}

// textModel names a calibration of another kind by the keys and words of its top, empty for none that is known.
func textModel(top map[string]yaml.Node) string {
	words := ""
	for key, n := range top {
		words += " " + strings.ToLower(key)
		if n.Kind == yaml.ScalarNode && slices.Contains([]string{"type", "model", "model_type", "method", "name", "class", "kind"}, strings.ToLower(key)) {
			words += " " + strings.ToLower(n.Value)
		}
	}
	for _, m := range []struct {
		name  string
		words []string
	}{
		{"a model of radial basis functions (RBF)", []string{"rbf", "radial", "kernel", "gaussian"}},
		{"a model with saturation of cores", []string{"saturation", "saturate", "langevin", "tanh", "arctan", "hysteresis"}},
		{"a neural network", []string{"network", "layers", "weights", "neural", "mlp", "onnx"}},
		{"a model of Biot and Savart's law", []string{"biot", "turns", "windings", "filament"}},
		{"a model of dipoles", []string{"dipole"}},
		{"a model of Gaussian processes", []string{"gpr", "gaussian_process", "lengthscale", "length_scale"}},
		{"a model of spherical harmonics", []string{"harmonic", "legendre"}},
		{"a constant actuation matrix", []string{"actuation_matrix", "act_mat"}},
	} {
		for _, w := range m.words {
			if strings.Contains(words, w) {
				return m.name
			}
		}
	}
	return ""
}

// isColumns reports whether a file is text in columns: whether its first line that is no comment has several cells
// that are names or numbers, and no key.
func isColumns(data []byte) bool {
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if text == "" || isComment(text) {
			continue
		}
		cells := splitCells(text)
		const least = 5 // x, y, z and a part of a field
		return len(cells) >= least && !strings.ContainsAny(text[:1], "{[-") && !yamlKey.MatchString(text) || numbersAlone(cells)
	}
	return false
}

// yamlKey is the begin of a line of YAML.
var yamlKey = regexp.MustCompile(`^[^,;\t]*:(\s|$)`)

// numbersAlone reports whether a line is numbers, enough for a point with a field.
func numbersAlone(cells []string) bool {
	for _, c := range cells {
		if _, err := strconv.ParseFloat(c, 64); err != nil {
			return false
		}
	}
	return len(cells) >= 6
}

func isComment(line string) bool { return line[0] == '#' || line[0] == '%' }

// splitCells splits a line at commas, semicolons or tabs, or else at blanks. Blanks within brackets are
// of a unit.
func splitCells(line string) (cells []string) {
	for _, sep := range []string{";", "\t", ","} {
		if strings.Contains(line, sep) {
			for _, c := range strings.Split(line, sep) {
				cells = append(cells, strings.Trim(strings.TrimSpace(c), `"'`))
			}
			return cells
		}
	}
	for _, c := range strings.Fields(line) {
		if n := len(cells); n > 0 && (c[0] == '(' || c[0] == '[') {
			cells[n-1] += c
			continue
		}
		cells = append(cells, c)
	}
	return cells
}

// readColumns reads text in columns. Their names are in the first line, or in the last comment before the
// first numbers, as COMSOL writes them.
func readColumns(name string, data []byte) ([]mapColumn, error) {
	var all []mapColumn
	var lines []int
	var names []string
	lengthUnit := "" // as COMSOL writes it
	number := 0
	comments := map[int]string{} // by line
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimSpace(string(line))
		switch {
		case text == "" || strings.Trim(text, "-") == "": // a rule below names, as of CST
			continue
		case isComment(text):
			comments[number] = text
			if _, unit, ok := strings.Cut(text, "Length unit:"); ok {
				lengthUnit = strings.TrimSpace(unit)
			} else if all == nil {
				names = splitCells(strings.TrimLeft(text, "#% \t"))
			}
			continue
		}
		cells := splitCells(text)
		if all == nil {
			if _, err := strconv.ParseFloat(cells[0], 64); err != nil {
				names, cells = cells, nil
			}
			if cells != nil && len(names) != len(cells) {
				return nil, fmt.Errorf("%s:%d: field map: there are no names of columns; write a line of names before the numbers, as in x,y,z,c1_Bx,c1_By,c1_Bz", name, number)
			}
			for _, n := range names {
				if lengthUnit != "" && position.MatchString(n) {
					n += " [" + lengthUnit + "]"
				}
				all = append(all, mapColumn{name: n, place: func(i int) string { return fmt.Sprintf("%s:%d", name, lines[i]) }})
			}
			if cells == nil {
				continue
			}
		}
		if len(cells) != len(all) {
			return nil, fmt.Errorf("%s:%d: field map: %d cells under %d names", name, number, len(cells), len(all))
		}
		for k, c := range cells {
			x, err := strconv.ParseFloat(c, 64)
			if err != nil && strings.ContainsAny(text, ";\t") { // between which a comma is the decimal sign
				x, err = strconv.ParseFloat(strings.Replace(c, ",", ".", 1), 64)
			}
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return nil, fmt.Errorf("%s:%d: field map: %s = %.20q is not a number", name, number, all[k].name, c)
			}
			all[k].values = append(all[k].values, x)
		}
		lines = append(lines, number)
	}
	for _, line := range slices.Sorted(maps.Keys(comments)) {
		if err := checkComment(name, line, comments[line], all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// parseTree reads a map in JSON or YAML: lists of numbers under the names of columns, below the names of coils, or a list of
// points.
func parseTree(name string, data []byte) (*Coils, error) {
	var tree any
	if json.Unmarshal(data, &tree) != nil { // YAML takes JSON too, ten times slower
		if err := yaml.Unmarshal(data, &tree); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	b := treeColumns{file: name, number: map[string]int{}}
	if err := b.add("", tree, 0); err != nil {
		return nil, fmt.Errorf("%s: field map: %w", name, err)
	}
	return newFieldMap(name, b.all)
}

// treeColumns collects the columns of a tree.
type treeColumns struct {
	file   string
	all    []mapColumn
	number map[string]int // of a column by its name
}

// append adds values to a column.
func (b *treeColumns) append(name string, values ...float64) {
	k, known := b.number[name]
	if !known {
		k = len(b.all)
		b.number[name] = k
		b.all = append(b.all, mapColumn{name: name, place: func(i int) string { return fmt.Sprintf("%s: value %d of %s", b.file, i+1, name) }})
	}
	b.all[k].values = append(b.all[k].values, values...)
}

// containers are keys that group columns without being the name of a coil.
var containers = []string{"grid", "field", "fields", "vfield", "coils", "points", "positions", "position", "data", "values", "map", "axes", "b"}

// add adds the columns of a value below a path of names.
func (b *treeColumns) add(path string, v any, depth int) error {
	const most = 8
	if depth > most {
		return fmt.Errorf("%s is nested deeper than %d", path, most)
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			below := k
			switch {
			case slices.Contains(containers, strings.ToLower(k)) && !isNumbers(v[k]):
				below = path
			case path != "":
				below = path + "_" + k
			}
			if err := b.add(below, v[k], depth+1); err != nil {
				return err
			}
		}
	case []any:
		if !isNumbers(v) { // a list of points, or of coils
			for _, e := range v {
				entry, ok := e.(map[string]any)
				if !ok {
					return fmt.Errorf("%s must be a list of numbers or of mappings", path)
				}
				below := path
				if coil, named := entry["name"].(string); named {
					below = coil
				}
				if err := b.add(below, entry, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		var values []float64
		flatten(v, &values)
		b.append(path, values...)
	default:
		if x, ok := number(v); ok {
			b.append(path, x)
		}
	}
	return nil
}

// isNumbers reports whether a value is a list of numbers, nested at will.
func isNumbers(v any) bool {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	if _, ok := list[0].([]any); ok {
		return isNumbers(list[0])
	}
	_, ok = number(list[0])
	return ok
}

// flatten appends the numbers of nested lists, NaN for what is none.
func flatten(v any, to *[]float64) {
	if list, ok := v.([]any); ok {
		for _, e := range list {
			flatten(e, to)
		}
		return
	}
	x, ok := number(v)
	if !ok {
		x = math.NaN()
	}
	*to = append(*to, x)
}

func number(v any) (x float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}
