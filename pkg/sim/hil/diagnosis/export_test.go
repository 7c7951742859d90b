package diagnosis

// Unexported names for the external tests.
var (
	Axes      = axes
	Component = component
)
