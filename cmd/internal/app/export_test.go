package app

// Unexported names for the external tests.
var NewParser = newParser
