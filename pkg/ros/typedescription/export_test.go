package typedescription

// Unexported names for the external tests.
var ServiceName = serviceName
