package bounded

// Unexported names for the external tests.
const AcceptPeriod = acceptPeriod

var LogErrorsInTest = logErrors
