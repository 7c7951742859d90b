package trajectoryfile_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/trajectoryfile"
)

// Files of other kinds are refused.
func TestUnknownFormat(t *testing.T) {
	if _, err := trajectoryfile.Read(trajectoryfile.Source{File: "x.txt"}); err == nil || !strings.Contains(err.Error(), "neither .csv nor .mcap nor .bag") {
		t.Errorf("error %v", err)
	}
}
