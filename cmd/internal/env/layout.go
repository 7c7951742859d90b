package env

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"unsafe"

	"sinew/pkg/sim"
)

// The header of the memory.
const (
	magic   = "SINEWENV"
	version = 1
	head    = len(magic) + 4 + 4 // bytes before the JSON text
)

const (
	mostVaried = 32  // numbers that vary
	errorLen   = 256 // bytes of an error
	alignment  = 64  // of arrays, bytes: no two share a line of a cache
	mostEnvs   = 100_000
	mostBytes  = 4 << 30
)

// header is the JSON text at the beginning of the memory.
type header struct {
	Program      string           `json:"program"`
	Version      string           `json:"version"`
	Envs         int              `json:"envs"`
	PeriodS      float64          `json:"period_s"` // simulated time of a step of the environment
	Steps        int              `json:"steps"`    // of the model in it
	StepS        float64          `json:"step_s"`
	Actions      []port           `json:"actions"`
	Observations []port           `json:"observations"`
	Arrays       map[string]array `json:"arrays"`
	Bytes        int              `json:"bytes"` // of the whole memory
}

// port describes values of each robot. Missing bounds are null.
type port struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Unit   string   `json:"unit"`
	Labels []string `json:"labels"`
	Width  int      `json:"width"`
	// Components are the names of the values, Units their units, and Scales what each is of the order of, in that unit.
	Components []string   `json:"components"`
	Units      []string   `json:"units"`
	Scales     []float64  `json:"scales"`
	Min        []*float64 `json:"min,omitempty"`
	Max        []*float64 `json:"max,omitempty"`
	// MaxRate is how fast the robot follows an action, in units a second.
	MaxRate []*float64 `json:"max_rate,omitempty"`
}

// array is where values are, row by row.
type array struct {
	Offset int    `json:"offset"` // bytes
	Type   string `json:"type"`
	Shape  [2]int `json:"shape"`
}

// arrays are the arrays in the memory.
type arrays struct {
	action, observation, time, parameters []float64
	seed                                  []uint64
	reset, reseed, clamped, failed, error []byte
}

// newPort describes a port of a model.
func newPort(p *sim.Port, s *scales) port {
	all := s.components(p) // of a sensor those of the newest measurement
	d := port{Name: p.Name, Kind: p.Kind.String(), Unit: p.Unit, Labels: p.Labels, Width: len(all)}
	for _, c := range all {
		d.Components, d.Units, d.Scales = append(d.Components, c.Name), append(d.Units, c.Unit), append(d.Scales, s.of(c))
	}
	if d.Labels == nil {
		d.Labels = []string{}
	}
	if p.Direction == sim.In {
		least, most := s.box(p)
		d.Min, d.Max, d.MaxRate = bounds(least, d.Width), bounds(most, d.Width), bounds(p.MaxRate, d.Width)
	}
	return d
}

// bounds returns n bounds, nil for a missing one.
func bounds(v []float64, n int) []*float64 {
	all := make([]*float64, n)
	for i := range v {
		if !math.IsInf(v[i], 0) {
			all[i] = &v[i]
		}
	}
	return all
}

func widthOf(ports []port) (n int) {
	for i := range ports {
		n += ports[i].Width
	}
	return n
}

// place puts the arrays behind a JSON text of at most so many bytes.
func (h *header) place(text int) error {
	h.Arrays = map[string]array{}
	h.Bytes = aligned(head + text)
	for _, a := range []struct {
		name, kind  string
		bytes, wide int
	}{
		{"action", "float64", 8, widthOf(h.Actions)}, {"observation", "float64", 8, widthOf(h.Observations)}, {"time", "float64", 8, 1},
		{"parameters", "float64", 8, mostVaried}, {"seed", "uint64", 8, 1}, {"reset", "uint8", 1, 1}, {"reseed", "uint8", 1, 1},
		{"clamped", "uint8", 1, 1}, {"failed", "uint8", 1, 1}, {"error", "uint8", 1, errorLen},
	} {
		h.Arrays[a.name] = array{Offset: h.Bytes, Type: a.kind, Shape: [2]int{h.Envs, a.wide}}
		h.Bytes = aligned(h.Bytes + a.bytes*a.wide*h.Envs)
	}
	if h.Bytes > mostBytes {
		return fmt.Errorf("%d robots with %d values to observe need %d bytes of shared memory; at most %d are allowed", h.Envs, widthOf(h.Observations), h.Bytes, mostBytes)
	}
	return nil
}

func aligned(n int) int { return (n + alignment - 1) / alignment * alignment }

// begin returns the beginning of the memory, which determines the offsets of the arrays.
func (h *header) begin() ([]byte, error) {
	most := 0
	for {
		if err := h.place(most); err != nil {
			return nil, err
		}
		text, err := json.Marshal(h)
		if err != nil {
			return nil, err
		}
		if len(text) > most { // offsets have more digits further behind
			most = len(text) + alignment
			continue
		}
		b := binary.LittleEndian.AppendUint32([]byte(magic), version)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
		return append(b, text...), nil
	}
}

// in finds the arrays in a memory.
func (h *header) in(memory []byte) *arrays {
	return &arrays{
		action: view[float64](h, memory, "action"), observation: view[float64](h, memory, "observation"), time: view[float64](h, memory, "time"),
		parameters: view[float64](h, memory, "parameters"), seed: view[uint64](h, memory, "seed"),
		reset: view[byte](h, memory, "reset"), reseed: view[byte](h, memory, "reseed"), clamped: view[byte](h, memory, "clamped"),
		failed: view[byte](h, memory, "failed"), error: view[byte](h, memory, "error"),
	}
}

// view is an array as numbers. The computer is little-endian, as the memory.
func view[T float64 | uint64 | byte](h *header, memory []byte, name string) []T {
	a := h.Arrays[name]
	n := a.Shape[0] * a.Shape[1]
	var one T
	size := int(unsafe.Sizeof(one))
	if n == 0 {
		return nil
	}
	part := memory[a.Offset : a.Offset+size*n]
	return unsafe.Slice((*T)(unsafe.Pointer(&part[0])), n)
}
