package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
)

// plot is a figure in the making: SVG of a fixed size whose colours come from the
// page's style sheet through classes.
type plot struct {
	b      strings.Builder
	width  float64
	height float64
	x, y   scale
}

// Margins of a plot around its axes, in pixels.
const (
	marginLeft   = 62
	marginRight  = 14
	marginTop    = 12
	marginBottom = 40
)

// axis describes one axis of a plot.
type axis struct {
	low, high float64
	label     string
	hidden    bool // no numbers, no label
}

// newPlot draws axes, grid and labels; title is for readers that cannot see it.
func newPlot(title string, width, height float64, x, y axis) *plot {
	p := &plot{width: width, height: height}
	bottom := height - marginBottom
	if x.hidden {
		bottom = height - marginTop
	}
	p.x = scale{x.low, x.high, marginLeft, width - marginRight}
	p.y = scale{y.low, y.high, bottom, marginTop}
	fmt.Fprintf(&p.b, `<svg viewBox="0 0 %s %s" role="img" aria-label="%s">`, pixel(width), pixel(height), html.EscapeString(title))
	values, decimals := p.y.ticks(max(3, int((p.y.from-p.y.to)/38)))
	for _, v := range values {
		at := p.y.at(v)
		p.line("grid", p.x.from, at, p.x.to, at)
		p.text("tick", p.x.from-7, at+4, "end", fixed(v, decimals))
	}
	values, decimals = p.x.ticks(max(2, int((p.x.to-p.x.from)/70)))
	for _, v := range values {
		at := p.x.at(v)
		p.line("grid", at, p.y.from, at, p.y.to)
		if !x.hidden {
			p.text("tick", at, p.y.from+17, "middle", fixed(v, decimals))
		}
	}
	p.line("axis", p.x.from, p.y.from, p.x.to, p.y.from)
	p.line("axis", p.x.from, p.y.from, p.x.from, p.y.to)
	if !x.hidden {
		p.text("label", (p.x.from+p.x.to)/2, height-5, "middle", x.label)
	}
	middle := (p.y.from + p.y.to) / 2
	fmt.Fprintf(&p.b, `<text class="label" text-anchor="middle" transform="translate(13 %s) rotate(-90)">%s</text>`, pixel(middle), html.EscapeString(y.label))
	return p
}

// line draws a segment between pixels.
func (p *plot) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&p.b, `<path class="%s" d="M%s %sL%s %s"/>`, class, pixel(x1), pixel(y1), pixel(x2), pixel(y2))
}

// text writes at a pixel.
func (p *plot) text(class string, x, y float64, anchor, s string) {
	fmt.Fprintf(&p.b, `<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`, class, pixel(x), pixel(y), anchor, html.EscapeString(s))
}

// curve draws y over x, both in values, broken at NaN and where x jumps by more
// than gap (0: never).
func (p *plot) curve(class string, x, y []float64, gap float64) {
	var d strings.Builder
	px, py := p.thinned(x, y)
	pen := false
	for i := range px {
		if math.IsNaN(py[i]) || math.IsNaN(px[i]) {
			pen = false
			continue
		}
		if pen && gap > 0 && px[i]-px[i-1] > gap {
			pen = false
		}
		command := "L"
		if !pen {
			command = "M"
		}
		d.WriteString(command + pixel(p.x.at(px[i])) + " " + pixel(p.y.at(py[i])))
		pen = true
	}
	fmt.Fprintf(&p.b, `<path class="curve %s" d="%s"/>`, class, d.String())
}

// thinned keeps of each column of half a pixel the first, lowest, highest and last
// point of a function of time, so that nothing that can be seen is lost; other
// curves it leaves as they are.
func (p *plot) thinned(x, y []float64) (tx, ty []float64) {
	columns := 2 * (p.x.to - p.x.from)
	if float64(len(x)) < 4*columns || !ascending(x) {
		return x, y
	}
	column := func(i int) int { return int((x[i] - p.x.low) / (p.x.high - p.x.low) * columns) }
	for i := 0; i < len(x); {
		low, high, last := i, i, i
		for last+1 < len(x) && column(last+1) == column(i) {
			last++
			if y[last] < y[low] {
				low = last
			}
			if y[last] > y[high] {
				high = last
			}
		}
		before := -1
		for _, k := range []int{i, min(low, high), max(low, high), last} {
			if k > before {
				tx, ty = append(tx, x[k]), append(ty, y[k])
				before = k
			}
		}
		i = last + 1
	}
	return tx, ty
}

func ascending(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if x[i] < x[i-1] {
			return false
		}
	}
	return true
}

// level draws a horizontal line at a value, with its name at the end, above or
// below the line.
func (p *plot) level(class string, v float64, above bool, name string) {
	if v < p.y.low || v > p.y.high {
		return
	}
	at := p.y.at(v)
	p.line("mark "+class, p.x.from, at, p.x.to, at)
	dy := 14.0
	if above {
		dy = -6
	}
	p.text("note", p.x.to-4, at+dy, "end", name)
}

// mark draws a vertical line at a value, with its name at the given row from the top.
func (p *plot) mark(class string, v float64, name string, row int) {
	if v < p.x.low || v > p.x.high {
		return
	}
	at, anchor, dx := p.x.at(v), "start", 4.0
	if at > (p.x.from+p.x.to)/2 {
		anchor, dx = "end", -4
	}
	p.line("mark "+class, at, p.y.from, at, p.y.to)
	p.text("note", at+dx, p.y.to+11+13*float64(row), anchor, name)
}

// bar fills a box from 0 to v between two values of x.
func (p *plot) bar(class string, from, to, v float64) {
	x, top := p.x.at(from), p.y.at(v)
	fmt.Fprintf(&p.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class,
		pixel(x+0.5), pixel(top), pixel(math.Max(0.5, p.x.at(to)-x-1)), pixel(math.Max(0, p.y.at(0)-top)))
}

// dot draws a point.
func (p *plot) dot(class string, x, y float64) {
	fmt.Fprintf(&p.b, `<circle class="%s" cx="%s" cy="%s" r="3.5"/>`, class, pixel(p.x.at(x)), pixel(p.y.at(y)))
}

// spot draws a small point.
func (p *plot) spot(class string, x, y float64) {
	fmt.Fprintf(&p.b, `<circle class="%s" cx="%s" cy="%s" r="2"/>`, class, pixel(p.x.at(x)), pixel(p.y.at(y)))
}

// spots draws small points.
func (p *plot) spots(class string, x, y []float64) {
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			p.spot("dot "+class, x[i], y[i])
		}
	}
}

// simAndHardware draws simulation and hardware: as curves, or, of rows that do not follow one another, as
// points with a line from each to the other.
func (p *plot) simAndHardware(rows bool, simX, simY, hwX, hwY []float64) {
	if !rows {
		p.curve("hw", hwX, hwY, 0)
		p.curve("sim", simX, simY, 0)
		return
	}
	for i := range simX {
		p.curve("apart", []float64{simX[i], hwX[i]}, []float64{simY[i], hwY[i]}, 0)
	}
	p.spots("hw", hwX, hwY)
	p.spots("sim", simX, simY)
}

// svg ends the figure.
func (p *plot) svg() template.HTML {
	// all text has been escaped, all numbers are numbers
	return template.HTML(p.b.String() + "</svg>")
}
