package masterclient

// Unexported names for the external tests.
const MaxURI = maxURI

var Bracketed = bracketed
