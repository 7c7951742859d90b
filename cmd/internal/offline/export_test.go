package offline

// Unexported names for the external tests.
var (
	Exactness    = exactness
	NewMeshError = newMeshError
)
