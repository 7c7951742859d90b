package trajectory

import (
	"slices"
	"strings"

	"sinew/pkg/sim/table"
)

// layers recognises names of columns in several lines, of bodies above those of coordinates, as pandas and DeepLabCut write them: at
// least one line has a name several times. The name of a column is that of its body and of what is below. first is the line of the first
// row.
func layers(t *table.Text, first int) (*export, error) {
	begin := first
	for begin > 0 && !t.Lines[begin-1].Comment && len(t.Lines[begin-1].Cells) == len(t.Lines[first].Cells) {
		begin--
	}
	var lines [][]string
	index, repeated := "", false // the name of the first column
	for i := begin; i < first; i++ {
		cells := t.Lines[i].Cells
		index = cellOf(cells, 0)
		rest := slices.DeleteFunc(slices.Clone(cells[1:]), func(cell string) bool { return cell == "" })
		switch {
		case isUnits(&t.Lines[i]):
			return nil, nil
		case len(rest) == 0: // the name of the first column alone
			continue
		}
		slices.Sort(rest)
		repeated = repeated || len(slices.Compact(rest)) < len(cells)-1
		lines = append(lines, cells)
	}
	if len(lines) < 2 || !repeated {
		return nil, nil
	}
	if lines[0][0] == "scorer" {
		if !slices.ContainsFunc(lines[len(lines)-1], func(cell string) bool { name, _ := wordsOf(cell); return name == "z" }) {
			return nil, t.Errorf(t.Lines[begin].Number, "an export of DeepLabCut, whose coordinates are pixels: multiply them by the size of a pixel, and name the columns frame, tip_x_mm, tip_y_mm")
		}
		lines = lines[1:]
		index = frameColumn
	}
	x := &export{first: t.Lines[first].Number, names: make([]string, len(t.Lines[first].Cells))}
	for _, cells := range lines {
		above := ""
		for i := range cells[1:] {
			if cells[i+1] != "" {
				above = cells[i+1]
			}
			x.names[i+1] = strings.TrimPrefix(x.names[i+1]+"_"+above, "_")
		}
	}
	x.names[0] = index
	return x, nil
}
