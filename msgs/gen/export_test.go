package main

// Unexported names for the external tests.
var (
	Builtins  = builtins
	Camel     = camel
	Committed = committed
	Generate  = generate
	Load      = load
	Snake     = snake
)
