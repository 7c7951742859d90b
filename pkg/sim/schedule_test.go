package sim_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
)

func TestSchedule(t *testing.T) {
	tests := []struct {
		name           string
		duration, step float64
		equal          bool
		steps          int
		first, last    float64 // step lengths
	}{
		{"whole", 1, 5e-5, false, 20000, 5e-5, 5e-5},
		{"quotient just below a whole number", 0.3, 1e-5, false, 30000, 1e-5, 1e-5},
		{"remainder", 2, 1.8e-5, false, 111112, 1.8e-5, 2 - 111111*1.8e-5},
		{"decimal", 1.5, 0.001, false, 1500, 0.001, 0.001},
		{"half a step more", 0.0105, 0.001, false, 11, 0.001, 0.0105 - 0.010},
		{"less than one step", 0.0004, 0.001, false, 1, 0.0004, 0.0004},
		{"remainder too small to matter", 1 + 5e-10, 0.001, false, 1000, 0.001, 0.001},
		{"a remainder of 1.5e-6 of a step", 1 + 1.5e-9, 0.001, false, 1001, 0.001, 1.5e-9},
		{"1.5e-6 of a step too short", 1 - 1.5e-9, 0.001, false, 1000, 0.001, 0.001 - 1.5e-9},
		{"nothing", 0, 0.001, false, 0, 0, 0},
		// The golden run of the PyElastica reference: 111111 steps of 1.8000018000018e-05 s.
		{"equal", 2, 1.8e-5, true, 111111, 1.8000018000018e-05, 1.8000018000018e-05},
		{"equal, quotient just below a whole number", 0.3, 1e-5, true, 30000, 9.999999999999999e-06, 9.999999999999999e-06},
		{"equal, whole", 1, 5e-5, true, 20000, 5e-5, 5e-5},
		{"equal, less than one step", 0.0004, 0.001, true, 1, 0.0004, 0.0004},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := sim.NewSchedule(tt.duration, tt.step, tt.equal)
			if err != nil || s.Steps() != tt.steps {
				t.Fatalf("%d steps, %v; want %d", s.Steps(), err, tt.steps)
			}
			if s.Time(0) != 0 || s.Time(s.Steps()) != tt.duration {
				t.Errorf("from %v to %v", s.Time(0), s.Time(s.Steps()))
			}
			if tt.steps == 0 {
				return
			}
			const roundOff = 1e-15
			if first, last := s.Step(0), s.Step(tt.steps-1); first != tt.first || math.Abs(last-tt.last) > roundOff {
				t.Errorf("steps of %v and %v, want %v and %v", first, last, tt.first, tt.last)
			}
			for i := range min(tt.steps, 1000) {
				if !(s.Time(i) < s.Time(i+1)) || s.Step(i) <= 0 {
					t.Fatalf("step %d: from %v to %v, length %v", i, s.Time(i), s.Time(i+1), s.Step(i))
				}
			}
		})
	}
}

func TestScheduleRefuses(t *testing.T) {
	for _, tt := range []struct {
		duration, step float64
		want           string
	}{
		{-1, 1, "duration = -1 s"}, {math.NaN(), 1, "duration = NaN s"}, {math.Inf(1), 1, "duration = +Inf s"},
		{1, 0, "step = 0 s"}, {1, math.NaN(), "step = NaN s"}, {1, math.Inf(1), "step = +Inf s"},
		{1e10, 1e-10, "fewer than 2^53 steps"},
	} {
		if _, err := sim.NewSchedule(tt.duration, tt.step, false); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v s in steps of %v s: %v, want %q", tt.duration, tt.step, err, tt.want)
		}
	}
	var s sim.Schedule
	for _, hz := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := s.SampleHz(hz); err == nil {
			t.Errorf("%v Hz: no error", hz)
		}
	}
	if _, err := s.SampleEvery(0); err == nil {
		t.Error("every 0 steps: no error")
	}
}

// rows lists the steps that are sampled.
func rows(s sim.Schedule, p *sim.Sampler) (steps []int) {
	for i := 0; i <= s.Steps(); i++ {
		if p.Due(i) {
			steps = append(steps, i)
		}
	}
	return steps
}

func TestSampling(t *testing.T) {
	upTo := func(last, every int) (steps []int) {
		for i := 0; i <= last; i += every {
			steps = append(steps, i)
		}
		return steps
	}
	tests := []struct {
		name           string
		duration, step float64
		equal          bool
		hz             float64
		every          int
		want           []int
	}{
		{"100 Hz", 1, 5e-5, true, 100, 0, upTo(20000, 200)},
		{"1 kHz, t = k/hz rounded differently", 0.3, 2e-5, false, 1000, 0, upTo(15000, 50)},
		{"100 Hz, 100 * 0.0007 < 0.07", 0.07, 0.0007, false, 100 / 7.0, 0, []int{0, 100}},
		{"49 Hz, 49 * (1 / 49) < 1", 3 * 0.02040816226530612, 0.02040816226530612, false, 49, 0, []int{0, 1, 3}},
		{"every", 0.3, 1e-5, false, 0, 1000, upTo(30000, 1000)},
		{"every, and the last", 0.01, 0.001, false, 0, 4, []int{0, 4, 8, 10}},
		{"at or after", 0.01, 0.0015, false, 500, 0, []int{0, 2, 3, 4, 6, 7}}, // 0 3 4.5 6 9 10 ms
		{"the last", 0.0105, 0.001, false, 200, 0, []int{0, 5, 10, 11}},
		{"as fast as it steps", 0.005, 0.001, false, 1e6, 0, []int{0, 1, 2, 3, 4, 5}},
		{"far faster than it steps", 0.005, 0.001, false, 1e300, 0, []int{0, 1, 2, 3, 4, 5}},
		{"slower than the run", 0.005, 0.001, false, 0.1, 0, []int{0, 5}},
		{"nothing", 0, 0.001, false, 100, 0, []int{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := sim.NewSchedule(tt.duration, tt.step, tt.equal)
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.SampleEvery(max(tt.every, 1))
			if tt.hz > 0 {
				p, err = s.SampleHz(tt.hz)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := rows(s, p); !slices.Equal(got, tt.want) {
				t.Errorf("rows after steps %v, want %v", short(got), short(tt.want))
			}
		})
	}
}

func short(v []int) []int { return v[:min(len(v), 20)] }

// The sampler against its definition, for steps and rates that do not fit.
func TestSamplingByDefinition(t *testing.T) {
	for _, hz := range []float64{30, 60, 99.7, 100, 333, 1000, 7000} {
		for _, step := range []float64{1.8e-5, 1e-4, 0.00037, 0.001} {
			s, _ := sim.NewSchedule(1.7, step, false)
			p, _ := s.SampleHz(hz)
			var want []int
			for i, k := 0, 0; i <= s.Steps(); i++ {
				due := i == s.Steps()
				for s.Time(i) >= float64(k)/hz-sim.SampleTime {
					due = true
					k++
				}
				if due {
					want = append(want, i)
				}
			}
			if got := rows(s, p); !slices.Equal(got, want) {
				t.Errorf("%v Hz in steps of %v s: %d rows, want %d", hz, step, len(got), len(want))
			}
		}
	}
}

// The ends of what is allowed, and exact remainders.
func TestScheduleLimits(t *testing.T) {
	for _, tt := range []struct {
		name           string
		duration, step float64
		steps          int // -1 if it is refused
		last           float64
	}{
		{"longest duration", math.MaxFloat64, math.MaxFloat64, 1, math.MaxFloat64},
		{"longest step", 1, math.MaxFloat64, 0, 0},
		{"most steps", sim.MaxStepsInTest, 1, -1, 0},
		{"one step less", sim.MaxStepsInTest - 1, 1, sim.MaxStepsInTest - 1, 1},
		{"1e-6 of a step more", 1e-6, 1, 0, 0},
		{"1e-6 of a step less", 999999, 1e6, 1, 1e6}, // steps of 1e6 s, so that 1e-6 of one is exact
	} {
		s, err := sim.NewSchedule(tt.duration, tt.step, false)
		if tt.steps < 0 {
			if err == nil {
				t.Errorf("%s: %d steps, want an error", tt.name, s.Steps())
			}
			continue
		}
		if err != nil || s.Steps() != tt.steps {
			t.Errorf("%s: %d steps, %v; want %d", tt.name, s.Steps(), err, tt.steps)
			continue
		}
		if tt.steps > 0 && s.Step(tt.steps-1) != tt.last {
			t.Errorf("%s: the last step is %v s, want %v s", tt.name, s.Step(tt.steps-1), tt.last)
		}
	}
}

func TestSamplingLimits(t *testing.T) {
	s, err := sim.NewSchedule(4e-9, 1e-9, false)
	if err != nil {
		t.Fatal(err)
	}
	every, err := s.SampleEvery(1)
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(s, every); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("every step: rows after steps %v", got)
	}
	fastest, err := s.SampleHz(math.MaxFloat64)
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(s, fastest); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("as fast as can be: rows after steps %v", got)
	}
	// a row that is due 1e-9 s after a step is taken at that step
	slow, err := s.SampleHz(5e8)
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(s, slow); !slices.Equal(got, []int{0, 1, 3, 4}) {
		t.Errorf("every 2e-9 s: rows after steps %v, want 0, 1, 3, 4", got)
	}
}
