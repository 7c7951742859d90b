package trajectory

import (
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/table"
)

// pairs returns the value of a key in a line of keys and values.
func pairs(cells []string, key string) string {
	if i := slices.Index(cells, key); i >= 0 && i+1 < len(cells) {
		return cells[i+1]
	}
	return ""
}

// cellOf returns a cell of a line that may be shorter.
func cellOf(cells []string, i int) string {
	if i < len(cells) {
		return cells[i]
	}
	return ""
}

// motive recognises an export of OptiTrack Motive: a line of keys and values, lines of the type, name and ID of what each
// column belongs to and of what it is, and the names of axes.
func motive(t *table.Text, body string) (*export, error) {
	at := slices.IndexFunc(t.Lines, func(l table.Line) bool { return cellOf(l.Cells, 0) == "Frame" })
	switch {
	case len(t.Lines) < 3:
		return nil, nil
	case cellOf(t.Lines[0].Cells, 0) == "Format Version":
	case at >= 0 && cellOf(t.Lines[at].Cells, 1) == "Time (Seconds)" && len(t.Lines[at].Cells) > 5:
		return nil, t.Errorf(t.Lines[0].Number, "this looks like an export of Motive without its first line, Format Version, which says the unit of lengths; export it with header information")
	default:
		return nil, nil
	}
	head := t.Lines[0].Cells
	if at < 1 || at+1 >= len(t.Lines) {
		return nil, t.Errorf(1, "an export of Motive without a line of names that begins with Frame and rows below it; export rigid bodies or markers as CSV")
	}
	axesLine, kinds := t.Lines[at].Cells, t.Lines[at-1].Cells
	labelled := func(name string) []string {
		for _, l := range t.Lines[1:at] {
			if cellOf(l.Cells, 1) == name || cellOf(l.Cells, 0) == name {
				return l.Cells
			}
		}
		return nil
	}
	types, names := labelled("Type"), labelled("Name")
	unit, ok := lengthSuffix(pairs(head, "Length Units"))
	if !ok {
		return nil, t.Errorf(1, "an export of Motive with Length Units %q; allowed: Meters, Centimeters, Millimeters", pairs(head, "Length Units"))
	}
	if space := pairs(head, "Coordinate Space"); space != "" && !strings.EqualFold(space, "Global") {
		return nil, t.Errorf(1, "an export of Motive in the coordinate space %q, where a position may be that in another body; export it with Global, or write Global there if the positions are those in the room", space)
	}
	x := &export{tool: "OptiTrack Motive", first: t.Lines[at+1].Number, names: make([]string, len(axesLine))}
	var rigid []string
	for i := range axesLine {
		if name, kind := cellOf(names, i), cellOf(types, i); cellOf(kinds, i) == "Position" && kind != "Rigid Body Marker" && name != "" {
			if !slices.Contains(x.bodies, name) {
				x.bodies = append(x.bodies, name)
			}
			if kind == "Rigid Body" && !slices.Contains(rigid, name) {
				rigid = append(rigid, name)
			}
		}
	}
	if err := x.choose(body, rigid); err != nil {
		return nil, t.Errorf(t.Lines[at].Number, "%w", err)
	}
	quaternions := pairs(head, "Rotation Type") == "Quaternion"
	for i, axis := range axesLine {
		name, kind, axis := cellOf(names, i), cellOf(kinds, i), strings.ToLower(axis)
		switch {
		case strings.HasPrefix(axis, "time"):
			x.names[i] = timeColumns[0]
		case cellOf(types, i) == "Rigid Body Marker":
		case kind == "Position" && slices.Contains(axes, axis):
			x.names[i] = x.point(name, axis, unit)
		case kind == "Rotation" && quaternions && name == x.tip && slices.Contains(quaternionParts, axis):
			x.names[i] = "q" + axis
		}
	}
	if !quaternions && slices.Contains(kinds, "Rotation") {
		x.remarks = append(x.remarks, "rotations are angles ("+pairs(head, "Rotation Type")+"), which are not read; export them as quaternions")
	}
	return x, nil
}

// vicon recognises an export of Vicon Nexus, or of objects by Vicon Tracker: the title of a section, the rate of frames, a line of the
// names of bodies, one of the names of columns and one of units. Of sections the one with positions is read, which is the first. Angles
// are not read, quaternions (RW) are.
func vicon(t *table.Text, body string) (*export, error) {
	if len(t.Lines) < 6 {
		return nil, nil
	}
	title := cellOf(t.Lines[0].Cells, 0)
	rate, err := strconv.ParseFloat(cellOf(t.Lines[1].Cells, 0), 64)
	if title != "Trajectories" && title != "Segments" && title != "Objects" && title != "Global Angle (Helical)" && title != "Devices" && title != "Model Outputs" ||
		err != nil || cellOf(t.Lines[3].Cells, 0) != "Frame" {
		return nil, nil
	}
	if title != "Trajectories" && title != "Segments" && title != "Objects" {
		return nil, t.Errorf(1, "an export of Vicon Nexus whose first section is %q; export trajectories (or segments) alone", title)
	}
	tool := "Vicon Nexus"
	if title == "Objects" {
		tool = "Vicon Tracker"
	}
	owners, columns, units := t.Lines[2].Cells, t.Lines[3].Cells, t.Lines[4].Cells
	x := &export{tool: tool, first: t.Lines[5].Number, names: make([]string, len(columns)), rateHz: rate}
	of := make([]string, len(columns)) // the body of each column
	owner := ""
	for i := range columns {
		if name := cellOf(owners, i); name != "" {
			_, owner, _ = strings.Cut(":"+name, ":")
			if k := strings.LastIndexByte(owner, ':'); k >= 0 { // subject:marker
				owner = owner[k+1:]
			}
			x.bodies = append(x.bodies, owner)
		}
		of[i] = owner
	}
	if err := x.choose(body, nil); err != nil {
		return nil, t.Errorf(t.Lines[2].Number, "%w", err)
	}
	quaternions := slices.Contains(columns, "RW")
	if !quaternions && slices.Contains(columns, "RX") {
		x.remarks = append(x.remarks, "rotations are angles, which are not read; export them as quaternions")
	}
	for i, column := range columns {
		axis := strings.ToLower(column)
		if title != "Trajectories" {
			axis, _ = strings.CutPrefix(axis, "t")
		}
		part, turned := strings.CutPrefix(axis, "r")
		switch {
		case turned && quaternions && of[i] == x.tip && slices.Contains(quaternionParts, part):
			x.names[i] = "q" + part
		case axis == "frame":
			x.names[i] = frameColumn
		case of[i] != "" && slices.Contains(axes, axis):
			unit, ok := lengthSuffix(cellOf(units, i))
			if !ok {
				return nil, t.Errorf(t.Lines[4].Number, "column %s of %s has the unit %q; allowed: mm, cm, m", column, of[i], cellOf(units, i))
			}
			x.names[i] = x.point(of[i], axis, unit)
		}
	}
	return x, nil
}

// qualisys recognises a TSV of Qualisys Track Manager: lines of keys and values, of which MARKER_NAMES or BODY_NAMES is the
// last but for names of columns. Lengths are in mm.
func qualisys(t *table.Text, body string) (*export, error) {
	if len(t.Lines) == 0 || cellOf(t.Lines[0].Cells, 0) != "NO_OF_FRAMES" {
		return nil, nil
	}
	x := &export{tool: "Qualisys Track Manager"}
	named := ""
	first := -1
	for i := range t.Lines {
		l := &t.Lines[i]
		switch key := cellOf(l.Cells, 0); {
		case key == "MARKER_NAMES" || key == "BODY_NAMES":
			named = key
			for _, name := range l.Cells[1:] {
				if name != "" {
					x.bodies = append(x.bodies, name)
				}
			}
		case key == "FREQUENCY":
			x.rateHz, _ = strconv.ParseFloat(cellOf(l.Cells, 1), 64)
		case named != "" && t.IsData(l) && first < 0:
			if _, err := strconv.ParseFloat(key, 64); err == nil {
				first, x.first = i, l.Number
			}
		}
	}
	if first < 0 || named == "" {
		return nil, t.Errorf(1, "a file of Qualisys without MARKER_NAMES or BODY_NAMES and rows below them; export TSV of 3D or 6D data with its header")
	}
	if err := x.choose(body, nil); err != nil {
		return nil, t.Errorf(t.Lines[0].Number, "%w", err)
	}
	perBody := map[string]int{"MARKER_NAMES": len(axes), "BODY_NAMES": 16}[named] // X Y Z roll pitch yaw residual, and nine of a matrix
	columns, n := len(t.Lines[first].Cells), len(x.bodies)*perBody
	lead := columns - n // frame and time, where they were exported
	for lead > 2 && cellOf(t.Lines[first].Cells, columns-1) == "" {
		columns, lead = columns-1, lead-1
	}
	switch {
	case lead == 2:
		x.names = []string{"", timeColumns[0]}
		x.rateHz = 0
	case lead == 0 && x.rateHz > 0:
		x.names = nil
	default:
		return nil, t.Errorf(x.first, "%d columns for %d bodies of %d; export frame and time with them", columns, len(x.bodies), perBody)
	}
	for _, name := range x.bodies {
		for k := range perBody {
			column := ""
			if k < len(axes) {
				column = x.point(name, axes[k], "_mm")
			}
			x.names = append(x.names, column)
		}
	}
	if named == "BODY_NAMES" {
		x.remarks = append(x.remarks, "rotations are angles and matrices, which are not read")
	}
	return x, nil
}

// ndi recognises a CSV of NDI ToolBox for Polaris and Aurora: for each tool a quaternion Q0, Qx, Qy, Qz and a position Tx, Ty, Tz in
// mm, which are empty where the tool was not seen. Times are not in it, but numbers of frames.
func ndi(t *table.Text, body string) (*export, error) {
	if len(t.Lines) < 2 {
		return nil, nil
	}
	columns := t.Lines[0].Cells
	for _, name := range []string{"Q0", "Qx", "Qy", "Qz", "Tx", "Ty", "Tz", "Frame"} {
		if !slices.Contains(columns, name) {
			return nil, nil
		}
	}
	x := &export{tool: "NDI ToolBox", first: t.Lines[1].Number, names: make([]string, len(columns))}
	of, tool := make([]string, len(columns)), "" // the tool of each column
	for i, column := range columns {
		if column == "Frame" || tool == "" && column == "Q0" {
			tool = "tool" + strconv.Itoa(len(x.bodies)+1)
			x.bodies = append(x.bodies, tool)
		}
		of[i] = tool
	}
	if err := x.choose(body, nil); err != nil {
		return nil, t.Errorf(t.Lines[0].Number, "%w", err)
	}
	for i, column := range columns {
		axis := strings.ToLower(column[min(1, len(column)):])
		switch {
		case column == "Frame" && !slices.Contains(x.names, frameColumn):
			x.names[i] = frameColumn
		case strings.EqualFold(column, "time") || strings.HasPrefix(column, "Time "):
			x.names[i] = column
		case strings.HasPrefix(column, "T") && slices.Contains(axes, axis):
			x.names[i] = x.point(of[i], axis, "_mm")
		case strings.HasPrefix(column, "Q") && of[i] == x.tip && axis == "0":
			x.names[i] = "qw"
		case strings.HasPrefix(column, "Q") && of[i] == x.tip && slices.Contains(axes, axis):
			x.names[i] = "q" + axis
		}
	}
	return x, nil
}
