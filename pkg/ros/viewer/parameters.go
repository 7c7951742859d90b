package viewer

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coder/websocket"

	"sinew/pkg/ros/parameter"
)

// value is a parameter in the protocol. The fields after Type are extensions.
type value struct {
	Name        string          `json:"name"`
	Value       json.RawMessage `json:"value,omitempty"`
	Type        string          `json:"type,omitempty"`
	Description string          `json:"description,omitempty"`
	Constraints string          `json:"constraints,omitempty"`
	Words       []string        `json:"words,omitempty"` // the texts that are allowed
	Fixed       string          `json:"fixed,omitempty"` // why it cannot be set
	Min         any             `json:"min,omitempty"`
	Max         any             `json:"max,omitempty"`
}

// Types that JSON does not distinguish.
const (
	typeNumber  = "float64"
	typeNumbers = "float64_array"
	typeBytes   = "byte_array"
)

// encode returns the value of a parameter. JSON has no numbers that are not finite: they are text,
// as in JavaScript.
func encode(p *parameter.Parameter) value {
	v := value{Name: p.Name, Description: p.Description, Constraints: p.Constraints, Words: p.Words, Fixed: p.Fixed}
	if p.Bounded {
		v.Min, v.Max = number(p.Min), number(p.Max)
	}
	var as any
	switch x := p.Value.(type) {
	case float64:
		v.Type, as = typeNumber, number(x)
	case []float64:
		list := make([]any, len(x))
		for i := range x {
			list[i] = number(x[i])
		}
		v.Type, as = typeNumbers, list
	default:
		as = x
	}
	v.Value, _ = json.Marshal(as) // a number, a text, or a list of them
	return v
}

// number returns the representation of x in JSON.
func number(x float64) any {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return x
}

// notFinite returns the number that number represents as text.
func notFinite(text string) (x float64, ok bool) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if text == number(x) {
			return x, true
		}
	}
	return 0, false
}

// decode reads a value that a viewer sets; nil removes the parameter.
func decode(v *value) (any, error) {
	fail := func() (any, error) {
		return nil, fmt.Errorf("%s: the value %.40s is none of a parameter", short(v.Name), v.Value)
	}
	if len(v.Value) == 0 || string(v.Value) == "null" {
		return nil, nil
	}
	var any any
	d := json.NewDecoder(strings.NewReader(string(v.Value)))
	d.UseNumber()
	if d.Decode(&any) != nil {
		return fail()
	}
	switch x := any.(type) {
	case bool:
		return x, nil
	case string:
		switch v.Type {
		case typeBytes:
			if b, err := base64.StdEncoding.DecodeString(x); err == nil {
				return b, nil
			}
			return fail()
		case typeNumber:
			if n, ok := notFinite(x); ok {
				return n, nil
			}
			return fail()
		}
		return x, nil
	case json.Number:
		if n, err := x.Int64(); err == nil && v.Type != typeNumber {
			return n, nil
		}
		if n, err := x.Float64(); err == nil {
			return n, nil
		}
	case []interface{}:
		return decodeList(x, v.Type == typeNumbers, fail)
	}
	return fail()
}

// decodeList reads a list of one type.
func decodeList(list []any, numbers bool, fail func() (any, error)) (any, error) {
	if words, ok := listOf[string](list); ok && !numbers {
		return words, nil
	}
	if flags, ok := listOf[bool](list); ok && !numbers {
		return flags, nil
	}
	whole, all := make([]int64, 0, len(list)), make([]float64, 0, len(list))
	for _, x := range list {
		text := fmt.Sprint(x)
		if _, ok := x.(json.Number); !ok {
			f, ok := notFinite(text)
			if !ok || !numbers {
				return fail()
			}
			all = append(all, f)
			continue
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fail()
		}
		all = append(all, f)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			whole = append(whole, n)
		}
	}
	if len(whole) == len(all) && !numbers {
		return whole, nil
	}
	return all, nil
}

func listOf[T any](list []any) (all []T, ok bool) {
	all = make([]T, len(list))
	for i, x := range list {
		if all[i], ok = x.(T); !ok {
			return nil, false
		}
	}
	return all, len(list) > 0
}

// watched are the parameters to whose changes a viewer has subscribed. It is safe for concurrent
// use.
type watched struct {
	mu    sync.Mutex
	all   bool
	names map[string]bool
}

func (w *watched) has(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all || w.names[name]
}

// parametersChanged sends changes to viewers.
func (s *Server) parametersChanged(list []parameter.Change) {
	s.each(func(c *client) {
		for i := range list {
			if name := list[i].Name; c.watched.has(name) {
				c.outbox.putDirty(name)
			}
		}
	})
}

// valuesOf returns the message with the present values of parameters.
func (s *Server) valuesOf(names map[string]bool) []byte {
	return s.values(slices.Sorted(maps.Keys(names)), "")
}

// values returns the message with the present values of parameters, of all of them if names is
// empty. It skips unknown names.
func (s *Server) values(names []string, id string) []byte {
	list := []value{}
	if len(names) == 0 {
		for _, p := range s.table.All() {
			list = append(list, encode(&p))
		}
	}
	seen := map[string]bool{}
	for _, name := range names {
		if p, found := s.table.Get(name); found && !seen[name] {
			seen[name] = true
			list = append(list, encode(&p))
		}
	}
	m := map[string]any{"op": "parameterValues", "parameters": list}
	if id != "" {
		m["id"] = id
	}
	data, _ := json.Marshal(m) // texts and values that are JSON
	return data
}

// hasParameters reports whether the node has parameters, and otherwise sends an error.
func (c *client) hasParameters() bool {
	if c.server.table == nil {
		c.fault("this node has no parameters")
	}
	return c.server.table != nil
}

// getParameters sends values.
func (c *client) getParameters(r *request) {
	if c.hasParameters() {
		c.reply(websocket.MessageText, c.server.values(r.ParameterNames, r.ID))
	}
}

// valueSpread bounds the memory of a value relative to its JSON text: numbers of a digit and a
// comma take eight times as much.
const valueSpread = 8

// setParameters sets all values or none, and sends the resulting values if the request has an id.
func (c *client) setParameters(r *request) {
	if !c.hasParameters() || len(r.Parameters) == 0 {
		return
	}
	var list []parameter.Assignment
	var names []string
	bytes := 0
	for i := range r.Parameters {
		v, err := decode(&r.Parameters[i])
		if err != nil {
			c.fault("setParameters: %v", err)
			return
		}
		list = append(list, parameter.Assignment{Name: r.Parameters[i].Name, Value: v})
		names = append(names, r.Parameters[i].Name)
		bytes += len(r.Parameters[i].Name) + valueSpread*len(r.Parameters[i].Value)
	}
	if !c.settings.do(bytes, func() {
		if err := c.server.table.Set(list, c.sender.Node); err != nil {
			c.status(failure, err.Error())
		}
		if r.ID != "" {
			c.reply(websocket.MessageText, c.server.values(names, r.ID))
		}
	}) {
		c.fault("setParameters: more than %d requests or %d bytes wait", maxWaiting, maxWaitingBytes)
	}
}

// watchParameters subscribes to changes: of all parameters if there are no names.
func (c *client) watchParameters(r *request) {
	if !c.hasParameters() {
		return
	}
	c.watched.mu.Lock()
	defer c.watched.mu.Unlock()
	if len(r.ParameterNames) == 0 {
		c.watched.all = true
	}
	for _, name := range r.ParameterNames {
		if _, known := c.server.table.Get(name); !known {
			continue
		}
		if c.watched.names == nil {
			c.watched.names = map[string]bool{}
		}
		c.watched.names[name] = true
	}
}

// unwatchParameters ends the subscription, for all parameters if there are no names.
func (c *client) unwatchParameters(r *request) {
	c.watched.mu.Lock()
	defer c.watched.mu.Unlock()
	if len(r.ParameterNames) == 0 {
		c.watched.all, c.watched.names = false, nil
		return
	}
	if c.watched.all && c.server.table != nil { // of all parameters except those
		c.watched.all, c.watched.names = false, map[string]bool{}
		for _, p := range c.server.table.All() {
			c.watched.names[p.Name] = true
		}
	}
	for _, name := range r.ParameterNames {
		delete(c.watched.names, name)
	}
}
