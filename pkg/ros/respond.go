package ros

import (
	"errors"
	"fmt"
	"reflect"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/simulation_interfaces"
)

// OpenService has handle answer a service of a resolved name on a transport, as
// Transport.Serve does, and nothing on a transport that has no services.
func OpenService(t Transport, name string, s *msgs.Service, handle Handler) error {
	if err := t.Serve(name, s, handle); err != nil && !errors.Is(err, ErrNoServices) {
		return fmt.Errorf("cannot serve %s: %w", name, err)
	}
	return nil
}

// Take has handle take a request to a service, and returns what makes the response. If
// handle or that panics, or there is something else than a response, the error is logged and
// the response is one without success: a caller that is not answered would wait for ever.
// Transports call handle through it.
func Take(name string, s *msgs.Service, request msgs.Message, handle Handler, log *zap.Logger) (respond func() msgs.Message) {
	failed := func(p any) msgs.Message {
		log.Error("service failed", zap.String("service", name), zap.Any("panic", p), zap.Stack("stack"))
		response, _ := Failure(s, fmt.Sprintf("internal error: %v", p))
		return response
	}
	defer func() {
		if p := recover(); p != nil {
			response := failed(p)
			respond = func() msgs.Message { return response }
		}
	}()
	taken := handle(request)
	return func() (response msgs.Message) {
		defer func() {
			if p := recover(); p != nil {
				response = failed(p)
			}
		}()
		response = taken()
		if response == nil || reflect.ValueOf(response).IsZero() || response.Type() != s.Response {
			panic(fmt.Sprintf("no %s but %T", s.Response.Name, response))
		}
		return response
	}
}

// Failure is a response of s that says what went wrong, as far as its fields
// allow; told reports whether they show a failure at all.
func Failure(s *msgs.Service, why string) (response msgs.Message, told bool) {
	response = s.Response.New()
	fields := reflect.ValueOf(response).Elem()
	if r := fields.FieldByName("Result"); r.Kind() == reflect.Struct {
		fields = r
		if code := r.FieldByName("Result"); code.IsValid() {
			code.SetUint(simulation_interfaces.ResultResultOperationFailed)
		}
	}
	for _, name := range []string{"Message", "ErrorMessage", "Reason", "FailureReason"} {
		if f := fields.FieldByName(name); f.Kind() == reflect.String {
			f.SetString(why)
			return response, true
		}
	}
	return response, fields.FieldByName("Success").IsValid()
}
