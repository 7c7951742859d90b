package identify

// Unexported names for the external tests.
var (
	Length       = length
	ShareText    = shareText
	Significant  = significant
	StandingText = standingText
)
