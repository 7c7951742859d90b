package env

import (
	"encoding/json"
	"fmt"

	"sinew/cmd/internal/program"
)

// describe answers a request that asks about robot i with JSON. The robot stays what it is.
func (f *fleet) describe(verb string, i int) ([]byte, error) {
	if i >= f.batch.Len() {
		return nil, fmt.Errorf("%s of robot %d; want 0 to %d", verb, i, f.batch.Len()-1)
	}
	m := f.batch.Model(i)
	var about any
	var err error
	switch verb {
	case drawRequest:
		about = f.draw(m)
	case jacobianRequest:
		about, err = program.Tangent(m)
	case lineariseRequest:
		about, err = program.Linearise(m, f.header.StepS)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", verb, err)
	}
	return json.Marshal(about)
}
