package xmlrpc_test

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"sinew/pkg/ros/xmlrpc"
)

// one wraps the XML of one value into a call.
func one(value string) []byte {
	return []byte("<methodCall><methodName>m</methodName><params><param>" + value + "</param></params></methodCall>")
}

func TestDecodeTolerates(t *testing.T) {
	for xml, want := range map[string]any{
		"<value>bare &lt;&#65;&#x42;&gt; text</value>": "bare <AB> text",
		"<value/>":                                                   "",
		"<value></value>":                                            "",
		"<value>  </value>":                                          "  ",
		"<value><string/></value>":                                   "",
		"<value>\n <int> +5 </int>\n</value>":                        5,
		"<value><i4>-5</i4></value>":                                 -5,
		"<value><double>3</double></value>":                          3.0,
		"<value><array><data/></array></value>":                      []any{},
		"<value><struct/></value>":                                   map[string]any{},
		"<value><base64>AA\r\n EC\t</base64></value>":                []byte{0, 1, 2},
		"<value>a<!-- no - text -->b<![CDATA[<c>&amp;]]>d</value>":   "ab<c>&amp;d",
		"<value >x</value\n>":                                        "x",
		"<value>one\r\ntwo\rthree</value>":                           "one\ntwo\nthree",
		"<!-- c --><value><!-- c --><int><!-- c -->1</int> </value>": 1,
	} {
		_, args, err := xmlrpc.DecodeCall(one(xml))
		if err != nil || !reflect.DeepEqual(args, []any{want}) {
			t.Errorf("%q: got %#v, %v; want %#v", xml, args, err, want)
		}
	}
}

func TestDecodeDocuments(t *testing.T) {
	for _, doc := range []string{
		"<methodCall><methodName>m</methodName></methodCall>",
		"<methodCall><methodName>m</methodName><params/></methodCall>",
		"\ufeff<?xml version='1.0' encoding='utf-8'?>\r\n<methodCall>\n<methodName> m </methodName></methodCall>\r\n",
		"<!-- c --><methodCall><methodName>m</methodName></methodCall><!-- c -->",
	} {
		method, args, err := xmlrpc.DecodeCall([]byte(doc))
		if err != nil || method != "m" || len(args) != 0 {
			t.Errorf("%q: got %q, %v, %v", doc, method, args, err)
		}
	}
}

func TestDecodeRefusesDocuments(t *testing.T) {
	for doc, want := range map[string]string{
		"":                                  "ends too early",
		"hello":                             "ends too early",
		"<methodCall>":                      "ends too early",
		"<methodResponse></methodResponse>": "<methodResponse> where <methodCall> belongs",
		"<methodCall></methodCall>":         "</methodCall> where <methodName>",
		"<methodCall><methodName> </methodName></methodCall>":                              "empty method name",
		"<methodCall><methodName>m</methodName></methodCall><a/>":                          "more than one element",
		"<methodCall><methodName>m</methodName></methodCall>x":                             "after the document",
		"<methodCall>x<methodName>m</methodName></methodCall>":                             `text "x" between`,
		"<!DOCTYPE a [<!ENTITY b 'c'>]><methodCall/>":                                      "document type",
		"<methodCall><methodName>m</methodName><params><value/></params></methodCall>":     "<value> where <param>",
		"<methodCall><methodName>m</methodName><params><param></param></params>":           "</param> where <value>",
		"<methodCall><methodName>m\x00</methodName></methodCall>":                          "not a character of XML",
		"<methodCall><methodName>m\xff</methodName></methodCall>":                          "not a character of XML",
		"<methodCall a='1'><methodName>m</methodName></methodCall>":                        "no attributes",
		"<" + strings.Repeat("a", 100) + "/>":                                              "does not end within",
		"<?xml ":                                                                           "ends too early",
		"<?xml version='1.0'?><?php evil ?><methodCall/>":                                  "malformed tag",
		"<!-- never ends <methodCall/>":                                                    "malformed comment",
		"<methodCall><methodName><![CDATA[m</methodName></methodCall>":                     "ends too early",
		"<methodCall><methodName><methodName>m</methodName></methodName></methodCall>":     "<methodName> where </methodName>",
		"<methodCall><methodName>m</methodName><params/><params/></methodCall>":            "<params> where </methodCall>",
		"<methodCall><methodName>m</methodName><params></param></params></methodCall>":     "</param> where <param>",
		"<methodCall><methodName>m</methodName><params><param><value/><value/></param>":    "<value> where </param>",
		"<methodCall><methodName>m</methodName><params><param><value/></param></fault>":    "</fault> where",
		"<methodCall><methodName>m]]></methodName></methodCall>":                           "]]> in text",
		"<methodCall><methodName>m</methodName><params><param>x<value/></param></params>x": `text "x" between`,
	} {
		if _, _, err := xmlrpc.DecodeCall([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", doc, err, want)
		}
	}
}

func TestDecodeRefusesValues(t *testing.T) {
	for xml, want := range map[string]string{
		"<value><int>2147483648</int></value>":                                        `"2147483648" is no int`,
		"<value><int></int></value>":                                                  `"" is no int`,
		"<value><int>1.5</int></value>":                                               "is no int",
		"<value><i8>1</i8></value>":                                                   "unknown type <i8>",
		"<value><nil/></value>":                                                       "unknown type <nil>",
		"<value><boolean>true</boolean></value>":                                      "is no boolean",
		"<value><double>1,5</double></value>":                                         "is no double",
		"<value><base64>A</base64></value>":                                           "is no base64",
		"<value><dateTime.iso8601>yesterday</dateTime.iso8601></value>":               "is no dateTime",
		"<value>x<int>1</int></value>":                                                `text "x" before <int>`,
		"<value><int>1</int>x</value>":                                                `text "x" between`,
		"<value><int>1</int><int>2</int></value>":                                     "<int> where </value>",
		"<value><int>1</i4></value>":                                                  "</i4> where </int>",
		"<value>&unknown;</value>":                                                    "unknown reference",
		"<value>&#0;</value>":                                                         "unknown reference",
		"<value>&#xD800;</value>":                                                     "unknown reference",
		"<value>&#99999999999;</value>":                                               "unknown reference",
		"<value>&lt</value>":                                                          "unknown reference",
		"<value><array></array></value>":                                              "</array> where <data>",
		"<value><array><data><int>1</int></data></array></value>":                     "<int> where <value>",
		"<value><struct><member><value/></member></struct></value>":                   "<value> where <name>",
		"<value><struct><member><name>a</name></member></struct></value>":             "</member> where <value>",
		"<value><struct><name>a</name></struct></value>":                              "<name> where <member>",
		"<value><string><b>x</b></string></value>":                                    "<b> where </string>",
		strings.Repeat("<value><array><data>", xmlrpc.MaxDepth+2):                     "nest deeper",
		strings.Repeat("<value><struct><member><name>a</name>", xmlrpc.MaxDepth+2):    "nest deeper",
		"<value><array><data>" + strings.Repeat("<value/>", xmlrpc.MaxValues):         "more than",
		"<value><string>" + strings.Repeat("x", xmlrpc.MaxBody) + "</string></value>": "larger than",
		"<value><int>" + strings.Repeat("1", 1000) + "</int></value>":                 `1..." is no int`,
		"<value><" + strings.Repeat("x", 50) + ">1</int></value>":                     "unknown type",
		"<value><int>1</int></value></param><param><value/></param></params></":       "malformed tag",
	} {
		_, _, err := xmlrpc.DecodeCall(one(xml))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %q", xml, err, want)
		}
		if err != nil && len(err.Error()) > 250 {
			t.Errorf("%.60q: the message is %d bytes long", xml, len(err.Error()))
		}
	}
}

func TestDecodeReplyRefuses(t *testing.T) {
	for doc, want := range map[string]string{
		"<methodResponse/>":                       "</methodResponse> where <params>",
		"<methodResponse><params/>":               "0 results",
		"<methodResponse><fault><value/></fault>": "without faultCode",
		"<methodResponse><params><param><value/></param><param><value/></param></params></methodResponse>": "2 results",
	} {
		if _, err := xmlrpc.DecodeReply([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", doc, err, want)
		}
	}
}

// TestDecodeMemory measures how much a body of the largest size can make the
// decoder allocate, for the worst shapes known.
func TestDecodeMemory(t *testing.T) {
	const perByte = 40 // allocated in all, garbage included, for each byte received
	item := func(s string) string { return strings.Repeat(s, 1<<20/len(s)) }
	for name, body := range map[string]string{
		"empty values": "<value><array><data>" + item("<value/>"),
		"structs":      "<value><array><data>" + item("<value><struct/></value>"),
		"members":      "<value><struct>" + item("<member><name/><value/></member>"),
		"comments":     "<value>" + item("<!---->"),
		"CDATA":        "<value>" + item("<![CDATA[a]]>"),
		"references":   "<value>" + item("&lt;"),
		"line ends":    "<value>" + item("\r"),
		"deep":         item("<value><array><data>"),
		"tags":         item("<a>"),
	} {
		doc := one(body)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := xmlrpc.DecodeCall(doc)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(doc)); got > perByte {
			t.Errorf("%s: %.0f bytes allocated for each byte received, want at most %d", name, got, perByte)
		}
	}
}
