package mesh_test

import (
	"sync"
	"testing"

	"sinew/pkg/sim/shape/mesh"
)

// TestSharedFieldsOfManyGoroutines demands one field for all who ask at once.
func TestSharedFieldsOfManyGoroutines(t *testing.T) {
	f := mesh.Ball(1, 6)
	var fields [8]*mesh.Field
	var wait sync.WaitGroup
	for i := range fields {
		wait.Go(func() { fields[i], _ = mesh.Shared(f, mesh.Options{Scale: 0.03}) })
	}
	wait.Wait()
	for _, field := range fields {
		if field == nil || field != fields[0] {
			t.Fatalf("fields are %p, want one", fields)
		}
	}
}
