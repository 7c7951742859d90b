package master

// Unexported names for the external tests.
var (
	Canonical = canonical
	CheckName = checkName
	Resolve   = resolve
	Size      = size
)
