package run_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"sinew/cmd/internal/run"
)

// A signal, the end of the duration and the network end a run well; nothing else does.
func TestCleanEnd(t *testing.T) {
	for _, cause := range []error{nil, context.Canceled, context.DeadlineExceeded, run.ErrNetwork, fmt.Errorf("x: %w", context.Canceled)} {
		if !run.CleanEnd(cause) {
			t.Errorf("%v is no clean end", cause)
		}
	}
	if run.CleanEnd(errors.New("simulation loop: broken")) {
		t.Error("a loop that broke is a clean end")
	}
}

// Nested parameters are named with slashes, in the order of their names.
func TestFlatten(t *testing.T) {
	var got []string
	run.Flatten(map[string]any{
		"solver": map[string]any{"step_s": 1e-3, "method": "cg4", "empty": map[string]any{}},
		"body":   map[string]any{"shape": map[string]any{"sphere_m": 2}},
		"a":      []any{1},
	}, "", func(path string, value any) { got = append(got, fmt.Sprint(path, "=", value)) })
	if want := []string{"a=[1]", "body/shape/sphere_m=2", "solver/method=cg4", "solver/step_s=0.001"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
