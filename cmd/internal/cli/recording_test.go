package cli

import (
	"reflect"
	"testing"
)

func TestWithoutFlag(t *testing.T) {
	args := []string{"sim", "--out", "x", "--out=y", "--outer", "z"}
	if got := WithoutFlag(args, "--out"); !reflect.DeepEqual(got, []string{"sim", "--outer", "z"}) {
		t.Errorf("%q", got)
	}
}
