package robotfile

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// didYouMean suggests the most similar of the words; empty if none is similar.
func didYouMean(word string, words []string) string {
	best, least := "", 1+max(1, min(3, len(word)/3))
	for _, w := range words {
		distance := EditDistance(word, w)
		// a forgotten or foreign unit: length, length_mm for length_m
		if a, b := stem(word), stem(w); len(a) > 2 && (a == b || word == b) {
			distance = min(distance, 1)
		}
		if distance < least {
			best, least = w, distance
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + best + "?"
}

// stem returns a key without its last word, usually the unit.
func stem(key string) string {
	if i := strings.LastIndexByte(key, '_'); i > 0 {
		return key[:i]
	}
	return key
}

// EditDistance counts the insertions, deletions and substitutions between words.
func EditDistance(a, b string) int {
	const most = 40
	if len(a) > most || len(b) > most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// findKeyPath finds the key in any mapping of the robot file.
func findKeyPath(t reflect.Type, key, path string) string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		if t.Kind() == reflect.Slice {
			path += "[]"
		}
		t = t.Elem()
	}
	if !isBlock(t) {
		return ""
	}
	fields := fieldsOf(t)
	if find(fields, key) != nil {
		return join(path, key)
	}
	for i := range fields {
		if at := findKeyPath(fields[i].typ, key, join(path, fields[i].key)); at != "" {
			return at
		}
	}
	return ""
}

// numberHint explains why text that resembles a number is not one.
func numberHint(text string) string {
	switch t := strings.TrimSpace(text); {
	case strings.Contains(t, "_"):
		return "write digits without _"
	case strings.HasPrefix(t, "0x") || strings.HasPrefix(t, "0o") || strings.HasPrefix(t, "0b"):
		return "write decimal digits"
	case strings.Contains(t, ",") && t[0] <= '9':
		return "the decimal sign is a point"
	case t != "" && t[0] >= '0' && t[0] <= '9' && strings.Trim(t, "0123456789+-.eE") != "":
		return "write the number alone; the key says the unit"
	}
	return ""
}

// rounded returns x without the last digits, the round-off of a change of units.
func rounded(x float64) float64 {
	const digits = 12
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// unitHint suggests another unit for a number out of range.
func unitHint(x float64, f *field) string {
	guesses := map[string][]struct {
		name   string
		factor float64
	}{
		"m":  {{"millimetres", 1e-3}},
		"Pa": {{"GPa", 1e9}},
		"kg": {{"grams", 1e-3}},
		"s":  {{"milliseconds", 1e-3}},
		"T":  {{"millitesla", 1e-3}},
	}
	if math.Abs(x) < 1e-3 || x < 0 && f.limits.low >= 0 {
		return ""
	}
	for _, g := range guesses[f.unit] {
		if y := x * g.factor; f.limits.contains(y) {
			return fmt.Sprintf("it looks like %s: %s %s", g.name, formatNumber(rounded(y)), f.unit)
		}
	}
	return ""
}
