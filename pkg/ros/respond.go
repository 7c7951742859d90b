package ros

import (
	"errors"
	"fmt"
	"reflect"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/simulation_interfaces"
)

// OpenService serves a service with a resolved name on a transport by handle, as
// Transport.Serve does. On a transport without services it does nothing.
func OpenService(t Transport, name string, s *msgs.Service, handle Handler) error {
	if err := t.Serve(name, s, handle); err != nil && !errors.Is(err, ErrNoServices) {
		return fmt.Errorf("cannot serve %s: %w", name, err)
	}
	return nil
}

// Unanswered is the part of a refusal that says what became of a request that was handled but whose
// answer is not waited for.
const Unanswered = "e_stop, disable, pause and take_command act nevertheless, any other request is not executed"

// HandleRequest calls handle with a request to a service, and returns the function that makes the
// response. If one of the two panics, or the response has another type, HandleRequest logs the error and
// responds without success, because a client without a response would wait for ever.
// Transports call handle through it.
func HandleRequest(name string, s *msgs.Service, request msgs.Message, handle Handler, log *zap.Logger) (respond func() msgs.Message) {
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

// Failure returns a response of s with what went wrong, as far as it has fields for
// that; shown reports whether the response shows a failure at all.
func Failure(s *msgs.Service, why string) (response msgs.Message, shown bool) {
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
