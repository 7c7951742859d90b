package staggered_test

import (
	"fmt"
	"strings"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/staggered"
)

// A body needs a node other than the clamped one, and scheme Corrected.
func TestAttachedBodiesRefused(t *testing.T) {
	for _, c := range []struct {
		node   int
		scheme staggered.Scheme
		panics bool
	}{{0, staggered.Corrected, true}, {1, staggered.Corrected, false}, {4, staggered.Corrected, false}, {5, staggered.Corrected, true}, {2, staggered.Original, true}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			defer func() {
				got := recover()
				if (got != nil) != c.panics {
					t.Fatalf("panic %v", got)
				}
				if want := fmt.Sprintf("at node %d of 4", c.node); c.panics && !strings.Contains(fmt.Sprint(got), want) {
					t.Errorf("panic %v, want one that says %q", got, want)
				}
			}()
			staggered.Rod(t, staggered.SoftParams(4), staggered.Options{Scheme: c.scheme, Attached: []rod.AttachedBody{staggered.Body(c.node)}})
		})
	}
}
