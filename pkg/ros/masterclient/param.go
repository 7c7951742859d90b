package masterclient

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

// DeleteParam removes a parameter or namespace. If there was none, Refuses(err) is true.
func (c Client) DeleteParam(ctx context.Context, key string) error {
	_, err := c.call(ctx, "deleteParam", key)
	return err
}

// SearchParam searches for a key in the caller's namespaces, from the innermost outwards, and
// returns the first full name that is set, or "".
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

// SubscribeParam makes the master call paramUpdate of slave for every change of a parameter or in a
// namespace. It returns the present value; that of an unset parameter is an empty map.
func (c Client) SubscribeParam(ctx context.Context, key, slave string) (any, error) {
	return c.call(ctx, "subscribeParam", slave, key)
}

// UnsubscribeParam ends a subscription.
func (c Client) UnsubscribeParam(ctx context.Context, key, slave string) error {
	_, err := c.call(ctx, "unsubscribeParam", slave, key)
	return err
}

// SwapParams sets many parameters in one call, each as SetParam does, and returns the previous
// values of those that were set, so that the caller sees what others have set since it last read
// them. The error is that of the first parameter that could not be set.
func (c Client) SwapParams(ctx context.Context, values map[string]any) (was map[string]any, err error) {
	return c.exchange(ctx, slices.Sorted(maps.Keys(values)), func(key string) any {
		return multicall("setParam", c.Caller, key, values[key])
	})
}

// TakeParams removes many parameters in one call and returns their previous values. Unset
// parameters are no error.
func (c Client) TakeParams(ctx context.Context, keys []string) (was map[string]any, err error) {
	was, err = c.exchange(ctx, keys, func(key string) any { return multicall("deleteParam", c.Caller, key) })
	if Refuses(err) {
		err = nil
	}
	return was, err
}

// mostExchanged bounds the parameters in one request: the embedded master accepts twice as many
// calls.
const mostExchanged = 2000

// exchange changes parameters and returns their previous values.
func (c Client) exchange(ctx context.Context, keys []string, change func(key string) any) (map[string]any, error) {
	was := make(map[string]any, len(keys))
	var first error
	for some := range slices.Chunk(keys, mostExchanged) {
		calls := make([]any, 0, 2*len(some))
		for _, key := range some {
			calls = append(calls, multicall("getParam", c.Caller, key), change(key))
		}
		answers, err := c.many(ctx, calls)
		if err != nil {
			return was, err
		}
		for i, key := range some {
			v, err := value("getParam", answers[2*i])
			if err == nil {
				was[key] = v
			} else if !Refuses(err) {
				return was, err
			}
			if _, err := value("system.multicall", answers[2*i+1]); err != nil && first == nil {
				first = fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	return was, first
}

func multicall(method string, args ...any) any {
	return map[string]any{"methodName": method, "params": args}
}

// many makes calls in one request and returns their answers.
func (c Client) many(ctx context.Context, calls []any) (answers []any, err error) {
	const method = "system.multicall"
	reply, err := xmlrpc.Call(ctx, c.URI, method, calls)
	if err != nil {
		return nil, err
	}
	if answers, err = as[[]any](method, reply); err != nil {
		return nil, err
	}
	if len(answers) != len(calls) {
		return nil, fmt.Errorf("%s: %d answers to %d calls", method, len(answers), len(calls))
	}
	for i, a := range answers {
		wrapped, _ := a.([]any)
		if len(wrapped) != 1 {
			return nil, fmt.Errorf("%s: call %d: %.200v", method, i, a)
		}
		answers[i] = wrapped[0]
	}
	return answers, nil
}
