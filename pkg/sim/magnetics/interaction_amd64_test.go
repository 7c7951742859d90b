package magnetics

import (
	"math/rand/v2"
	"testing"
)

// Four pairs at a time and one after the other have the same bits, whatever is in the
// lanes that are not in use.
func TestVectorsChangeNoBit(t *testing.T) {
	if !hasVectors {
		t.Skip("this processor has no AVX2")
	}
	x, m := RandomDipoles(rand.New(rand.NewPCG(5, 6)), tileLen+1)
	for n := range tileLen + 1 {
		var t1, t2 tile
		var r1, r2 row
		t1.set(x[:tileLen], m)
		t2 = t1
		at := x[tileLen]
		if n < tileLen {
			at = x[n] // in the first lane that is not in use
		}
		r1.set(at, m[tileLen])
		r2 = r1
		addRowPlain(&r1, &t1, n)
		addRowAVX2(&r2, &t2, n)
		if r1 != r2 || t1 != t2 {
			t.Errorf("%d of a tile: row\n%v and\n%v", n, r1, r2)
		}
	}
}

// BenchmarkRow is a row of a whole tile.
func BenchmarkRow(b *testing.B) {
	x, m := RandomDipoles(rand.New(rand.NewPCG(5, 6)), tileLen+1)
	for _, k := range []struct {
		name   string
		addRow func(*row, *tile, int)
	}{{"plain", addRowPlain}, {"vectors", addRowAVX2}} {
		b.Run(k.name, func(b *testing.B) {
			if k.name == "vectors" && !hasVectors {
				b.Skip("this processor has no AVX2")
			}
			t, r := new(tile), new(row)
			t.set(x[:tileLen], m)
			r.set(x[tileLen], m[tileLen])
			for b.Loop() {
				k.addRow(r, t, tileLen)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tileLen, "ns/pair")
		})
	}
}
