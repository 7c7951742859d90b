package parameter

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
)

// Parameter is one parameter with its present value.
type Parameter struct {
	Name string // its parts joined by dots
	// Value is a bool, int64, float64, string, []float64 or []string.
	Value any
	// Description says what the parameter is, Constraints which values are allowed if Min and Max
	// do not say it.
	Description, Constraints string
	// Words, if not nil, are the texts that are allowed.
	Words []string
	// Min and Max bound the number or numbers where Bounded is true.
	Bounded  bool
	Min, Max float64
	// Fixed says why the parameter cannot be set while the node runs, and what to do instead; empty
	// if it can be set.
	Fixed string
}

// Assignment is a value for a parameter.
type Assignment struct {
	Name string
	// Value is one of the types of Parameter.Value, or []bool, []int64, []byte, or nil for
	// the removal of the parameter.
	Value any
}

// Change is a parameter that has changed.
type Change struct {
	Parameter
	Before any
	Who    string // source of the change, for people
}

// Options configure a Table.
type Options struct {
	// List lists all parameters with their present values; the names do not change.
	List func() []Parameter
	// Apply applies values, all or, with an error, none of them. The parameters are not fixed, and
	// the values differ from the present ones and have their types. There is only one call at a
	// time.
	Apply func([]Assignment) error
	// Now is the clock of the rate limit of the log.
	Now func() time.Duration
	// Log receives what is set and refused. Nil discards it.
	Log *zap.Logger
}

// Table holds the parameters of a node. Its methods may be called from any goroutine.
type Table struct {
	options Options
	limiter *bounded.RateLimiter[string]

	setting sync.Mutex // held during a request that sets values
	watch   []func([]Change)

	mu      sync.Mutex
	list    []Parameter // by name
	set     uint64      // parameters that were set
	refused uint64      // requests that were refused
	newest  string      // description of the last change
}

// refusalPause is the least time between two log lines about refusals.
const refusalPause = 5 * time.Second

// NewTable returns a Table of what o.List lists.
func NewTable(o Options) *Table {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	t := &Table{options: o, limiter: bounded.NewRateLimiter[string](refusalPause, o.Now)}
	t.refresh()
	return t
}

// refresh reads the present values from the owner.
func (t *Table) refresh() {
	list := slices.Clone(t.options.List())
	slices.SortFunc(list, func(a, b Parameter) int { return strings.Compare(a.Name, b.Name) })
	t.mu.Lock()
	t.list = list
	t.mu.Unlock()
}

// Watch calls f with the changes from now on, one request at a time, in order. Only calls that set
// parameters wait for f. It returns the parameters as they are before the first change.
func (t *Table) Watch(f func([]Change)) []Parameter {
	t.setting.Lock()
	defer t.setting.Unlock()
	t.watch = append(t.watch, f)
	return t.All()
}

// Quiet calls f with all parameters, by name, while none is being set.
func (t *Table) Quiet(f func([]Parameter)) {
	t.setting.Lock()
	defer t.setting.Unlock()
	f(t.All())
}

// All returns all parameters, by name.
func (t *Table) All() []Parameter {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}

// Get returns the parameter of a name.
func (t *Table) Get(name string) (Parameter, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, found := slices.BinarySearchFunc(t.list, name, func(p Parameter, name string) int { return strings.Compare(p.Name, name) })
	if !found {
		return Parameter{}, false
	}
	return t.list[i], true
}

// Set sets all values or, with an error that says why, none. Setting a parameter to its present
// value is allowed even if it is fixed, so that a file of all parameters can be loaded. who names
// the source in the log.
func (t *Table) Set(values []Assignment, who string) error {
	t.setting.Lock()
	defer t.setting.Unlock()
	changed, err := t.check(values)
	if err == nil && len(changed) > 0 {
		next := make([]Assignment, len(changed))
		for i, c := range changed {
			next[i] = Assignment{c.Name, c.Value}
		}
		err = t.options.Apply(next)
	}
	if err != nil {
		t.refuse(values, who, err)
		return err
	}
	t.refresh()
	for i := range changed {
		now, _ := t.Get(changed[i].Name)
		changed[i].Parameter, changed[i].Who = now, who
		t.options.Log.Info("parameter set", zap.String("name", now.Name), zap.Any("from", changed[i].Before), zap.Any("to", now.Value), zap.String("by", who))
	}
	t.count(changed)
	for _, f := range t.watch {
		if len(changed) > 0 {
			f(changed)
		}
	}
	return nil
}

// check returns the changes, with the last value of each parameter, in order, or an error that
// lists all mistakes.
func (t *Table) check(values []Assignment) (changed []Change, err error) {
	var errs []error
	for _, v := range values {
		c, err := t.checkOne(v)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		changed = slices.DeleteFunc(changed, func(o Change) bool { return o.Name == c.Name })
		if !same(c.Value, c.Before) {
			changed = append(changed, c)
		}
	}
	return changed, errors.Join(errs...)
}

func (t *Table) checkOne(v Assignment) (Change, error) {
	p, found := t.Get(v.Name)
	if !found {
		return Change{}, fmt.Errorf("%.100s: no such parameter", v.Name)
	}
	if v.Value == nil {
		return Change{}, fmt.Errorf("%s: cannot be removed", p.Name)
	}
	value, ok := convert(v.Value, p.Value)
	c := Change{Parameter: p, Before: p.Value}
	c.Value = value
	switch {
	case !ok:
		return c, fmt.Errorf("%s: is %s, not %s", p.Name, typeName(p.Value), typeName(v.Value))
	case p.Fixed != "" && !same(value, p.Value):
		return c, fmt.Errorf("%s: %s", p.Name, p.Fixed)
	}
	return c, nil
}

// refuse counts and logs a request that was refused.
func (t *Table) refuse(values []Assignment, who string, err error) {
	t.mu.Lock()
	t.refused++
	t.mu.Unlock()
	about := who
	if p, found := t.Get(values[0].Name); found {
		about += " " + p.Name
	}
	if held, ok := t.limiter.Pass(about); ok {
		t.options.Log.Warn("parameters refused", zap.Int("parameters", len(values)), zap.String("by", who),
			zap.Error(err), zap.Int("unlogged_before", held))
	}
}

func (t *Table) count(changed []Change) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range changed {
		t.set++
		t.newest = fmt.Sprintf("%s: %v, was %v, by %s", c.Name, c.Value, c.Before, c.Who)
	}
}

// Counts returns the number of parameters that were set, the number of refused requests, and the
// last change, for people.
func (t *Table) Counts() (set, refused uint64, newest string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.set, t.refused, t.newest
}
