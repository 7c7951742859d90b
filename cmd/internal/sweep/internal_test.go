package sweep

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim"
)

// Tests of what has no exported name.

// Merge refuses parts that have one sample with other rows, as two computers that do not compute alike would make it.
func TestMergeRefusesUnlikeSamples(t *testing.T) {
	dir := t.TempDir()
	for end, samples := range map[string][2][]outcome{
		".csv":  {{{rows: []byte("0,1,,\n")}, {sample: 1, rows: []byte("1,2,,\n")}}, {{sample: 1, rows: []byte("1,3,,\n")}}},
		".mcap": {{{message: []byte("a")}, {sample: 1, message: []byte("b")}}, {{sample: 1, message: []byte("c")}}},
	} {
		var parts []*part
		for i, list := range samples {
			p := &part{name: filepath.Join(dir, string(rune('a'+i))+end), now: outcome{sample: -1}, next: func() (outcome, error) {
				if len(list) == 0 {
					return outcome{}, io.EOF
				}
				next := list[0]
				list = list[1:]
				return next, nil
			}}
			if err := p.advance(); err != nil {
				t.Fatal(err)
			}
			parts = append(parts, p)
		}
		_, err := joined(&about{Samples: 2}, parts, func(outcome) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "sample 1 is not the same in ") {
			t.Errorf("%s: %v", end, err)
		}
	}
}

// A warning tells the greatest value that a gauge has had.
func TestWarningsTellTheWorst(t *testing.T) {
	g := gauges{all: []sim.Gauge{{Key: "bent", Warn: 1}}, now: make([]float64, 1), worst: make([]float64, 1)}
	for _, v := range []float64{0.5, 3, 2} {
		g.read(gauged{v: v})
	}
	if got := g.warnings(); got != "bent 3" {
		t.Errorf("%q", got)
	}
}

// gauged is a model with one gauge.
type gauged struct {
	sim.Model
	v float64
}

func (m gauged) Measure(dst []float64) { dst[0] = m.v }
