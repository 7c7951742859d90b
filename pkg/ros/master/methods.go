package master

import (
	"errors"
	"fmt"

	"sinew/pkg/ros/masterclient"
)

// reply is the answer of every method.
type reply struct {
	code    int
	message string
	value   any
}

func (r reply) triple() []any { return []any{r.code, r.message, r.value} }

func done(v any, format string, a ...any) reply {
	return reply{masterclient.Success, fmt.Sprintf(format, a...), v}
}

func refused(v any, format string, a ...any) reply {
	return reply{masterclient.Refused, fmt.Sprintf(format, a...), v}
}

// method describes how a method of the API is called: run receives the caller and the arguments
// after it, checked and resolved, while the master is locked.
type method struct {
	args    []kind
	failure any // value of the reply when the call is refused
	run     func(m *Master, caller string, a []any) reply
}

// kind selects the allowed values of an argument.
type kind uint8

const (
	graphName kind = iota // a name, resolved against the caller: string
	text                  // string
	slaveURI              // http URI of a slave API: string
	rpcURI                // rosrpc URI of a service: string
	anything
)

// methods is the whole API, except system.multicall.
var methods = map[string]method{
	"registerPublisher":    {[]kind{graphName, text, slaveURI}, 0, (*Master).registerPublisher},
	"unregisterPublisher":  {[]kind{graphName, slaveURI}, 0, (*Master).unregisterPublisher},
	"registerSubscriber":   {[]kind{graphName, text, slaveURI}, 0, (*Master).registerSubscriber},
	"unregisterSubscriber": {[]kind{graphName, slaveURI}, 0, (*Master).unregisterSubscriber},
	"registerService":      {[]kind{graphName, rpcURI, slaveURI}, 0, (*Master).registerService},
	"unregisterService":    {[]kind{graphName, rpcURI}, 0, (*Master).unregisterService},
	"lookupService":        {[]kind{graphName}, "", (*Master).lookupService},
	"lookupNode":           {[]kind{graphName}, "", (*Master).lookupNode},
	"getPublishedTopics":   {[]kind{text}, []any{}, (*Master).getPublishedTopics},
	"getTopicTypes":        {nil, []any{}, (*Master).getTopicTypes},
	"getSystemState":       {nil, []any{}, (*Master).getSystemState},
	"getUri":               {nil, "", (*Master).getURI},
	"getPid":               {nil, 0, (*Master).getPID},
	"shutdown":             {[]kind{text}, 0, (*Master).shutdown},

	"setParam":         {[]kind{graphName, anything}, 0, (*Master).setParam},
	"getParam":         {[]kind{graphName}, 0, (*Master).getParam},
	"hasParam":         {[]kind{graphName}, false, (*Master).hasParam},
	"deleteParam":      {[]kind{graphName}, 0, (*Master).deleteParam},
	"searchParam":      {[]kind{text}, "", (*Master).searchParam},
	"getParamNames":    {nil, []any{}, (*Master).getParamNames},
	"subscribeParam":   {[]kind{slaveURI, graphName}, map[string]any{}, (*Master).subscribeParam},
	"unsubscribeParam": {[]kind{slaveURI, graphName}, 0, (*Master).unsubscribeParam},
}

// dispatch runs one method. Only an unknown method is an error; other failures of a call are in the
// reply, as in rosmaster.
func (m *Master) dispatch(name string, args []any) (reply, error) {
	f, known := methods[name]
	if !known {
		return reply{}, fmt.Errorf("method %.60q is not supported", name)
	}
	caller, checked, err := f.check(args)
	if err != nil {
		return refused(f.failure, "ERROR: %s: %v", name, err), nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return f.run(m, caller, checked), nil
}

// check separates the caller from the arguments and validates both.
func (f method) check(args []any) (caller string, checked []any, err error) {
	if len(args) == 0 {
		return "", nil, errors.New("missing required caller_id")
	}
	caller, ok := args[0].(string)
	if !ok {
		return "", nil, errors.New("caller_id must be a string")
	}
	if err := checkName(caller); err != nil {
		return "", nil, fmt.Errorf("caller_id: %w", err)
	}
	caller = canonical(caller)
	args = args[1:]
	if len(args) > len(f.args) && len(f.args) == 0 {
		args = nil // rosmaster ignores surplus arguments here
	}
	if len(args) != len(f.args) {
		return "", nil, fmt.Errorf("%d arguments after caller_id, want %d", len(args), len(f.args))
	}
	checked = make([]any, len(args))
	for i, a := range args {
		if checked[i], err = f.args[i].check(a, caller); err != nil {
			return "", nil, fmt.Errorf("argument %d after caller_id: %w", i+1, err)
		}
	}
	return caller, checked, nil
}

func (k kind) check(a any, caller string) (any, error) {
	if k == anything {
		return a, nil
	}
	s, ok := a.(string)
	if !ok {
		return nil, fmt.Errorf("a Go %T is no string", a)
	}
	switch k {
	case graphName:
		return resolve(s, caller)
	case slaveURI:
		_, _, err := masterclient.CheckURI(s, "http")
		return s, err
	case rpcURI:
		_, _, err := masterclient.CheckURI(s, "rosrpc")
		return s, err
	}
	if len(s) > maxName {
		return nil, fmt.Errorf("%.40q... has %d bytes, more than %d", s, len(s), maxName)
	}
	return s, nil
}
