package identify_test

import (
	"strings"
	"testing"

	command "sinew/cmd/internal/identify"
)

func TestLengthsOfFlags(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "0.01": 0.01, "0.01m": 0.01, "10mm": 0.01, "10 mm": 0.01, "500um": 5e-4, "500µm": 5e-4} {
		if got, err := command.Length("--noise", text); err != nil || got < want*(1-1e-12) || got > want*(1+1e-12) {
			t.Errorf("%q: %g, %v", text, got, err)
		}
	}
	for _, text := range []string{"0", "-1m", "1cm", "m", "inf", "nan"} {
		if got, err := command.Length("--noise", text); err == nil || !strings.Contains(err.Error(), "--noise "+text+": allowed: a distance above 0") {
			t.Errorf("%q: %g, %v", text, got, err)
		}
	}
}
