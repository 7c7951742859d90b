package identify

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sinew/pkg/sim/hil/fit"
)

// request asks for a free number: NAME[=MIN:MAX][:log|:lin].
type request struct {
	name     string
	bounded  bool
	min, max float64
	search   string // log, lin or empty
}

func parseRequest(text string) (r request, err error) {
	rest := text
	for _, s := range []string{"log", "lin"} {
		if cut, ok := strings.CutSuffix(rest, ":"+s); ok {
			rest, r.search = cut, s
		}
	}
	name, bounds, bounded := strings.Cut(rest, "=")
	r.name, r.bounded = strings.TrimSpace(name), bounded
	if bounded {
		low, high, ok := strings.Cut(bounds, ":")
		var err1, err2 error
		r.min, err1 = strconv.ParseFloat(low, 64)
		r.max, err2 = strconv.ParseFloat(high, 64)
		if !ok || err1 != nil || err2 != nil || !(r.min < r.max) || math.IsInf(r.min, 0) || math.IsInf(r.max, 0) {
			return r, fmt.Errorf("%s: %q are no bounds; write NAME=MIN:MAX with MIN below MAX, for example youngs_modulus_pa=1e6:1e8", text, bounds)
		}
	}
	if r.name == "" || strings.Contains(r.name, ":") {
		return r, fmt.Errorf("%s: write NAME[=MIN:MAX][:log|:lin]", text)
	}
	return r, nil
}

// apply lays what was asked for over the defaults of a parameter.
func (r *request) apply(p *fit.Parameter) error {
	if r.bounded {
		p.Min, p.Max = r.min, r.max
		p.Log = p.Log && p.Min > 0
		if p.Start < p.Min || p.Start > p.Max {
			return fmt.Errorf("%s: the robot file has %g %s, outside the bounds [%g, %g]", p.Name, p.Start, p.Unit, p.Min, p.Max)
		}
	}
	if r.search != "" {
		p.Log = r.search == "log"
	}
	switch {
	case math.IsNaN(p.Min) || math.IsNaN(p.Max):
		return fmt.Errorf("%s: it starts from %g %s, which says nothing about its size; give bounds, %s=MIN:MAX", p.Name, p.Start, p.Unit, p.Name)
	case p.Log && p.Min <= 0:
		return fmt.Errorf("%s: a logarithmic search needs a lower bound above 0, not %g %s", p.Name, p.Min, p.Unit)
	}
	return nil
}
