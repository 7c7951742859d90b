package robotfile_test

import (
	"testing"

	"sinew/pkg/sim/robotfile"
)

func TestDidYouMean(t *testing.T) {
	for word, want := range map[string]string{
		"lenght_m": "length_m", "radius": "radius_m", "radius_mm": "radius_m", "densty_kg_per_m3": "density_kg_per_m3", "colour": "", "": "",
	} {
		got := robotfile.DidYouMean(word, []string{"length_m", "radius_m", "density_kg_per_m3"})
		if want != "" {
			want = "did you mean " + want + "?"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
