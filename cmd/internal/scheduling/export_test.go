package scheduling

// Unexported names for the external tests.
var (
	LockMemory    = lockMemory
	LockPermitted = lockPermitted
	MemoryLimit   = memoryLimit
)
