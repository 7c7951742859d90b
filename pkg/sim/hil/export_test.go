package hil

// Unexported names for the external tests.
var (
	ChoosePeak      = choosePeak
	Dominant        = dominant
	Extremes        = extremes
	HealthInTest    = health
	LoopInTest      = loop
	Loops           = loops
	MeanSpeed       = meanSpeed
	Rigid           = rigid
	TransientInTest = transient
)
