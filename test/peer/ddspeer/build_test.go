package ddspeer_test

import (
	"testing"

	"sinew/test/peer/ddspeer"
)

// TestBuild builds all programs, so that no other test has to.
func TestBuild(t *testing.T) {
	for _, p := range ddspeer.All {
		t.Run(p.Name, func(t *testing.T) { p.Path(t) })
	}
}
