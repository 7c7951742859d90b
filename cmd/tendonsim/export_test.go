package main

// Unexported names for the external tests.
var Build = build
