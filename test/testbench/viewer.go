package testbench

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/msgs/catalog"
	"sinew/msgs/std_srvs"
	"sinew/msgs/tf2_msgs"
)

// ViewerClient is what a program tells its viewers of itself.
type ViewerClient struct {
	t            *testing.T
	conn         *websocket.Conn
	Topics       map[string]string   // types of topics
	services     map[string]string   // types of services
	ids          map[string]uint32   // of services
	labels       map[string][]string // of tendons, by topic
	Frames       map[string]bool
	Capabilities []string
	published    int // channels
}

// fromServer is a text of a server, with the fields of all operations that are used.
type fromServer struct {
	Op, ID, Message string
	Capabilities    []string
	Metadata        map[string]string
	Channels        []struct {
		ID                uint32
		Topic, SchemaName string
	}
	Services []struct {
		ID         uint32
		Name, Type string
	}
}

// NewViewerClient connects to a program as a viewer.
func NewViewerClient(t *testing.T, socket string) *ViewerClient {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), socket, &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(16 << 20)
	a := &ViewerClient{t: t, conn: conn, Topics: map[string]string{}, services: map[string]string{}, ids: map[string]uint32{}, labels: map[string][]string{}, Frames: map[string]bool{}}
	info, channels := a.text(), a.text()
	a.Capabilities = info.Capabilities
	var description struct {
		Ports []struct {
			Topic  string
			Labels []string
		}
	}
	if err := json.Unmarshal([]byte(info.Metadata["panel"]), &description); err != nil {
		t.Fatal(err)
	}
	for _, p := range description.Ports {
		a.labels[p.Topic] = p.Labels
	}
	for _, s := range a.text().Services {
		a.services[s.Name], a.ids[s.Name] = s.Type, s.ID
	}
	for _, c := range channels.Channels {
		a.Topics[c.Topic] = c.SchemaName
		if c.Topic == "/tf" {
			a.Say(map[string]any{"op": "subscribe", "subscriptions": []any{map[string]any{"id": 1, "channelId": c.ID}}})
		}
	}
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		kind, data := a.Read()
		var m tf2_msgs.TFMessage
		if kind != websocket.MessageBinary || m.ParseCDR(data[1+4+8:]) != nil {
			continue
		}
		for _, f := range m.Transforms {
			a.Frames[f.Header.FrameID], a.Frames[f.ChildFrameID] = true, true
		}
	}
	a.Say(map[string]any{"op": "unsubscribe", "subscriptionIds": []int{1}})
	return a
}

func (a *ViewerClient) Read() (websocket.MessageType, []byte) {
	a.t.Helper()
	kind, data, err := a.conn.Read(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	return kind, data
}

// text is the next text of the server.
func (a *ViewerClient) text() (m fromServer) {
	a.t.Helper()
	for {
		kind, data := a.Read()
		if kind != websocket.MessageText {
			continue
		}
		if err := json.Unmarshal(data, &m); err != nil {
			a.t.Fatal(err)
		}
		return m
	}
}

func (a *ViewerClient) Say(m any) {
	a.t.Helper()
	data, err := json.Marshal(m)
	if err == nil {
		err = a.conn.Write(a.t.Context(), websocket.MessageText, data)
	}
	if err != nil {
		a.t.Fatal(err)
	}
}

// Publish publishes a message in JSON, and returns what the program has against it.
func (a *ViewerClient) Publish(topic, schema, value string) (wrong string) {
	a.t.Helper()
	a.published++
	id := uint32(a.published)
	a.Say(map[string]any{"op": "advertise", "channels": []any{map[string]any{"id": id, "topic": topic, "encoding": "json", "schemaName": schema}}})
	frame := append(binary.LittleEndian.AppendUint32([]byte{1}, id), value...)
	if err := a.conn.Write(a.t.Context(), websocket.MessageBinary, frame); err != nil {
		a.t.Fatal(err)
	}
	done := strconv.Itoa(a.published)
	a.Say(map[string]any{"op": "getParameters", "parameterNames": []string{"use_sim_time"}, "id": done})
	for {
		m := a.text()
		switch {
		case m.Op == "status" && wrong == "":
			wrong = m.Message
		case m.ID == done:
			return wrong
		}
	}
}

func (a *ViewerClient) IsOf(topic, schema string) string {
	if got := a.Topics[topic]; got != schema {
		return fmt.Sprintf("%s is of %s, not %s", topic, got, schema)
	}
	return ""
}

// CheckRequest tells what is wrong with a request in JSON.
func (a *ViewerClient) CheckRequest(service, payload string) string {
	name, is := a.services[service]
	if !is {
		return "there is no service " + service
	}
	typ := catalog.Find(strings.Replace(name, "/srv/", "/", 1) + "Request")
	if typ == nil {
		return name + " is not known"
	}
	d := json.NewDecoder(strings.NewReader(payload))
	d.DisallowUnknownFields()
	if err := d.Decode(typ.New()); err != nil {
		return fmt.Sprintf("%s %s: %v", service, payload, err)
	}
	return ""
}

// split divides what a tool calls a series into the topic, which must be there, and the rest.
func (a *ViewerClient) split(series, separators string) (topic, rest string) {
	for t := range a.Topics {
		after, is := strings.CutPrefix(series, t)
		if is && len(t) > len(topic) && (after == "" || strings.ContainsAny(after[:1], separators)) {
			topic, rest = t, strings.TrimLeft(after, separators)
		}
	}
	return topic, rest
}

// CheckPath tells what is wrong with a message path of Foxglove to a number or, otherwise, a state.
func (a *ViewerClient) CheckPath(path string, number bool) string {
	topic, rest := a.split(path, ".")
	if topic == "" {
		return "there is no topic in " + path
	}
	return a.checkFields(path, topic, strings.Split(rest, "."), number)
}

// indexed is a field, maybe with the index of an element.
var indexed = regexp.MustCompile(`^(\w+)(?:\[(\d+)\])?$`)

// checkFields tells what is wrong with the way through the fields of a topic's type to a number or,
// otherwise, a state.
func (a *ViewerClient) checkFields(path, topic string, fields []string, number bool) string {
	typ := catalog.Find(strings.Replace(a.Topics[topic], "/msg/", "/", 1))
	at := reflect.TypeOf(typ.New()).Elem()
	for _, field := range fields {
		m := indexed.FindStringSubmatch(field)
		if m == nil || at.Kind() != reflect.Struct {
			return path + ": cannot look for " + field
		}
		f, is := at.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, strings.ReplaceAll(m[1], "_", "")) })
		if !is || !strings.Contains(typ.Schema, " "+m[1]+"\n") && !strings.HasSuffix(typ.Schema, " "+m[1]) {
			return fmt.Sprintf("%s: %s has no field %s", path, a.Topics[topic], m[1])
		}
		if at = f.Type; m[2] == "" {
			continue
		}
		if at.Kind() != reflect.Slice {
			return path + ": " + m[1] + " is no array"
		}
		at = at.Elem()
		if i, _ := strconv.Atoi(m[2]); i >= len(a.labels[topic]) {
			return fmt.Sprintf("%s: %s has %d elements, not %d", path, m[1], len(a.labels[topic]), i+1)
		}
	}
	switch kind := at.Kind(); {
	case kind == reflect.Slice:
		return path + " is an array"
	case kind >= reflect.Int && kind <= reflect.Float64:
	case number:
		return path + " is no number"
	case kind != reflect.String && kind != reflect.Bool:
		return path + " is no state"
	}
	return ""
}

// CheckCurve tells what is wrong with the name of a curve of PlotJuggler, which calls the values of
// joints by their names.
func (a *ViewerClient) CheckCurve(name string) string {
	topic, rest := a.split(name, "/")
	if topic == "" {
		return "there is no topic in " + name
	}
	fields := strings.Split(rest, "/")
	if a.Topics[topic] != "sensor_msgs/msg/JointState" {
		return a.checkFields(name, topic, fields, true)
	}
	if len(fields) != 2 {
		return name + ": want a joint and a value"
	}
	for i, label := range a.labels[topic] {
		if label == fields[0] {
			return a.checkFields(name, topic, []string{fmt.Sprintf("%s[%d]", fields[1], i)}, true)
		}
	}
	return name + ": there is no joint " + fields[0]
}

// Trigger calls a service without fields as a viewer.
func (a *ViewerClient) Trigger(service string) (done bool, message string) {
	a.t.Helper()
	a.published++
	call := uint32(a.published)
	frame := binary.LittleEndian.AppendUint32([]byte{2}, a.ids["/tendonsim/"+service])
	frame = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(frame, call), uint32(len("cdr")))
	frame = (&std_srvs.TriggerRequest{}).AppendCDR(append(frame, "cdr"...))
	if err := a.conn.Write(a.t.Context(), websocket.MessageBinary, frame); err != nil {
		a.t.Fatal(err)
	}
	for {
		kind, data := a.Read()
		const head = 1 + 4 + 4 + 4 + len("cdr")
		if kind != websocket.MessageBinary || data[0] != 3 || binary.LittleEndian.Uint32(data[5:]) != call {
			continue
		}
		var r std_srvs.TriggerResponse
		if err := r.ParseCDR(data[head:]); err != nil {
			a.t.Fatal(err)
		}
		return r.Success, r.Message
	}
}

// ViewerLink is what follows the scheme in the link that a program prints.
func ViewerLink(t *testing.T, p *Process) string {
	t.Helper()
	link := regexp.MustCompile(`(?m)^view +http(://127\.0\.0\.1:\d+/)$`).FindStringSubmatch(p.Output())
	if link == nil {
		t.Fatalf("no link:\n%s", p.Output())
	}
	return link[1]
}
