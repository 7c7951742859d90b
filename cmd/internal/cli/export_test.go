package cli

// Unexported names for the external tests.
const (
	CostGiveUp = costGiveUp
	LogLines   = logLines
)

var (
	Duration   = duration
	RevisionOf = revisionOf
)
