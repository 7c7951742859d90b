package trajectory

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/sim/table"
)

// bodyWords are words for columns that say of which body a row is.
var bodyWords = []string{
	trackColumn, "track_id", "particle", "particle_id", "port", "port_number", "handle", "tool", "tool_id", "tool_name",
	"body", "body_id", "body_name", "rigid_body", "rigid_body_id", "rigid_body_name", "object", "object_id", "object_name", "subject",
	"marker", "marker_id", "marker_name", "tag", "tag_id", "sensor", "sensor_id", "device", "device_id", "target_id",
}

// noBody is that of rows with an empty cell.
const noBody = "none"

// rowWords are words for columns that may do so, or have a name of their own for each row or for some rows.
var rowWords = []string{"id", "ids", "name", "label"}

// bodyColumn is a column that may say of which body each row is, in words or whole numbers. A column of other numbers is a tendon of
// such a name.
type bodyColumn struct {
	at     int // among the columns
	name   string
	values []string       // in the order of the rows
	seen   map[string]int // how often
	ofRows bool           // it may have a value of its own for each row
	real   bool           // at least one number is not whole
}

// findBodies finds the columns that may say of which body a row is.
func (s *sheet) findBodies() {
	for i, c := range s.grammar {
		is, ofRows := c.isBody()
		if is && (c.Kind == Unused || c.Kind == Tension) && c.Header != s.o.Numbered {
			s.bodies = append(s.bodies, bodyColumn{at: i, name: c.Header, seen: map[string]int{}, ofRows: ofRows})
		}
	}
}

// isBody reports whether the name of a column says that it may have the body of each row, and whether it may have names of the rows.
func (c *Column) isBody() (is, ofRows bool) {
	name, _ := wordsOf(c.Header)
	ofRows = slices.Contains(rowWords, name)
	return ofRows || slices.Contains(bodyWords, name), ofRows
}

// isBodies reports whether a column is one of bodies.
func (s *sheet) isBodies(column int) bool {
	return slices.ContainsFunc(s.bodies, func(b bodyColumn) bool { return b.at == column })
}

// ofBody reports whether a row is one of the body that is asked for: a column of bodies has its name. Without a name all are, and
// where the names of columns say the body.
func (s *sheet) ofBody(row table.Row) bool {
	is := s.o.Body == "" || s.named || len(s.bodies) == 0
	for i := range s.bodies {
		is = is || sameBody(row.Text(s.bodies[i].at), s.o.Body)
	}
	for i := range s.bodies {
		b := &s.bodies[i]
		value := row.Text(b.at)
		if table.IsMissing(value) {
			if b.ofRows {
				continue
			}
			value = noBody
		}
		if b.seen[value]++; b.seen[value] == 1 {
			b.values = append(b.values, value)
		}
		v, err := row.Number(b.at)
		b.real = b.real || err == nil && v != math.Trunc(v)
	}
	if is {
		s.chosen++
	}
	return is
}

// sameBody reports whether two names are those of one body: 2 and 2.000 are.
func sameBody(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	v, errA := strconv.ParseFloat(a, 64)
	w, errB := strconv.ParseFloat(b, 64)
	return errA == nil && errB == nil && v == w
}

// several reports whether the rows are of several bodies.
func (b *bodyColumn) several() bool {
	return !b.real && len(b.values) > 1 && (!b.ofRows || slices.ContainsFunc(b.values, func(value string) bool { return b.seen[value] > 1 }))
}

// String lists the bodies.
func (b *bodyColumn) String() string {
	const most = 8
	list := slices.Clone(b.values)
	if n := len(list) - most; n > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(list, ", ")
}

// checkBodies refuses rows of several bodies of which none was chosen, and a choice of one that is not there. Such rows may be wrong in
// another way, too, of which err is the error.
func (s *sheet) checkBodies(err error) error {
	asked := s.o.Body != "" && !s.named
	for i := range s.bodies {
		b := &s.bodies[i]
		switch {
		case asked && s.chosen == 0 && len(b.values) > 0 && !b.real:
			return s.HeaderError("there is no body %q; in the column %s there are %v", s.o.Body, b.name, b)
		case !b.several() || asked && slices.ContainsFunc(b.values, func(value string) bool { return sameBody(value, s.o.Body) }):
		case s.rest(b):
			return s.HeaderError("the column %s has several bodies, %v: --hw-topic NAME says which one is the tip, such as --hw-topic %s; leave the column out if they are one", b.name, b, b.values[0])
		}
	}
	return err
}

// rest reads what the rows that were not read have in a column of bodies, and reports whether they are of several ones still.
func (s *sheet) rest(b *bodyColumn) bool {
	for {
		row, err := s.Next()
		if err != nil {
			return b.several()
		}
		s.ofBody(row)
	}
}
