package main

import "fmt"

// serviceHash is the REP-2011 hash of a service in ROS 2: that of a message of its request,
// its response and the event that tells of a call.
func serviceHash(s *Service) string {
	name := s.Package + "/srv/" + s.Name
	nested := func(field string, m *Message) Field { return Field{Name: field, Type: TypeRef{Message: m}} }
	atMostOne := func(field string, m *Message) Field {
		return Field{Name: field, Type: TypeRef{Message: m, Array: true, Most: 1}}
	}
	event := &Message{Package: s.Package, Name: s.Name + "_Event", Source: s.Source, Side: ROS2Only, Fields: []Field{
		nested("info", serviceEventInfo), atMostOne("request", s.Request), atMostOne("response", s.Response),
	}}
	whole := &Message{Package: s.Package, Name: s.Name, Source: s.Source, Side: ROS2Only, Fields: []Field{
		nested("request_message", s.Request), nested("response_message", s.Response), nested("event_message", event),
	}}
	if got := nameROS2(whole); got != name {
		panic(fmt.Sprintf("the service %s is called %s", name, got))
	}
	return typeHash(whole)
}

// serviceEventInfo is the message service_msgs/ServiceEventInfo, which no other message needs.
var serviceEventInfo = &Message{
	Package: "service_msgs", Name: "ServiceEventInfo", Source: "msg/ServiceEventInfo.msg", Side: ROS2Only,
	Fields: []Field{
		{Name: "event_type", Type: TypeRef{Builtin: "uint8"}},
		{Name: "stamp", Type: TypeRef{Builtin: "time"}},
		{Name: "client_gid", Type: TypeRef{Builtin: "char", Array: true, Fixed: 16}},
		{Name: "sequence_number", Type: TypeRef{Builtin: "int64"}},
	},
}
