package trajectory

import (
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/table"
)

// trackMate recognises a table of spots or of a track of TrackMate (ImageJ): four lines of names, of which the first are keys
// and the last are units.
func trackMate(t *table.Text, _ string) (*export, error) {
	if len(t.Lines) < 4 {
		return nil, nil
	}
	keys := t.Lines[0].Cells
	if !slices.Contains(keys, "POSITION_X") || !slices.Contains(keys, "FRAME") {
		return nil, nil
	}
	first := slices.IndexFunc(t.Lines, func(l table.Line) bool { return t.IsData(&l) })
	if first < 2 {
		return nil, nil
	}
	units := t.Lines[first-1].Cells
	x := &export{tool: "TrackMate", first: t.Lines[first].Number, names: make([]string, len(keys))}
	track := slices.Index(keys, "TRACK_ID")
	for i, key := range keys {
		unit := strings.ToLower(strings.Trim(cellOf(units, i), "()"))
		switch axis, is := strings.CutPrefix(key, "POSITION_"); {
		case key == "POSITION_T":
			if timeUnits[unit] == 0 {
				return nil, t.Errorf(t.Lines[first-1].Number, "POSITION_T is in %q; set the frame interval in ImageJ (Image > Properties), or give --time-unit, the time between frames in s, and name the column t", unit)
			}
			x.names[i] = "t (" + unit + ")"
		case is:
			suffix, ok := lengthSuffix(unit)
			if !ok {
				return nil, t.Errorf(t.Lines[first-1].Number, "%s is in %q; set the size of a pixel in ImageJ (Image > Properties) before tracking", key, unit)
			}
			x.names[i] = strings.ToLower(axis) + suffix
		case i == track:
			x.names[i] = trackColumn
		}
	}
	if flat(t, first, slices.Index(keys, "POSITION_Z")) {
		x.names[slices.Index(keys, "POSITION_Z")] = ""
	}
	return x, nil
}

// flat reports whether a column is 0 in all rows at the beginning of a file.
func flat(t *table.Text, first, column int) bool {
	if column < 0 {
		return false
	}
	for _, l := range t.Lines[first:] {
		if v, err := strconv.ParseFloat(cellOf(l.Cells, column), 64); err != nil || v != 0 {
			return false
		}
	}
	return true
}
