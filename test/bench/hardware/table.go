package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/spatial"
)

// line is a line of a table: a name and numbers, as they are printed.
type line []string

// errorsHeader is the heading of lines that errorsLine makes.
var errorsHeader = line{"", "points", "rms", "of the length", "median", "largest"}

// errorsLine says how large errors (m) are, of a robot of a length (m).
func errorsLine(name string, e []spatial.Vec, length float64) line {
	n, r := norms(e), rms(e)
	return line{
		name, fmt.Sprint(len(e)), fmt.Sprintf("%.2f mm", 1e3*r), fmt.Sprintf("%.2f %%", 100*r/length),
		fmt.Sprintf("%.2f mm", 1e3*n[len(n)/2]), fmt.Sprintf("%.1f mm", 1e3*n[len(n)-1]),
	}
}

// writeTable writes lines in Markdown, the first as a heading.
func writeTable(w io.Writer, lines []line) {
	for i, l := range lines {
		fmt.Fprintln(w, l.markdown())
		if i == 0 {
			fmt.Fprint(w, "|")
			for range l {
				fmt.Fprint(w, "---|")
			}
			fmt.Fprintln(w)
		}
	}
}

func (l line) markdown() string {
	text := "|"
	for _, cell := range l {
		text += " " + strings.TrimLeft(cell+" ", " ") + "|"
	}
	return text
}

// norms are the lengths of errors, ascending.
func norms(e []spatial.Vec) []float64 {
	n := make([]float64, len(e))
	for i := range e {
		n[i] = e[i].Norm()
	}
	slices.Sort(n)
	return n
}

// rms is the root mean square length.
func rms(e []spatial.Vec) float64 {
	sum := 0.0
	for _, v := range e {
		sum += v.Norm2()
	}
	return math.Sqrt(sum / float64(len(e)))
}

// writeCSV writes numbers under a header; NaN is an empty cell.
func writeCSV(file string, header []string, rows [][]float64) error {
	var b strings.Builder
	b.WriteString(strings.Join(header, ",") + "\n")
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, x := range row {
			if !math.IsNaN(x) {
				cells[i] = strconv.FormatFloat(x, 'g', 9, 64)
			}
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}
