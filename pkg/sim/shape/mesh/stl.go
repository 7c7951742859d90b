package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"sinew/pkg/sim/spatial"
)

// Triangle is three corners, counterclockwise as seen from the side that its normal points to.
type Triangle [3]spatial.Vec

// STL is a list of triangles, and where in their file they are.
type STL struct {
	Triangles []Triangle
	Loading   *Loading // for Shared; nil: nothing
	where     func(i int) string
}

// Location names triangle i, counted from 0, by its number from 1 and its place in the file.
func (f *STL) Location(i int) string {
	if f.where == nil {
		return fmt.Sprintf("triangle %d", i+1)
	}
	return fmt.Sprintf("triangle %d (%s)", i+1, f.where(i))
}

// MaxTriangles is the number of triangles that a mesh may have.
const MaxTriangles = 500_000

// Sizes of binary STL, in bytes.
const (
	headerSize   = 84
	triangleSize = 50
)

// ErrNoTriangles is returned for a file or mesh without triangles.
var ErrNoTriangles = errors.New("mesh: there are no triangles")

// ReadSTL reads a file of binary or ASCII STL. Its length identifies a binary file that begins
// with the word solid from an ASCII file. Normals and attributes in the file are not used.
func ReadSTL(data []byte) (*STL, error) {
	if n := binaryCount(data); n >= 0 && len(data) == headerSize+triangleSize*n {
		return readBinary(data, n)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	text := bytes.TrimLeft(data, " \t\r\n")
	if bytes.HasPrefix(bytes.ToLower(text[:min(len(text), 5)]), []byte("solid")) && !bytes.ContainsRune(data, 0) {
		return readASCII(data)
	}
	if name := otherFormat(data); name != "" {
		return nil, formatError(name)
	}
	n := binaryCount(data)
	if n < 0 {
		return nil, fmt.Errorf("mesh: %d bytes are not an STL file; it must begin with the word solid or have at least %d bytes", len(data), headerSize)
	}
	cure := "it is cut or damaged: copy or export it again"
	if body := len(data) - headerSize; n == 0 && body > 0 && body%triangleSize == 0 {
		cure = fmt.Sprintf("its writer has left out their number, %d: export it again", body/triangleSize)
	}
	return nil, fmt.Errorf("mesh: binary STL of %d bytes; with the %d triangles that it announces at byte 80 it should have %d; %s", len(data), n, headerSize+triangleSize*n, cure)
}

// binaryCount returns the number of triangles that a binary file announces, −1 for none.
func binaryCount(data []byte) int {
	if len(data) < headerSize {
		return -1
	}
	return int(binary.LittleEndian.Uint32(data[80:]))
}

func readBinary(data []byte, n int) (*STL, error) {
	if err := checkCount(n); err != nil {
		return nil, err
	}
	f := &STL{
		Triangles: make([]Triangle, n),
		where:     func(i int) string { return fmt.Sprintf("byte %d", headerSize+triangleSize*i) },
	}
	for i := range f.Triangles {
		record := data[headerSize+triangleSize*i+12:]
		number := func(k int) float64 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(record[4*k:])))
		}
		for k := range f.Triangles[i] {
			f.Triangles[i][k] = spatial.Vec{X: number(3 * k), Y: number(3*k + 1), Z: number(3*k + 2)}
		}
	}
	return f, nil
}

func checkCount(n int) error {
	switch {
	case n == 0:
		return ErrNoTriangles
	case n > MaxTriangles:
		return fmt.Errorf("mesh: %d triangles; at most %d are allowed: simplify the mesh", n, MaxTriangles)
	}
	return nil
}

// readASCII reads the words "facet", "vertex x y z" and "endfacet" and skips all others that
// the format has.
func readASCII(data []byte) (*STL, error) {
	f := &STL{}
	var lines []int32
	f.where = func(i int) string { return fmt.Sprintf("line %d", lines[i]) }
	var corners Triangle
	count, number := -1, 0               // corners of the open facet, −1 between facets
	if !bytes.ContainsRune(data, '\n') { // lines of old Macintosh programs
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	for line := range bytes.Lines(data) {
		number++
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		fail := func(format string, args ...any) (*STL, error) {
			return nil, fmt.Errorf("mesh: ASCII STL, line %d: %s", number, fmt.Sprintf(format, args...))
		}
		switch word := string(bytes.ToLower(words[0])); word {
		case "facet":
			if count >= 0 {
				return fail("a facet begins before the last one ends")
			}
			if len(f.Triangles) == MaxTriangles {
				return nil, checkCount(MaxTriangles + 1)
			}
			count = 0
			lines = append(lines, int32(number))
		case "vertex":
			if count < 0 || count == 3 {
				return fail("vertex %d of a facet; a facet has three", count+1)
			}
			v, err := parseVertex(words[1:])
			if err != nil {
				return fail("%v", err)
			}
			corners[count] = v
			count++
		case "endfacet":
			if count != 3 {
				return fail("the facet has %d vertices; it must have three", max(count, 0))
			}
			f.Triangles = append(f.Triangles, corners)
			count = -1
		case "solid", "outer", "endloop", "endsolid":
		default:
			return fail("%.20q is not a keyword of STL", word)
		}
	}
	if count >= 0 {
		return nil, fmt.Errorf("mesh: ASCII STL ends in the facet of line %d", lines[len(lines)-1])
	}
	return f, checkCount(len(f.Triangles))
}

func parseVertex(words [][]byte) (spatial.Vec, error) {
	var x [3]float64
	if len(words) != len(x) {
		return spatial.Vec{}, fmt.Errorf("the vertex has %d coordinates; it must have three", len(words))
	}
	for i := range x {
		var err error
		if x[i], err = strconv.ParseFloat(string(words[i]), 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			cure := ""
			switch {
			case bytes.ContainsRune(words[i], ','):
				cure = "; write a decimal point for the comma"
			case bytes.ContainsAny(words[i], "dD"):
				cure = "; write the exponent with e"
			}
			return spatial.Vec{}, fmt.Errorf("coordinate %.20q of the vertex is not a number%s", words[i], cure)
		}
	}
	return spatial.Vec{X: x[0], Y: x[1], Z: x[2]}, nil
}
