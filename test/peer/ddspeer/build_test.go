package ddspeer

import "testing"

// TestBuild builds all programs, so that no other test has to.
func TestBuild(t *testing.T) {
	for _, p := range All {
		t.Run(p.Name, func(t *testing.T) { p.Path(t) })
	}
}
