package cli_test

import (
	"reflect"
	"testing"

	"sinew/cmd/internal/cli"
)

func TestWithoutFlag(t *testing.T) {
	args := []string{"sim", "--out", "x", "--out=y", "--outer", "z"}
	if got := cli.WithoutFlag(args, "--out"); !reflect.DeepEqual(got, []string{"sim", "--outer", "z"}) {
		t.Errorf("%q", got)
	}
}
