package spatial

// Unexported names for the external tests.
const CotSeriesMax2 = cotSeriesMax2
