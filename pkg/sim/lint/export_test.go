package lint

// Unexported names for the external tests.
var About = about
