package masterclient

import (
	"context"
	"errors"
	"fmt"

	"sinew/pkg/ros/xmlrpc"
)

// Status codes of the ROS 1 APIs.
const (
	Success = 1  // done
	Failure = 0  // the method failed; there may have been side effects
	Refused = -1 // the request is invalid; nothing was done
)

// StatusError is a reply that says that the method did not succeed.
type StatusError struct {
	Method  string
	Code    int // Failure or Refused
	Message string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: %s (status %d)", e.Method, e.Message, e.Code)
}

// Refuses reports whether err is a reply by which the server refuses the request as invalid, for
// example because a name is unknown.
func Refuses(err error) bool {
	var s *StatusError
	return errors.As(err, &s) && s.Code == Refused
}

// Call calls method of the master or slave at uri and returns the value of its
// reply. The error is a *StatusError if the reply says so, and otherwise that
// of xmlrpc.Call. Without a deadline in ctx the call ends after ten seconds.
func Call(ctx context.Context, uri, method string, args ...any) (any, error) {
	reply, err := xmlrpc.Call(ctx, bracketed(uri), method, args...)
	if err != nil {
		return nil, err
	}
	return value(method, reply)
}

// value splits a reply.
func value(method string, reply any) (any, error) {
	triple, _ := reply.([]any)
	if len(triple) != 3 {
		return nil, fmt.Errorf("%s: the reply is no triple of code, message and value, but a %T of %d", method, reply, len(triple))
	}
	code, isInt := triple[0].(int)
	message, isString := triple[1].(string)
	if !isInt || !isString {
		return nil, fmt.Errorf("%s: the reply has no code or no message, but a %T and a %T", method, triple[0], triple[1])
	}
	if code != Success {
		return nil, &StatusError{Method: method, Code: code, Message: message}
	}
	return triple[2], nil
}
