package viewer

import (
	"maps"
	"strings"

	"sinew/msgs"
)

// encodingCDR is the encoding of all messages, but that viewers may publish in encodingJSON;
// schemaROS2 is that of all schemas.
const (
	encodingCDR  = "cdr"
	encodingJSON = "json"
	schemaROS2   = "ros2msg"
)

// metadata returns the information about the server beside its name.
func (s *Server) metadata() map[string]string {
	m := map[string]string{}
	if s.options.Metadata != nil {
		maps.Copy(m, s.options.Metadata())
	}
	// viewers distinguish ROS 1 and 2, and select standard types, by the name of a distribution
	m["ROS_DISTRO"] = "jazzy"
	return m
}

// channelInfo is a channel as it is advertised.
type channelInfo struct {
	ID             uint32 `json:"id"`
	Topic          string `json:"topic"`
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	Schema         string `json:"schema"`
	SchemaEncoding string `json:"schemaEncoding"`
}

func (s *Server) channelList() []channelInfo {
	list := make([]channelInfo, len(s.channels))
	for i, c := range s.channels {
		t := c.topic.Type
		list[i] = channelInfo{c.id, c.topic.Name, encodingCDR, t.ROS2Name, t.Schema, schemaROS2}
	}
	return list
}

// halfInfo is the request or the response of a service as it is advertised.
type halfInfo struct {
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	SchemaEncoding string `json:"schemaEncoding"`
	Schema         string `json:"schema"`
}

// serviceInfo is a service as it is advertised, in the present form and in that of viewers from
// before it.
type serviceInfo struct {
	ID             uint32   `json:"id"`
	Name           string   `json:"name"`
	Type           string   `json:"type"`
	Request        halfInfo `json:"request"`
	Response       halfInfo `json:"response"`
	RequestSchema  string   `json:"requestSchema"`
	ResponseSchema string   `json:"responseSchema"`
}

func (s *Server) serviceList() []serviceInfo {
	half := func(t *msgs.Type) halfInfo { return halfInfo{encodingCDR, t.ROS2Name, schemaROS2, t.Schema} }
	list := make([]serviceInfo, len(s.services))
	for i, v := range s.services {
		k := v.kind
		list[i] = serviceInfo{
			ID: v.id, Name: v.name, Type: strings.Replace(k.Name, "/", "/srv/", 1),
			Request: half(k.Request), Response: half(k.Response), RequestSchema: k.Request.Schema, ResponseSchema: k.Response.Schema,
		}
	}
	return list
}
