package robots

// Unexported names for the external tests.
var (
	All   = all
	Files = files
)
