package sweep_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/sweep"
)

// parsed plans texts, which are right.
func parsed(t *testing.T, samples int, seed uint64, texts ...string) *sweep.Plan {
	t.Helper()
	var all []sweep.Variation
	for _, text := range texts {
		v, err := sweep.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	p, err := sweep.NewPlan(all, samples, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func values(p *sweep.Plan, i int) []float64 {
	v := make([]float64, len(p.Variations))
	p.Values(i, v)
	return v
}

// Grids are all their combinations, the last one fastest, and begin again after the last.
func TestGridsCombine(t *testing.T) {
	p := parsed(t, 0, 1, "a=linspace(0,1,3)", "b=values(7,-2)")
	if p.Samples != 6 {
		t.Fatalf("%d samples", p.Samples)
	}
	want := [][]float64{{0, 7}, {0, -2}, {0.5, 7}, {0.5, -2}, {1, 7}, {1, -2}, {0, 7}}
	for i, w := range want {
		if v := values(p, i); v[0] != w[0] || v[1] != w[1] {
			t.Errorf("sample %d: %v, want %v", i, v, w)
		}
	}
}

// A grid begins and ends at its bounds to the bit, for bounds that no sum of steps hits.
func TestGridsEndExactly(t *testing.T) {
	for _, kind := range []string{"linspace", "geomspace"} {
		p := parsed(t, 0, 1, "a="+kind+"(0.1,0.7,11)")
		first, last := values(p, 0)[0], values(p, 10)[0]
		if first != 0.1 || last != 0.7 {
			t.Errorf("%s: %v to %v", kind, first, last)
		}
	}
	if v := values(parsed(t, 0, 1, "a=geomspace(1,100,3)"), 1)[0]; math.Abs(v-10) > 1e-13 {
		t.Errorf("the middle of 1 to 100 is %v, want 10", v)
	}
	if v := values(parsed(t, 0, 1, "a=linspace(3,9,1)"), 0)[0]; v != 3 {
		t.Errorf("a grid of one point is %v, want 3", v)
	}
}

// What is drawn depends on seed, name and index only: on nothing else that varies, nor on
// how many samples there are.
func TestDrawsAreTheirOwn(t *testing.T) {
	alone := parsed(t, 100, 5, "e=normal(0,1)")
	beside := parsed(t, 7000, 5, "x=uniform(0,1)", "g=linspace(0,1,9)", "e=normal(0,1)")
	other := parsed(t, 100, 6, "e=normal(0,1)")
	for i := range 100 {
		if a, b := values(alone, i)[0], values(beside, i)[2]; a != b {
			t.Fatalf("sample %d: %v alone, %v beside others", i, a, b)
		}
		if a, b := values(alone, i)[0], values(other, i)[0]; a == b {
			t.Fatalf("sample %d: %v with both seeds", i, a)
		}
	}
	// these numbers are in files that people have
	if got := values(alone, 3)[0]; got != drawn {
		t.Errorf("sample 3 is %.17g, was %.17g", got, drawn)
	}
}

// Distributions are those that are asked for: the greatest distance between their
// distribution function and that of many samples is what chance allows (Kolmogorov and
// Smirnov: below 1.95/√n with probability 0.999).
const drawn = -0.63022886907282893 // sample 3 of a standard Gaussian with seed 5

func TestDistributions(t *testing.T) {
	gauss := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	const n = 20000
	for text, below := range map[string]func(x float64) float64{
		"a=uniform(-2,6)":          func(x float64) float64 { return (x + 2) / 8 },
		"a=loguniform(0.1,1000)":   func(x float64) float64 { return math.Log10(x/0.1) / 4 },
		"a=normal(3,0.5)":          func(x float64) float64 { return gauss((x - 3) / 0.5) },
		"a=lognormal(16e6,0.1)":    func(x float64) float64 { return gauss(math.Log(x/16e6) / 0.1) },
		"a=lognormal(16e6, 1e-3 )": func(x float64) float64 { return gauss(math.Log(x/16e6) / 1e-3) },
	} {
		p := parsed(t, n, 1, text)
		const bins = 1000
		var count [bins + 1]float64
		for i := range n {
			count[int(bins*below(values(p, i)[0]))]++
		}
		sum, worst := 0.0, 0.0
		for k, c := range count[:bins] {
			sum += c
			worst = max(worst, math.Abs(sum/n-float64(k+1)/bins))
		}
		if worst > 1.95/math.Sqrt(n) {
			t.Errorf("%s: its distribution function is off by %.4f", text, worst)
		}
	}
	p := parsed(t, n, 1, "a=choice(1,2,4)")
	var counts [5]float64
	for i := range n {
		counts[int(values(p, i)[0])]++
	}
	for _, k := range []int{1, 2, 4} {
		if math.Abs(counts[k]/n-1./3) > 4*math.Sqrt(2./9/n) {
			t.Errorf("choice: %v of %d are %d", counts[k], n, k)
		}
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"a":                    "want NAME=KIND(ARGUMENTS)",
		"a=3":                  "want NAME=KIND(ARGUMENTS)",
		"=linspace(0,1,2)":     "want NAME=KIND(ARGUMENTS)",
		"a=linspace(0,1,2":     "want NAME=KIND(ARGUMENTS)",
		"a=lin(0,1,2)":         `"lin" is not a distribution or grid; allowed: linspace(FROM,TO,N)`,
		"a=linspace(0,1)":      "2 arguments, want linspace(FROM,TO,N)",
		"a=linspace(0,1,2.5)":  "N must be an integer",
		"a=linspace(0,1,0)":    "N must be an integer from 1",
		"a=linspace(0,1,1e99)": "N must be an integer from 1",
		"a=geomspace(0,1,2)":   "both bounds must be above 0",
		"a=uniform(1,1)":       "the first bound must be below the second",
		"a=loguniform(-1,1)":   "both bounds must be above 0",
		"a=normal(1,-1)":       "sigma must be 0 or above",
		"a=lognormal(0,1)":     "the median must be above 0",
		"a=values()":           "is not a finite number",
		"a=values(1,Inf)":      "is not a finite number",
		"a,b=values(1)":        "none of , # and quotes",
	} {
		if _, err := sweep.Parse(text); err == nil || !strings.HasPrefix(err.Error(), text+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	grid, _ := sweep.Parse("a=linspace(0,1,1e5)")
	more, _ := sweep.Parse("b=linspace(0,1,1e5)")
	random, _ := sweep.Parse("c=normal(0,1)")
	for want, try := range map[string]func() (*sweep.Plan, error){
		"nothing is varied":              func() (*sweep.Plan, error) { return sweep.NewPlan(nil, 1, 0) },
		"a is varied twice":              func() (*sweep.Plan, error) { return sweep.NewPlan([]sweep.Variation{grid, grid}, 0, 0) },
		"more than 1000000000":           func() (*sweep.Plan, error) { return sweep.NewPlan([]sweep.Variation{grid, more}, 0, 0) },
		"c is random":                    func() (*sweep.Plan, error) { return sweep.NewPlan([]sweep.Variation{grid, random}, 0, 0) },
		"-1 samples; allowed: 1 to 1000": func() (*sweep.Plan, error) { return sweep.NewPlan([]sweep.Variation{random}, -1, 0) },
	} {
		if _, err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Shards have all samples, each once, whether they are counted from 0 or from 1.
func TestShards(t *testing.T) {
	for _, texts := range [][]string{{"0/3", "1/3", "2/3"}, {"1/3", "2/3", "3/3"}, {"0/1"}, {"1/1"}, {""}} {
		var count [10]int
		for _, text := range texts {
			s, err := sweep.ParseShard(text)
			if err != nil {
				t.Fatal(err)
			}
			n := s.Count(len(count))
			for k := range n {
				count[s.Sample(k)]++
			}
			if s.Sample(n) < len(count) {
				t.Errorf("%s: sample %d is in it, but it is said to have %d", text, s.Sample(n), n)
			}
		}
		for i, n := range count {
			if n != 1 {
				t.Errorf("%q: sample %d is in %d shards", texts, i, n)
			}
		}
	}
	if s, _ := sweep.ParseShard("2/5"); s.Count(2) != 0 {
		t.Errorf("shard 2 of 5 has %d of 2 samples", s.Count(2))
	}
	for _, text := range []string{"1", "4/3", "-1/3", "1/0", "a/3", "1/3/2", "1/99999999999"} {
		if _, err := sweep.ParseShard(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// FuzzParse looks for texts that make a parser or a plan panic, or values that are no numbers
// in the range that was asked for.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"tension.long_up=linspace(0,4,20)", "e=lognormal(16e6,0.1)", "a=choice(1,2)", "=(", "a=values(1e308,-1e308)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := sweep.Parse(text)
		if err != nil {
			return
		}
		p, err := sweep.NewPlan([]sweep.Variation{v}, 3, 1)
		if err != nil {
			return
		}
		for i := range 3 {
			if x := values(p, i)[0]; math.IsNaN(x) {
				t.Errorf("%s: sample %d is %v", text, i, x)
			}
		}
	})
}
