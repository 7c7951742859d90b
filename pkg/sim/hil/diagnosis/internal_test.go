package diagnosis

import (
	"strings"
	"testing"
)

// Tests of what has no exported name.

// Whatever is found of a body, it says what to do without a word of rods; tensions, which it has not, share nothing.
func TestMeaningOfABody(t *testing.T) {
	for _, e := range effects {
		f := Finding{Effect: e}
		meaning := f.meaningOfBody()
		if (meaning == "") != (e == Shared) {
			t.Errorf("%s: %q", e, meaning)
		}
		for _, word := range []string{"rod", "bend", "tendon", "drive", "stiffness", "base"} {
			if strings.Contains(meaning, word) {
				t.Errorf("%s of a body speaks of a %s: %s", e, word, meaning)
			}
		}
	}
	for body, word := range map[bool]string{false: "rod", true: "flow"} {
		if f := Unnamed([]*Series{{Body: body}}, 0.9); !strings.Contains(f.Text, word) {
			t.Errorf("body %t: %s", body, f.Text)
		}
	}
}
