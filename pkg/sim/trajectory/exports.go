package trajectory

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sinew/pkg/sim/table"
)

// export is a CSV with more than names before its numbers, as programs of motion capture and of tracking write it: the name
// that each column has in a CSV of ours, and where the numbers begin.
type export struct {
	tool  string // that writes such files, in messages
	names []string
	first int    // line of the first row, from 1
	tip   string // body whose pose is that of the tip; empty if none is
	// bodies are the names of all bodies and markers; remarks tell what was assumed.
	bodies, remarks []string
	rateHz          float64 // of frames, whose number is the time; 0 where there is a time
}

// exports lists the formats that are recognised, each by a signature that no other file has. A recogniser returns nil for
// files that are not of its format.
var exports = []func(t *table.Text, body string) (*export, error){motive, vicon, qualisys, ndi, trackMate}

// HasRows reports whether a file has rows of numbers at its beginning.
func HasRows(in io.Reader) bool {
	t, err := table.Open("", in)
	return err == nil && slices.ContainsFunc(t.Lines, func(l table.Line) bool { return len(l.Cells) > 1 && t.IsData(&l) })
}

// tumColumns are those of a file of name .tum, which has no names: one that evo reads and that compare writes.
var tumColumns = []string{"t", "x", "y", "z", "qx", "qy", "qz", "qw"}

// recognise finds the format of a file. It returns nil for one whose first line has the names of columns.
func recognise(file string, t *table.Text, body string) (*export, error) {
	for _, of := range exports {
		if x, err := of(t, body); x != nil || err != nil {
			return x, err
		}
	}
	if i := slices.IndexFunc(t.Lines, func(l table.Line) bool { return !l.Comment }); i >= 0 && strings.EqualFold(filepath.Ext(file), ".tum") && len(t.Lines[i].Cells) == len(tumColumns) && t.IsData(&t.Lines[i]) {
		return &export{names: tumColumns, first: t.Lines[i].Number}, nil
	}
	return general(t)
}

// general is a file with names of columns behind other lines, in a comment, or above a line of units.
func general(t *table.Text) (*export, error) {
	cells := 0 // of a row
	for i := range t.Lines {
		if t.IsData(&t.Lines[i]) {
			cells = len(t.Lines[i].Cells)
		}
	}
	first := slices.IndexFunc(t.Lines, func(l table.Line) bool { return t.IsData(&l) && len(l.Cells) == cells })
	if first < 0 {
		return nil, nil
	}
	if x, err := layers(t, first); x != nil || err != nil {
		return x, err
	}
	data := &t.Lines[first]
	names, begin := -1, slices.IndexFunc(t.Lines, func(l table.Line) bool { return !l.Comment })
	for i := first - 1; i >= 0 && names < 0; i-- {
		l := &t.Lines[i]
		if fits(l, data) && !isUnits(l) {
			names = i
		}
	}
	switch {
	case names < 0 && begin == first:
		return nil, t.Errorf(data.Number, "%d columns of numbers without names; write names above them, such as t,x,y,z (s, m) or t,x,y,z,qx,qy,qz,qw", len(data.Cells))
	case names < 0 || names == begin && first == names+1:
		return nil, nil
	case names > begin && fits(&t.Lines[begin], data) && !isUnits(&t.Lines[begin]):
		return nil, nil // names of columns, and rows that are no numbers
	}
	x := &export{names: slices.Clone(t.Lines[names].Cells), first: data.Number}
	for i := names + 1; i < first; i++ {
		if isUnits(&t.Lines[i]) {
			for k, unit := range t.Lines[i].Cells {
				if unit = strings.Trim(unit, "()[] "); isUnit(strings.ToLower(unit)) && k < len(x.names) {
					x.names[k] += " (" + unit + ")"
				}
			}
		} else if !t.Lines[i].Comment {
			return nil, nil
		}
	}
	return x, nil
}

// fits reports whether a line has as many cells as a row, and words in them.
func fits(l, row *table.Line) bool {
	words := 0
	for _, cell := range l.Cells {
		if name, _ := wordsOf(cell); name != "" {
			words++
		}
	}
	return words > 1 && len(l.Cells) == len(row.Cells)
}

// isUnits reports whether a line is one of units.
func isUnits(l *table.Line) bool {
	found := 0
	for _, cell := range l.Cells {
		word := strings.ToLower(strings.Trim(cell, "()[] "))
		switch {
		case word == "" || word == "-" || word == "1" || word == "unit" || word == "units":
		case isUnit(word):
			found++
		default:
			return false
		}
	}
	return found > 0
}

// lengthSuffix is the end of a column's name that says in which unit of length it is; ok is false for a unit that is none.
func lengthSuffix(unit string) (suffix string, ok bool) {
	switch lengthUnits[strings.ToLower(strings.Trim(unit, "()[] "))] {
	case 1:
		return "", true
	case 1e-2:
		return "_cm", true
	case 1e-3:
		return "_mm", true
	case 1e-6:
		return "_um", true
	}
	return "", false
}

// choose decides which body is the tip: the one that is asked for, the only one, or the one that is called tip. The others are
// markers.
func (x *export) choose(body string, preferred []string) error {
	if body != "" {
		for _, name := range x.bodies {
			if strings.EqualFold(name, body) {
				x.tip = name
				return nil
			}
		}
		return fmt.Errorf("there is no body %q; there are %s", body, strings.Join(x.bodies, ", "))
	}
	for _, list := range [][]string{preferred, x.bodies} {
		if len(list) == 1 {
			x.tip = list[0]
			return nil
		}
		for _, name := range list {
			if strings.EqualFold(name, "tip") {
				x.tip = name
				return nil
			}
		}
	}
	return nil
}

// point is the name of a column of the coordinate of a body. One that is called tip and is not the tip gets another name: tip_x is a
// coordinate of the tip.
func (x *export) point(body, axis, unit string) string {
	switch {
	case body == x.tip:
		return axis + unit
	case strings.EqualFold(body+"_", tipPrefix):
		body = "other_" + body
	}
	return body + "_" + axis + unit
}
