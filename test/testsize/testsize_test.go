package testsize_test

import (
	"flag"
	"testing"

	"sinew/test/testsize"
)

func TestSizes(t *testing.T) {
	short := flag.Lookup("test.short").Value
	before := short.String()
	defer short.Set(before)
	for _, c := range []struct {
		short, variable string
		want            int
	}{{"true", "", 1}, {"true", "full", 1}, {"false", "", 2}, {"false", "full", 3}} {
		short.Set(c.short)
		t.Setenv("SINEW_TEST_SIZE", c.variable)
		if got := testsize.Of(1, 2, 3); got != c.want {
			t.Errorf("-short=%s, SINEW_TEST_SIZE=%q: %d, want %d", c.short, c.variable, got, c.want)
		}
	}
}
