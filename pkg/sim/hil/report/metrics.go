package report

import (
	"encoding/json"
	"io"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// Number is a float64 that JSON shows as null where it is NaN or infinite.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !spatial.IsFinite(v) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Metrics is the content of metrics.json. Keys keep their meaning; new ones may
// be added. null stands for what is not known.
type Metrics struct {
	Simulation Source `json:"simulation"`
	Hardware   Source `json:"hardware"`
	// LengthM is the length of the robot, to which percentages refer.
	LengthM Number `json:"robot_length_m"`
	// Latency is positive where the hardware is later.
	Latency   *LatencyMetrics  `json:"latency"`
	Alignment AlignmentMetrics `json:"alignment"`
	// AsRecorded holds the errors with the latency left in.
	AsRecorded ResultMetrics `json:"as_recorded"`
	// LatencyRemoved holds the errors without the latency.
	LatencyRemoved ResultMetrics      `json:"latency_removed"`
	Hysteresis     []LoopMetrics      `json:"hysteresis"`
	StepResponses  []StepMetrics      `json:"step_responses"`
	Actuation      []ActuationMetrics `json:"actuation"`
	Shape          []ShapeMetrics     `json:"shape"`
	// Markers are the errors of points with names, MarkersPooled those of all of them.
	Markers       []MarkerMetrics  `json:"markers,omitempty"`
	MarkersPooled *DistanceMetrics `json:"markers_pooled,omitempty"`
	Warnings      []string         `json:"warnings"`
}

// Source describes one recording.
type Source struct {
	Name           string `json:"name"`
	Samples        int    `json:"samples"`
	StartS         Number `json:"start_s"`
	EndS           Number `json:"end_s"`
	RateHz         Number `json:"rate_hz"` // 1 / median interval
	JitterS        Number `json:"interval_jitter_s"`
	LongestS       Number `json:"longest_interval_s"`
	Gaps           int    `json:"gaps"`
	MissingSamples int    `json:"missing_samples"`
	// ExtentM is the diagonal of the bounding box of the compared samples.
	ExtentM Number `json:"extent_m"`
	// MeanSpeed is the mean speed of the compared samples.
	MeanSpeed Number `json:"mean_speed_m_per_s"`
	// DominantHz is the highest peak of the spectrum of the compared samples.
	DominantHz Number `json:"dominant_frequency_hz"`
}

// LatencyMetrics describe the latency: what was removed and what was estimated.
type LatencyMetrics struct {
	Mode       hil.LatencyMode `json:"mode"`
	RemovedS   Number          `json:"removed_s"`
	EstimateS  Number          `json:"estimate_s"`
	LowS       Number          `json:"low_s"`  // lower bound of the 95 % interval
	HighS      Number          `json:"high_s"` // upper bound of the 95 % interval
	Corr       Number          `json:"correlation"`
	Method     hil.Method      `json:"method"`
	Reliable   bool            `json:"reliable"`
	Ambiguous  bool            `json:"ambiguous"`
	SpeedS     Number          `json:"by_speed_s"`
	PositionS  Number          `json:"by_position_s"`
	SmoothingS Number          `json:"smoothing_s"`
	Drift      *DriftMetrics   `json:"drift,omitempty"` // nil: one latency fits as well
}

// DriftMetrics describe a latency that changes at a constant rate.
type DriftMetrics struct {
	Rate    Number `json:"rate"`    // s per s of the hardware's clock
	StartS  Number `json:"start_s"` // at the first sample of the hardware
	EndS    Number `json:"end_s"`
	RMSEM   Number `json:"rmse_m"` // after the best rigid motion, with the drift removed
	OneRMSE Number `json:"rmse_with_one_latency_m"`
}

// AlignmentMetrics describe the motion that brought measured coordinates to the
// simulation's world.
type AlignmentMetrics struct {
	Kind        hil.Alignment         `json:"kind"`
	Rotations   hil.RotationAlignment `json:"rotations"`
	Translation [3]Number             `json:"translation_m"`
	Quaternion  [4]Number             `json:"quaternion_xyzw"`
	AngleRad    Number                `json:"angle_rad"`
	Degenerate  string                `json:"degenerate"`
}

// ResultMetrics are the errors with one latency.
type ResultMetrics struct {
	LatencyS Number           `json:"latency_removed_s"`
	Samples  int              `json:"samples"`
	Outside  int              `json:"samples_outside"`
	InGaps   int              `json:"samples_in_gaps"`
	Position PositionMetrics  `json:"position"`
	Rotation *RotationMetrics `json:"rotation"`
}

// PositionMetrics describe |e|, e = simulation minus hardware.
type PositionMetrics struct {
	RMSE          Number    `json:"rmse_m"`
	Mean          Number    `json:"mean_m"`
	Median        Number    `json:"median_m"`
	Std           Number    `json:"std_m"`
	P95           Number    `json:"p95_m"`
	Max           Number    `json:"max_m"`
	RMSEPercent   Number    `json:"rmse_percent_of_length"`
	MeanPercent   Number    `json:"mean_percent_of_length"`
	MedianPercent Number    `json:"median_percent_of_length"`
	P95Percent    Number    `json:"p95_percent_of_length"`
	MaxPercent    Number    `json:"max_percent_of_length"`
	Bias          [3]Number `json:"bias_m"` // mean of e
	AxisRMSE      [3]Number `json:"axis_rmse_m"`
}

// RotationMetrics describe the geodesic angle between the rotations.
type RotationMetrics struct {
	RMSE   Number `json:"rmse_rad"`
	Mean   Number `json:"mean_rad"`
	Median Number `json:"median_rad"`
	Std    Number `json:"std_rad"`
	P95    Number `json:"p95_rad"`
	Max    Number `json:"max_rad"`
}

// LoopMetrics describe the hysteresis of the tip over a tendon. Areas are per cycle,
// in m² over pull and J over tension; fractions are of the bounding box.
type LoopMetrics struct {
	Tendon     string       `json:"tendon"`
	Quantity   hil.Quantity `json:"quantity"`
	Unit       string       `json:"area_unit"`
	Cycles     int          `json:"cycles"`
	SimArea    Number       `json:"simulation_area"`
	HwArea     Number       `json:"hardware_area"`
	SimPercent Number       `json:"simulation_percent_of_box"`
	HwPercent  Number       `json:"hardware_percent_of_box"`
}

// StepMetrics describe the response to one step of a tendon.
type StepMetrics struct {
	Tendon string           `json:"tendon"`
	AtS    Number           `json:"at_s"`
	WayM   Number           `json:"way_m"`
	Sim    TransientMetrics `json:"simulation"`
	Hw     TransientMetrics `json:"hardware"`
}

// TransientMetrics describe one response.
type TransientMetrics struct {
	RiseS        Number `json:"rise_time_s"` // 10 % to 90 %
	Overshoot    Number `json:"overshoot_percent"`
	FrequencyHz  Number `json:"frequency_hz"`
	DampingRatio Number `json:"damping_ratio"`
}

// ActuationMetrics describe how far the two actuations are apart, in m for pulls
// and N for tensions.
type ActuationMetrics struct {
	Tendon   string       `json:"tendon"`
	Quantity hil.Quantity `json:"quantity"`
	Unit     string       `json:"unit"`
	RMSE     Number       `json:"rmse"`
	Max      Number       `json:"max"`
}

// ShapeMetrics are errors at one place of the backbone.
type ShapeMetrics struct {
	Fraction Number `json:"fraction_of_length"`
	ArcM     Number `json:"arc_length_m"`
	RMSE     Number `json:"rmse_m"`
	Mean     Number `json:"mean_m"`
	Max      Number `json:"max_m"`
}

// MarkerMetrics are the errors of one marker.
type MarkerMetrics struct {
	Name    string `json:"name"`
	Samples int    `json:"samples"`
	Outside int    `json:"samples_outside"`
	DistanceMetrics
	Bias     [3]Number       `json:"bias_m"`             // mean of simulation minus hardware
	Rotation *MarkerRotation `json:"rotation,omitempty"` // of links of mechanisms
}

// MarkerRotation describes angles between the rotations of a link.
type MarkerRotation struct {
	RMSE Number `json:"rmse_rad"`
	Max  Number `json:"max_rad"`
}

// DistanceMetrics describe distances.
type DistanceMetrics struct {
	RMSE        Number `json:"rmse_m"`
	Mean        Number `json:"mean_m"`
	Median      Number `json:"median_m"`
	P95         Number `json:"p95_m"`
	Max         Number `json:"max_m"`
	RMSEPercent Number `json:"rmse_percent_of_length"`
	MaxPercent  Number `json:"max_percent_of_length"`
}

// WriteMetrics writes metrics.json.
func (d *Document) WriteMetrics(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d.Metrics())
}

func vector(v spatial.Vec) [3]Number { return [3]Number{Number(v.X), Number(v.Y), Number(v.Z)} }
