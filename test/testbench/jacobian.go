package testbench

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// ReadJacobian reads what static --jacobian wrote, by input and output.
func ReadJacobian(t *testing.T, file string) map[string]map[string]float64 {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%v: %v", rows, err)
	}
	all := map[string]map[string]float64{}
	for _, r := range rows[1:] {
		all[r[0]] = map[string]float64{}
		for i, text := range r[2:] {
			if all[r[0]][rows[0][2+i]], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}
