package masterapi

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"sinew/pkg/ros/xmlrpc"
)

// Param returns the value of a parameter or of a whole namespace (nested
// map[string]any). set is false if there is none. Keys may be absolute,
// relative or private ("~gain") to the caller.
func (c Client) Param(ctx context.Context, key string) (value any, set bool, err error) {
	value, err = c.call(ctx, "getParam", key)
	if Refuses(err) {
		return nil, false, nil
	}
	return value, err == nil, err
}

// HasParam reports whether a parameter or namespace is set.
func (c Client) HasParam(ctx context.Context, key string) (bool, error) {
	v, err := c.call(ctx, "hasParam", key)
	if err != nil {
		return false, err
	}
	return as[bool]("hasParam", v)
}

// SetParam sets a parameter, or replaces a whole namespace if value is a
// map[string]any.
func (c Client) SetParam(ctx context.Context, key string, value any) error {
	_, err := c.call(ctx, "setParam", key, value)
	return err
}

// DeleteParam removes a parameter or namespace. Refuses tells that there was
// none.
func (c Client) DeleteParam(ctx context.Context, key string) error {
	_, err := c.call(ctx, "deleteParam", key)
	return err
}

// SearchParam looks for a key in the caller's namespaces, from the innermost
// outwards, and returns the first full name that is set, or "".
func (c Client) SearchParam(ctx context.Context, key string) (string, error) {
	found, err := c.text(ctx, "searchParam", key)
	if Refuses(err) {
		return "", nil
	}
	return found, err
}

// ParamNames returns the full names of all parameters.
func (c Client) ParamNames(ctx context.Context) ([]string, error) {
	return c.texts(ctx, "getParamNames")
}

// SubscribeParam asks the master to tell slave, by paramUpdate, of every change
// of a parameter or in a namespace. It returns the present value; that of an
// unset parameter is an empty map.
func (c Client) SubscribeParam(ctx context.Context, key, slave string) (any, error) {
	return c.call(ctx, "subscribeParam", slave, key)
}

// UnsubscribeParam ends a subscription.
func (c Client) UnsubscribeParam(ctx context.Context, key, slave string) error {
	_, err := c.call(ctx, "unsubscribeParam", slave, key)
	return err
}

// SetParams sets many parameters in one call, each as SetParam does. The error is that of the
// first that could not be set.
func (c Client) SetParams(ctx context.Context, values map[string]any) error {
	var calls []any
	for _, key := range slices.Sorted(maps.Keys(values)) {
		calls = append(calls, multicall("setParam", c.Caller, key, values[key]))
	}
	return c.many(ctx, calls)
}

// DeleteParams removes many parameters in one call. Those that there are not are no error.
func (c Client) DeleteParams(ctx context.Context, keys []string) error {
	var calls []any
	for _, key := range keys {
		calls = append(calls, multicall("deleteParam", c.Caller, key))
	}
	if err := c.many(ctx, calls); !Refuses(err) {
		return err
	}
	return nil
}

func multicall(method string, args ...any) any {
	return map[string]any{"methodName": method, "params": args}
}

// many makes calls in one request and returns the first error.
func (c Client) many(ctx context.Context, calls []any) error {
	if len(calls) == 0 {
		return nil
	}
	const method = "system.multicall"
	reply, err := xmlrpc.Call(ctx, c.URI, method, calls)
	if err != nil {
		return err
	}
	answers, err := as[[]any](method, reply)
	if err != nil {
		return err
	}
	if len(answers) != len(calls) {
		return fmt.Errorf("%s: %d answers to %d calls", method, len(answers), len(calls))
	}
	for i, a := range answers {
		wrapped, _ := a.([]any)
		if len(wrapped) != 1 {
			return fmt.Errorf("%s: call %d: %.200v", method, i, a)
		}
		if _, err := value(method, wrapped[0]); err != nil {
			return err
		}
	}
	return nil
}
