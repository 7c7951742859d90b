package fit_test

import (
	"context"
	"fmt"
	"math"

	"sinew/pkg/sim/hil/fit"
)

// A cup of tea cools; how fast, and to which temperature?
func ExampleFit() {
	minutes := []float64{0, 2, 5, 10, 20, 40}
	celsius := []float64{85.2, 77.9, 68.4, 55.8, 39.8, 26.4}
	result, err := fit.Fit(context.Background(), fit.Problem{
		Parameters: []fit.Parameter{
			{Name: "room", Unit: "°C", Start: 15, Min: 0, Max: 40},
			{Name: "time constant", Unit: "min", Start: 60, Min: 1, Max: 500, Log: true},
		},
		Data: fit.Data{Count: len(minutes), New: func() (fit.Residuals, error) {
			return func(x, dst []float64) error {
				for i, t := range minutes {
					dst[i] = x[0] + (85-x[0])*math.Exp(-t/x[1]) - celsius[i]
				}
				return nil
			}, nil
		}},
	}, fit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range result.Estimates {
		fmt.Printf("%s %.1f ± %.1f %s, %s\n", e.Name, e.Value, e.StandardError, e.Unit, e.Identifiability)
	}
	// Output:
	// room 20.5 ± 0.3 °C, identified
	// time constant 16.6 ± 0.2 min, identified
}
