package masterapi

import "context"

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
