package cli_test

import (
	"testing"

	"sinew/cmd/internal/cli"
)

func TestSeconds(t *testing.T) {
	for text, want := range map[string]float64{"1.5": 1.5, "1.5s": 1.5, "1500ms": 1.5, "2m": 120, "0.1h": 360, "20us": 20.0 / 1e6, "0.0123456789012s": 0.0123456789012} {
		var s cli.Seconds
		if err := s.UnmarshalText([]byte(text)); err != nil || float64(s) != want {
			t.Errorf("%s: got %v, %v, want %v", text, float64(s), err, want)
		}
	}
	for _, text := range []string{"", "s", "-1", "0", "NaN", "Inf", "1e308h", "1 s x", "1d"} {
		var s cli.Seconds
		if s.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q was taken as %v s", text, s)
		}
	}
}
