// Package xmlrpc implements XML-RPC as ROS 1 uses it: codec, client and server over net/http.
//
// Values are plain Go data:
//
//	XML-RPC             decoded as        also encoded from
//	int, i4             int               int32, and int64 within 32 bits
//	boolean             bool
//	double              float64           float32
//	string, untyped     string
//	base64              []byte
//	dateTime.iso8601    time.Time (UTC)
//	array               []any             []string, [][]string
//	struct              map[string]any
//
// The parser is written for this grammar instead of on top of encoding/xml, because peers are not
// trusted: it supports no document type, no entities beyond the five of XML and character
// references, and no attributes, and it refuses the first element that is not allowed at its place.
// A body therefore costs at most a small multiple of its size, whatever its content. Requests and
// replies are bounded by MaxBody, MaxDepth and MaxValues.
//
// The same decoder over encoding/xml, with the same bounds, is 139 lines shorter. Its tokens are
// whole tags: a body of 8 MiB that is one tag with attributes costs 1.4 s and 400 MiB before it can
// be refused, and 0.1 s and 8 MiB here. The registrations of a rospy node take 102 µs and 548
// allocations there, 58 µs and 172 here. It also accepts &#xD800;, which is no character.
//
// Replies and requests always carry a Content-Length, since roscpp cannot read chunked bodies, and
// strings use named entities only where necessary, since roscpp supports no others.
package xmlrpc

// Limits of everything that is read or written.
const (
	// MaxBody is the largest request or reply, in bytes.
	MaxBody = 8 << 20
	// MaxDepth is how deep arrays and structs may nest.
	MaxDepth = 32
	// MaxValues is how many values one request or reply may hold.
	MaxValues = 1 << 18
)
