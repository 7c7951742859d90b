package xmlrpc_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/xmlrpc"
)

func golden(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDecodeCallOfRealClients(t *testing.T) {
	unregister := func(method string, args ...any) any {
		return map[string]any{"methodName": method, "params": args}
	}
	const node = "/rostopic_20222_1795262762460"
	for _, c := range []struct {
		file, method string
		args         []any
	}{
		{"rospy_set_param.xml", "setParam", []any{"/rosparam-20198", "/robot/gains", []any{1, 2.5, -3e-9}}},
		{"rospy_set_param_text.xml", "setParam", []any{"/rosparam-20198", "/robot/name", `a<b & "c" é`}},
		{"roscpp_unregister_publisher.xml", "unregisterPublisher",
			[]any{"/record_1795262766578592942", "/rosout", "http://127.0.0.1:35561/"}},
		{"rospy_multicall.xml", "system.multicall", []any{[]any{
			unregister("unregisterPublisher", node, "/chatter", "http://127.0.0.1:38649/"),
			unregister("unregisterService", node, node+"/get_loggers", "rosrpc://127.0.0.1:37545"),
			unregister("unregisterService", node, node+"/set_logger_level", "rosrpc://127.0.0.1:37545"),
		}}},
	} {
		t.Run(c.file, func(t *testing.T) {
			method, args, err := xmlrpc.DecodeCall(golden(t, c.file))
			if err != nil {
				t.Fatal(err)
			}
			if method != c.method || !reflect.DeepEqual(args, c.args) {
				t.Errorf("got %s%v\nwant %s%v", method, args, c.method, c.args)
			}
		})
	}
}

func TestDecodeReplyOfRealServers(t *testing.T) {
	for _, c := range []struct {
		file string
		want any
	}{
		{"rospy_get_param_reply.xml", []any{1, "Parameter [/robot]", map[string]any{
			"gains": []any{1, 2.5, -3e-9}, "name": `a<b & "c" é`}}},
		{"rospy_no_caller_reply.xml", []any{-1, "missing required caller_id parameter", 0}},
		{"rospy_fault_reply.xml", &xmlrpc.Fault{1, `<class 'Exception'>:method "nope" is not supported`}},
		{"roscpp_get_pid_reply.xml", []any{1, "", 20506}},
		{"roscpp_get_bus_info_reply.xml", []any{1, "", []any{}}},
		{"roscpp_fault_reply.xml", &xmlrpc.Fault{-1, "nope: unknown method name"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := xmlrpc.DecodeReply(golden(t, c.file))
			var f *xmlrpc.Fault
			if errors.As(err, &f) {
				got = f
			} else if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %#v\nwant %#v", got, c.want)
			}
		})
	}
}

// TestRoundTrip sends every kind of value through the codec, both as argument
// and as result.
func TestRoundTrip(t *testing.T) {
	deep := any("bottom")
	for range xmlrpc.MaxDepth {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"int":         -42,
		"int limits":  []any{math.MaxInt32, math.MinInt32},
		"true":        true,
		"false":       false,
		"double":      1e-300,
		"double 0.1":  0.1,
		"double -0":   math.Copysign(0, -1),
		"infinite":    []any{math.Inf(1), math.Inf(-1)},
		"whole":       3.0,
		"string":      "a<b>&c;\"d'&amp;e\t\nf\rg\r\nh é 漢 😀 ]]> <!-- x --> ",
		"blanks":      "  \n ",
		"no text":     "",
		"bytes":       []byte{0, 1, 2, 0xFF, '<'},
		"no bytes":    []byte{},
		"time":        time.Date(2026, 11, 21, 23, 59, 58, 0, time.UTC),
		"array":       []any{1, "two", []any{3.5, false}, map[string]any{}},
		"empty array": []any{},
		"struct":      map[string]any{"a": 1, "": 2, "<&>": []any{}, "s": map[string]any{"t": "u"}},
		"nested":      deep,
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := xmlrpc.AppendReply(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := xmlrpc.DecodeReply(reply); err != nil || !reflect.DeepEqual(got, v) {
				t.Errorf("reply: got %#v (%v), want %#v", got, err, v)
			}
			call, err := xmlrpc.AppendCall(nil, "m<&>", v, v)
			if err != nil {
				t.Fatal(err)
			}
			method, args, err := xmlrpc.DecodeCall(call)
			if err != nil || method != "m<&>" || !reflect.DeepEqual(args, []any{v, v}) {
				t.Errorf("call: got %q %#v (%v), want %#v", method, args, err, v)
			}
		})
	}
}

func TestNaN(t *testing.T) {
	reply, err := xmlrpc.AppendReply(nil, math.NaN())
	if err != nil {
		t.Fatal(err)
	}
	got, err := xmlrpc.DecodeReply(reply)
	if v, ok := got.(float64); err != nil || !ok || !math.IsNaN(v) {
		t.Errorf("got %#v, %v", got, err)
	}
}

func TestEncodeNarrowTypes(t *testing.T) {
	reply, err := xmlrpc.AppendReply(nil, []any{int32(7), int64(-8), float32(0.5), []string{"a"}, [][]string{{"b"}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := xmlrpc.DecodeReply(reply)
	want := []any{7, -8, 0.5, []any{"a"}, []any{[]any{"b"}, []any{}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v", got, err)
	}
}

func TestEncodeRefuses(t *testing.T) {
	deep := any(1)
	for range xmlrpc.MaxDepth + 1 {
		deep = []any{deep}
	}
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"33 bits":    {1 << 31, "integer 2147483648 does not fit"},
		"NUL":        {"a\x00b", `"\x00" at byte 1`},
		"no UTF-8":   {"\xff", `"\xff" at byte 0`},
		"nil":        {nil, "no type for a Go <nil>"},
		"channel":    {make(chan int), "no type for a Go chan int"},
		"where":      {[]any{0, map[string]any{"k": []any{nil}}}, "[1]: k: [0]: "},
		"name":       {map[string]any{"\x01": 1}, `member name "\x01"`},
		"depth":      {deep, "nest deeper than 32"},
		"too large":  {[]any{strings.Repeat("x", xmlrpc.MaxBody), 1}, "larger than"},
		"depth name": {map[string]any{"a": deep}, "nest deeper than 32"},
	} {
		_, err := xmlrpc.AppendReply(nil, c.v)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestFaultRoundTrip(t *testing.T) {
	_, err := xmlrpc.DecodeReply(xmlrpc.AppendFault(nil, &xmlrpc.Fault{-3, "bad <\x00\xff> & é"}))
	var f *xmlrpc.Fault
	if !errors.As(err, &f) || f.Code != -3 || f.Message != "bad <\ufffd\ufffd> & é" {
		t.Errorf("got %v", err)
	}
}
