package identify

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
)

// RequestForm is how a free number is asked for.
const RequestForm = "NAME[=MIN:MAX][:log|:lin], with a prior NAME=[VALUE]+-SIGMA[%] or NAME=MIN:[VALUE]+-SIGMA[%]:MAX"

// request asks for a free number, see RequestForm.
type request struct {
	name     string
	index    int // of its text
	bounded  bool
	min, max float64
	search   string // log, lin or empty
	prior    *priorRequest
}

// priorRequest is what is known beside the data: by default about the robot file's value.
type priorRequest struct {
	mean, sigma float64 // mean NaN: that of the robot file
	percent     bool    // sigma is a share of the mean
}

func parseRequest(text string) (r request, err error) {
	rest := text
	for _, s := range []string{"log", "lin"} {
		if cut, ok := strings.CutSuffix(rest, ":"+s); ok {
			rest, r.search = cut, s
		}
	}
	name, values, valued := strings.Cut(rest, "=")
	r.name = strings.TrimSpace(name)
	if valued {
		if err := r.parseValues(text, strings.ReplaceAll(values, "±", "+-")); err != nil {
			return r, err
		}
	}
	if r.name == "" || strings.Contains(r.name, ":") {
		return r, fmt.Errorf("%s: write %s", text, RequestForm)
	}
	return r, nil
}

// parseValues reads MIN:MAX, a prior, or MIN:PRIOR:MAX.
func (r *request) parseValues(text, values string) (err error) {
	parts := strings.Split(values, ":")
	prior := ""
	switch {
	case len(parts) == 1 && strings.Contains(values, "+-"):
		r.prior, err = parsePrior(r.name, values)
		return err
	case len(parts) == 3 && strings.Contains(parts[1], "+-"):
		prior, parts = parts[1], []string{parts[0], parts[2]}
	}
	var err1, err2 error
	if len(parts) == 2 {
		r.bounded = true
		r.min, err1 = parseNumber(parts[0])
		r.max, err2 = parseNumber(parts[1])
	}
	if !r.bounded || err1 != nil || err2 != nil || !(r.min < r.max) {
		return fmt.Errorf("%s: %q are no bounds; write NAME=MIN:MAX with MIN below MAX, for example youngs_modulus_pa=1e6:1e8, with a prior youngs_modulus_pa=1e6:16e6+-10%%:1e8", text, values)
	}
	if prior != "" {
		r.prior, err = parsePrior(r.name, prior)
	}
	return err
}

// parsePrior reads VALUE+-SIGMA[%].
func parsePrior(name, text string) (*priorRequest, error) {
	mean, sigma, _ := strings.Cut(text, "+-")
	p := &priorRequest{mean: math.NaN()}
	var err1, err2 error
	if strings.TrimSpace(mean) != "" {
		p.mean, err1 = parseNumber(mean)
	}
	sigma, p.percent = strings.CutSuffix(strings.TrimSpace(sigma), "%")
	p.sigma, err2 = parseNumber(sigma)
	if err1 != nil || err2 != nil || !(p.sigma > 0) {
		return nil, fmt.Errorf("%s: %q is no prior; write a value and its standard deviation, above 0, as 16e6+-2e6 or 16e6+-10%%, without the value for that of the robot file", name, text)
	}
	return p, nil
}

// decides reports whether the request is for one parameter: bounds or a prior in its unit.
func (r *request) decides() bool {
	return r.bounded || r.prior != nil && (!r.prior.percent || !math.IsNaN(r.prior.mean))
}

// parseNumber reads a finite number.
func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err == nil && (math.IsInf(v, 0) || math.IsNaN(v)) {
		err = strconv.ErrRange
	}
	return v, err
}

// within refuses bounds and a prior outside what the robot file allows for the number.
func (r *request) within(m *robotfile.Number) error {
	if r.bounded && (r.min < m.Min || r.max > m.Max) {
		return fmt.Errorf("%s: the bounds [%g, %g] %s; allowed: from %g to %g %[4]s", m.Named, r.min, r.max, m.Unit, m.Min, m.Max)
	}
	if p := r.prior; p != nil && (p.mean < m.Min || p.mean > m.Max) {
		return fmt.Errorf("%s: the prior %g %s; allowed: from %g to %g %[3]s", m.Named, p.mean, m.Unit, m.Min, m.Max)
	}
	return nil
}

// apply lays what was asked for over the defaults of a parameter.
func (r *request) apply(p *fit.Parameter) error {
	if err := r.applyPrior(p); err != nil {
		return err
	}
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
		return fmt.Errorf("%s: it starts from %g %s, which says nothing about its size; give bounds, %s=MIN:MAX%s", p.Name, p.Start, p.Unit, p.Name, magnitude(p.Name))
	case p.Log && p.Min <= 0:
		return fmt.Errorf("%s: a logarithmic search needs a lower bound above 0, not %g %s", p.Name, p.Min, p.Unit)
	}
	return nil
}

// applyPrior gives a parameter its prior, and default bounds room for it.
func (r *request) applyPrior(p *fit.Parameter) error {
	const far = 4 // standard deviations
	if r.prior == nil {
		return nil
	}
	q := fit.Prior{Mean: r.prior.mean, Sigma: r.prior.sigma}
	if math.IsNaN(q.Mean) {
		q.Mean = p.Start
	}
	if r.prior.percent {
		const whole = 100
		q.Sigma *= math.Abs(q.Mean) / whole
	}
	if q.Sigma == 0 {
		return fmt.Errorf("%s: %g %% of 0 %s is no standard deviation; give it in %[3]s", p.Name, r.prior.sigma, p.Unit)
	}
	if r.bounded && (q.Mean < r.min || q.Mean > r.max) {
		return fmt.Errorf("%s: the prior %g %s lies outside the bounds [%g, %g]", p.Name, q.Mean, p.Unit, r.min, r.max)
	}
	p.Prior = &q
	if math.IsNaN(p.Min) || math.IsNaN(p.Max) {
		p.Min, p.Max = p.Start, p.Start
	}
	if p.Log {
		spread := math.Exp(far * q.Sigma / q.Mean)
		p.Min, p.Max = min(p.Min, q.Mean/spread), max(p.Max, q.Mean*spread)
	} else {
		p.Min, p.Max = min(p.Min, q.Mean-far*q.Sigma), max(p.Max, q.Mean+far*q.Sigma)
	}
	return nil
}

// magnitude tells who frees a component of a magnet that there is a group for its magnitude.
func magnitude(name string) string {
	if strings.Contains(name, "moment_a_m2[") || strings.Contains(name, "magnetization_a_per_m[") {
		return ", or free moment, the magnitude of each magnet"
	}
	return ""
}
