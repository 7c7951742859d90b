package microrobot_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"testing"

	"sinew/pkg/sim/microrobot"
	"sinew/test/testsize"
)

// measured are speeds of artificial bacterial flagella against the frequency of the
// rotating field (Mhanna et al., Small 10 (2014) 1953-1957, digitised).
func measured(t *testing.T) (frequency, speed []float64) {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(microrobot.Read(t, "abf_speed_vs_frequency.csv")))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		f, err1 := strconv.ParseFloat(row[0], 64)
		v, err2 := strconv.ParseFloat(row[1], 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("row %v", row)
		}
		frequency, speed = append(frequency, f), append(speed, v)
	}
	return frequency, speed
}

// swims is the mean speed (m/s) of the golden helix in a field of the given frequency
// (Hz) whose strength puts its step-out at stepOut (Hz), after a second of settling.
func swims(t *testing.T, frequency, stepOut float64) float64 {
	t.Helper()
	m := microrobot.NewModel(t, fmt.Sprintf(microrobot.Helix+"gravity_m_per_s2: [0, 0, 0]\n", frequency))
	// Ω_so = m B A/(A C − B²)
	const a, b, c, moment = 1.5e-7, 1.6e-14, 2.3e-18, 1e-13
	strength := 2 * math.Pi * stepOut * (a*c - b*b) / (moment * a)
	microrobot.Command(t, m, "rotating_field", 1, 0, 0, strength, frequency, 0)
	const h = 1e-3
	microrobot.StepsInTest(t, m, 1000, h)
	start, span := m.Placement().P, 3.0
	if frequency > stepOut { // whole slips
		slips := math.Sqrt(frequency*frequency - stepOut*stepOut)
		span = math.Ceil(3*slips) / slips
	}
	n := math.Ceil(span / h)
	microrobot.StepsInTest(t, m, int(n), span/n)
	return -(m.Placement().P.X - start.X) / span
}

// The simulator fits the measured speeds with two parameters: the gain of the helix,
// which scales all speeds, and the step-out frequency, that is, the magnetic moment.
func TestMeasuredSwimmers(t *testing.T) {
	testsize.SkipInShort(t)
	frequency, speed := measured(t)
	peak := 0.0
	for _, v := range speed {
		peak = math.Max(peak, v)
	}
	// fit is the root mean square error for the best gain
	fit := func(stepOut float64) float64 {
		var uv, uu, vv float64
		for i, f := range frequency {
			u := swims(t, f, stepOut)
			uv, uu, vv = uv+u*speed[i], uu+u*u, vv+speed[i]*speed[i]
		}
		return math.Sqrt(math.Max(0, vv-uv*uv/uu) / float64(len(frequency)))
	}
	// golden section
	const ratio = 0.6180339887498949
	low, high := 9.05, 10.0
	a, b := high-ratio*(high-low), low+ratio*(high-low)
	fa, fb := fit(a), fit(b)
	for high-low > 0.005 {
		if fa < fb {
			high, b, fb = b, a, fa
			a = high - ratio*(high-low)
			fa = fit(a)
		} else {
			low, a, fa = a, b, fb
			b = low + ratio*(high-low)
			fb = fit(b)
		}
	}
	best := (low + high) / 2
	rms := fit(best)
	t.Logf("step-out %.3f Hz, rms %.3g (%.2g %% of the peak)", best, rms, 100*rms/peak)
	microrobot.Near(t, "step-out", best, 9.26, 0.03*9.26)
	if rms > 0.04*peak {
		t.Errorf("rms %.3g, above 4 %% of the peak %.3g", rms, peak)
	}
}
