package ros1

import (
	"fmt"
	"reflect"

	"github.com/bluenviron/goroslib/v2"
	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/goros"
)

// Serve answers a service. If handle panics or returns something else than a
// response of s, the client gets a response without success: a call of
// rosservice that is not answered would hang for ever.
func (t *Transport) Serve(name string, s *msgs.Service, handle func(msgs.Message) msgs.Message) error {
	prototype := goros.Service(s)
	if err := check(name, prototype, s.Name); err != nil {
		return err
	}
	answer := func(request msgs.Message) (response msgs.Message) {
		defer func() {
			if p := recover(); p != nil {
				t.log.Error("service failed", zap.String("service", name), zap.Any("panic", p), zap.Stack("stack"))
				response = failure(s, fmt.Sprintf("internal error: %v", p))
			}
		}()
		response = handle(request)
		if response == nil || reflect.ValueOf(response).IsZero() || response.Type() != s.Response {
			panic(fmt.Sprintf("no %s but %T", s.Response.Name, response))
		}
		return response
	}
	err := t.box.add(func() (func(), error) {
		p, err := goroslib.NewServiceProvider(goroslib.ServiceProviderConf{
			Node: t.box.node, Name: name, Srv: prototype, Callback: callback(s, answer),
		})
		if err != nil {
			return nil, err
		}
		return p.Close, nil
	})
	if err != nil {
		return fmt.Errorf("ROS 1: serving %s: %w", name, err)
	}
	t.offers.add(&offer{name: name, kind: s.Name, md5: s.MD5, service: true})
	t.registrar.add(service, name, "")
	return nil
}

// callback makes the function of the type that goroslib expects. It always
// returns true: goroslib's way to fail sends no reason, for which clients wait.
func callback(s *msgs.Service, answer func(msgs.Message) msgs.Message) any {
	request := reflect.TypeOf(goros.Prototype(s.Request))
	response := reflect.TypeOf(goros.Prototype(s.Response))
	kind := reflect.FuncOf([]reflect.Type{request}, []reflect.Type{response, reflect.TypeFor[bool]()}, false)
	return reflect.MakeFunc(kind, func(args []reflect.Value) []reflect.Value {
		reply := goros.From(answer(goros.To(args[0].Interface())))
		return []reflect.Value{reflect.ValueOf(reply), reflect.ValueOf(true)}
	}).Interface()
}

// failure is a response of s that says what went wrong, as far as its fields
// allow.
func failure(s *msgs.Service, why string) msgs.Message {
	m := s.Response.New()
	if f := reflect.ValueOf(m).Elem().FieldByName("Message"); f.IsValid() && f.Kind() == reflect.String {
		f.SetString(why)
	}
	return m
}
