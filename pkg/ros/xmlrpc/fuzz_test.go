package xmlrpc_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"

	"sinew/pkg/ros/xmlrpc"
)

// FuzzDecode feeds the decoders arbitrary bodies. What they accept must be
// well-formed in the eyes of encoding/xml too, and must survive being encoded
// and decoded again.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no corpus: %v", err)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Add(one("<value><struct><member><name>a&lt;</name><value><base64>AAEC</base64></value></member></struct></value>"))
	f.Add(one("<value><dateTime.iso8601>20261121T10:00:00</dateTime.iso8601></value>"))
	f.Add(one("<value>a<!-- b --><![CDATA[<c>]]>&#13;\r\n</value>"))
	f.Add(one("<value><double>nan</double></value>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if method, args, err := xmlrpc.DecodeCall(body); err == nil {
			wellFormed(t, body)
			again(t, method, args)
		}
		if v, err := xmlrpc.DecodeReply(body); err == nil {
			wellFormed(t, body)
			again(t, "m", []any{v})
		}
	})
}

func again(t *testing.T, method string, args []any) {
	first, err := xmlrpc.AppendCall(nil, method, args...)
	if err != nil {
		t.Fatalf("cannot encode what was decoded: %v", err)
	}
	if len(first) > xmlrpc.MaxBody {
		return
	}
	m, a, err := xmlrpc.DecodeCall(first)
	if err != nil {
		t.Fatalf("cannot decode what was encoded: %v", err)
	}
	second, err := xmlrpc.AppendCall(nil, m, a...)
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("encoded twice: %v\n%s\n%s", err, first, second)
	}
}

func wellFormed(t *testing.T, body []byte) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if bytes.HasPrefix(body, []byte("<?xml ")) { // what it declares is not looked at
		_, body, _ = bytes.Cut(body, []byte("?>"))
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("accepted, but encoding/xml says %v: %q", err, body)
		}
	}
}
