package stokes

import "testing"

// Four pairs at a time and one after the other have the same bits, whatever is in the
// lanes that are not in use.
func TestVectorsChangeNoBit(t *testing.T) {
	if !hasVectors {
		t.Skip("this processor has no AVX2")
	}
	overlaps := 0
	for _, box := range []float64{3, 100} {
		s, x, loads := SwarmOf(t, tileLen+1, box)
		for n := range tileLen + 1 {
			var t1, t2 tile
			var r1, r2 row
			t1.set(x[:tileLen], loads, s.radii)
			t2 = t1
			last := x[min(n, tileLen-1)] // in the first lane that is not in use
			r1.set(last, &loads[tileLen], s.radii[tileLen], s.scale)
			r2 = r1
			o1, o2 := addRowPlain(&r1, &t1, n), addRowAVX2(&r2, &t2, n)
			if o1 {
				overlaps++
			}
			if o1 != o2 || r1 != r2 || t1 != t2 {
				t.Errorf("%d of a tile: overlaps %v and %v, row\n%v and\n%v", n, o1, o2, r1, r2)
			}
		}
	}
	if overlaps < 10 || overlaps > 2*tileLen-10 {
		t.Errorf("%d of %d rows have overlaps: the test has too few or too many", overlaps, 2*tileLen)
	}
}

// BenchmarkRow is a row of a whole tile.
func BenchmarkRow(b *testing.B) {
	s, x, loads := SwarmOf(b, tileLen+1, 100)
	for _, k := range []struct {
		name   string
		addRow func(*row, *tile, int) bool
	}{{"plain", addRowPlain}, {"vectors", addRowAVX2}} {
		b.Run(k.name, func(b *testing.B) {
			if k.name == "vectors" && !hasVectors {
				b.Skip("this processor has no AVX2")
			}
			t, r := new(tile), new(row)
			t.set(x[:tileLen], loads, s.radii)
			r.set(x[tileLen], &loads[tileLen], s.radii[tileLen], s.scale)
			for b.Loop() {
				k.addRow(r, t, tileLen)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tileLen, "ns/pair")
		})
	}
}
