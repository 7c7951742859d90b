package robotfile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sinew/pkg/sim/robotfile"
	"sinew/test/testsize"
)

// patience is what a hostile file may cost at most, on a slow machine.
const patience = 10 * time.Second

// bomb doubles a list at every level: 2^40 values from 1 kB.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [1, 1]\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return b.String()
}

func TestHostileFilesAreRefusedInTime(t *testing.T) {
	testsize.SkipInShort(t)
	for _, c := range []struct{ name, text, want string }{
		{"alias bomb", bomb(), "the file has more than 200000 values, aliases expanded"},
		{"too long", strings.Repeat("#", robotfile.MaxBytes+1), "the file has 1048577 bytes; at most 1048576 are read"},
		{"deep", "loads: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "values are nested more than 32 deep"},
		{"very deep", strings.Repeat("{a: ", robotfile.MaxBytes/8), "exceeded max depth"},
		{"many keys", strings.Repeat("a: 1\n", 100_000), "a mapping with more than 256 keys"},
		{"many tendons", "tendons: [" + strings.Repeat("{},", 300_000) + "]", "at most 2000"},
		{"tendons at the bound", "tendons: [" + strings.Repeat("{},", 2000) + "]", "tendons[0].name: is missing"},
		{"unknown keys", "tendons: [" + strings.Repeat("{b: 1, c: 1},", 2000) + "]", "tendons[0].b: unknown key"},
		{"long key", strings.Repeat("k", 1000) + ": 1", "unknown key"},
		{"long value", "disk_force: " + strings.Repeat("v", 1<<19), "disk_force: \"vvvv"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := robotfile.Parse[robotfile.Continuum]("f", []byte(c.text))
			if spent := time.Since(start); spent > patience {
				t.Errorf("took %v", spent)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %.300v, want %q", err, c.want)
			}
			if len(err.Error()) > 100_000 {
				t.Errorf("the report has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestAnchorsAreOrdinary(t *testing.T) {
	r := mustParse(t, `
tendons:
  - &first {name: a, offset_m: [0.01, 0], disks: &disks {count: 3, first_m: 0.05, last_m: 0.2}, tension_n: 2}
  - {name: b, offset_m: [0, 0.01], disks: *disks}
  - {<<: *first, name: c, offset_m: [0, -0.01]}
`)
	for i, name := range []string{"a", "b", "c"} {
		if tendon := r.Tendons[i]; tendon.Name != name || tendon.Disks.Last != 0.2 {
			t.Errorf("tendon %d is %+v", i, tendon)
		}
	}
	if r.Tendons[1].Tension != 0 || r.Tendons[2].Tension != 2 || r.Tendons[2].Offset[1] != -0.01 {
		t.Errorf("got %+v", r.Tendons)
	}
}
