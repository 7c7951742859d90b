package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The pages of a SQLite database that hold tables, as https://www.sqlite.org/fileformat2.html describes them. A library would
// make the programs larger by 8 MB and their first build longer by minutes.

var sqliteMagic = []byte("SQLite format 3\x00")

const (
	sqliteHeader   = 100 // bytes before the b-tree of the first page
	sqliteLeaf     = 0x0d
	sqliteInterior = 0x05
	sqliteUTF8     = 1
	maxSqliteDepth = 32 // of a b-tree; 2^31 pages need less
)

var errDatabase = errors.New("the database is damaged")

// database reads tables.
type database struct {
	r        io.ReaderAt
	size     int64
	pageSize int64
	usable   int64 // bytes of a page that are not reserved
}

// openDatabase reads the header of a file that begins with sqliteMagic.
func openDatabase(r io.ReaderAt, size int64) (*database, error) {
	head := make([]byte, sqliteHeader)
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, cause(err, errCut)
	}
	d := &database{r: r, size: size, pageSize: int64(binary.BigEndian.Uint16(head[16:]))}
	if d.pageSize == 1 {
		d.pageSize = 1 << 16
	}
	d.usable = d.pageSize - int64(head[20])
	const leastUsable = 480 // bytes, by the format
	if d.pageSize&(d.pageSize-1) != 0 || d.usable < leastUsable {
		return nil, fmt.Errorf("%w: pages of %d bytes, %d of which are used", errDatabase, d.pageSize, d.usable)
	}
	if encoding := binary.BigEndian.Uint32(head[56:]); encoding > sqliteUTF8 {
		return nil, errors.New("a SQLite database of texts in UTF-16, which rosbag2 does not write")
	}
	return d, nil
}

// place is the position of a page, whose numbers begin at 1.
func (d *database) place(page uint32) place {
	return place{at: (int64(page) - 1) * d.pageSize, size: d.pageSize}
}

// page reads a page.
func (d *database) page(number uint32) ([]byte, error) {
	p := d.place(number)
	if number == 0 || p.at+p.size > d.size {
		return nil, fmt.Errorf("%w: page %d is not in the file", errCut, number)
	}
	b := make([]byte, d.pageSize)
	_, err := d.r.ReadAt(b, p.at)
	return b, err
}

// varint reads a number of 1 to 9 bytes, and returns what is behind it; n is 0 if b is too short.
func varint(b []byte) (v uint64, n int) {
	for n < 8 && n < len(b) {
		v = v<<7 | uint64(b[n]&0x7f)
		if n++; b[n-1] < 0x80 {
			return v, n
		}
	}
	if n == 8 && len(b) > 8 {
		return v<<8 | uint64(b[8]), 9
	}
	return 0, 0
}

// cells returns the kind of a b-tree page and its cells, of which each ends somewhere in the page. at is the byte of the page at
// which its b-tree begins.
func (d *database) cells(b []byte, at int) (kind byte, cells [][]byte, right uint32, err error) {
	kind = b[at]
	count, pointers := int(binary.BigEndian.Uint16(b[at+3:])), at+8
	if kind == sqliteInterior {
		right, pointers = binary.BigEndian.Uint32(b[at+8:]), at+12
	}
	if kind != sqliteLeaf && kind != sqliteInterior || pointers+2*count > len(b) {
		return kind, nil, 0, fmt.Errorf("%w: a page of kind %d with %d cells is in a table", errDatabase, kind, count)
	}
	for i := range count {
		begin := int(binary.BigEndian.Uint16(b[pointers+2*i:]))
		if begin >= len(b) {
			return kind, cells, right, fmt.Errorf("%w: a cell begins at byte %d of a page", errDatabase, begin)
		}
		cells = append(cells, b[begin:])
	}
	return kind, cells, right, nil
}

// start is the byte of a page at which its b-tree begins.
func start(page uint32) int {
	if page == 1 {
		return sqliteHeader
	}
	return 0
}

// leaves visits the leaves of the b-tree of a table, in the order of rows. What cannot be read is a fault and is passed over.
func (d *database) leaves(root uint32, visit func(page uint32, b []byte) error, fault func(at int64, err error)) {
	seen := map[uint32]bool{}
	var walk func(page uint32, depth int)
	walk = func(page uint32, depth int) {
		at := d.place(page).at
		if seen[page] || depth > maxSqliteDepth {
			fault(at, fmt.Errorf("%w: page %d is in a table twice", errDatabase, page))
			return
		}
		seen[page] = true
		b, err := d.page(page)
		if err != nil {
			fault(max(0, at), err)
			return
		}
		if b[start(page)] == sqliteLeaf {
			if err := visit(page, b); err != nil {
				fault(at, err)
			}
			return
		}
		_, cells, right, err := d.cells(b, start(page))
		if err != nil {
			fault(at, err)
			return
		}
		for _, cell := range cells {
			if len(cell) >= 4 {
				walk(binary.BigEndian.Uint32(cell), depth+1)
			}
		}
		walk(right, depth+1)
	}
	walk(root, 0)
}

// value is a column of a row: of an integer, or of the bytes of a text or a blob.
type value struct {
	integer int64
	bytes   []byte
}

// rows visits the rows of a leaf.
func (d *database) rows(b []byte, at int, visit func(row []value) error) error {
	_, cells, _, err := d.cells(b, at)
	if err != nil {
		return err
	}
	for _, cell := range cells {
		size, n := varint(cell)
		id, m := varint(cell[n:])
		if n == 0 || m == 0 {
			return errDatabase
		}
		payload, err := d.payload(cell[n+m:], size)
		if err != nil {
			return err
		}
		row, err := parseRow(payload, int64(id))
		if err != nil {
			return err
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

// payload returns the bytes of a row, of which those that do not fit into its page are in a chain of pages.
func (d *database) payload(cell []byte, size uint64) ([]byte, error) {
	if size > maxBlock {
		return nil, fmt.Errorf("a row of %d bytes; at most %d are read", size, maxBlock)
	}
	total := int64(size)
	local := total
	if most := d.usable - 35; total > most {
		least := (d.usable-12)*32/255 - 23
		if local = least + (total-least)%(d.usable-4); local > most {
			local = least
		}
	}
	if int64(len(cell)) < local {
		return nil, errCut
	}
	if local == total {
		return cell[:total], nil
	}
	if int64(len(cell)) < local+4 {
		return nil, errCut
	}
	all := slices.Clone(cell[:local])
	for next := binary.BigEndian.Uint32(cell[local:]); int64(len(all)) < total; {
		b, err := d.page(next)
		if err != nil {
			return nil, err
		}
		next = binary.BigEndian.Uint32(b)
		all = append(all, b[4:4+min(d.usable-4, total-int64(len(all)))]...)
	}
	return all, nil
}

// parseRow returns the columns of a row. The column that is the number of the row is that number.
func parseRow(b []byte, id int64) (row []value, err error) {
	size, n := varint(b)
	if n == 0 || size > uint64(len(b)) || size < uint64(n) {
		return nil, errDatabase
	}
	kinds, body := b[n:size], b[size:]
	for len(kinds) > 0 {
		kind, n := varint(kinds)
		if n == 0 {
			return nil, errDatabase
		}
		kinds = kinds[n:]
		var v value
		length := uint64(0)
		switch {
		case kind == 0 && len(row) == 0:
			v.integer = id
		case kind == 9:
			v.integer = 1
		case kind <= 4:
			length = kind
		case kind == 5:
			length = 6
		case kind == 6 || kind == 7:
			length = 8
		case kind >= 12:
			length = (kind - 12) / 2
		}
		if length > uint64(len(body)) {
			return nil, errCut
		}
		if v.bytes = body[:length]; kind > 0 && kind <= 6 {
			v.integer = int64(int8(v.bytes[0]))
			for _, c := range v.bytes[1:] {
				v.integer = v.integer<<8 | int64(c)
			}
		}
		body = body[length:]
		row = append(row, v)
	}
	return row, nil
}

// tableOf is where a table is, and the names of its columns.
type tableOf struct {
	root    uint32
	columns []string
}

// tables finds the tables of the database by their names.
func (d *database) tables() (map[string]tableOf, error) {
	all := map[string]tableOf{}
	var first error
	d.leaves(1, func(page uint32, b []byte) error {
		return d.rows(b, start(page), func(row []value) error {
			const kind, name, root, text = 0, 1, 3, 4 // columns of the table of tables
			if len(row) > text && string(row[kind].bytes) == "table" {
				all[string(row[name].bytes)] = tableOf{uint32(row[root].integer), columnsOf(string(row[text].bytes))}
			}
			return nil
		})
	}, func(_ int64, err error) { first = err })
	if len(all) > 0 {
		first = nil
	}
	return all, first
}

// columnsOf returns the names of the columns of a table in the statement that makes it.
func columnsOf(statement string) (names []string) {
	_, list, _ := strings.Cut(statement, "(")
	for column := range strings.SplitSeq(list, ",") {
		if words := strings.Fields(column); len(words) > 0 {
			names = append(names, strings.Trim(words[0], "\"`[]'"))
		}
	}
	return names
}

// of returns the values of columns of a row by their names; ok is false if one is missing.
func (t *tableOf) of(row []value, names ...string) (values []value, ok bool) {
	for _, name := range names {
		i := slices.Index(t.columns, name)
		if i < 0 || i >= len(row) {
			return nil, false
		}
		values = append(values, row[i])
	}
	return values, true
}
