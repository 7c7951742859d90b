package xmlrpc

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// dateTime is the only form of dateTime.iso8601 that XML-RPC defines.
const dateTime = "20060102T15:04:05"

const prolog = "<?xml version=\"1.0\"?>\n"

// AppendCall appends the request that calls method with args to dst.
func AppendCall(dst []byte, method string, args ...any) ([]byte, error) {
	dst = append(dst, prolog+"<methodCall><methodName>"...)
	dst, err := appendText(dst, method)
	if err != nil {
		return dst, fmt.Errorf("xmlrpc: method name: %w", err)
	}
	dst = append(dst, "</methodName><params>"...)
	for i, a := range args {
		if dst, err = appendParam(dst, a); err != nil {
			return dst, fmt.Errorf("xmlrpc: %s: argument %d: %w", method, i, err)
		}
	}
	return append(dst, "</params></methodCall>\n"...), nil
}

// AppendReply appends the successful reply that carries v to dst.
func AppendReply(dst []byte, v any) ([]byte, error) {
	dst = append(dst, prolog+"<methodResponse><params>"...)
	dst, err := appendParam(dst, v)
	if err != nil {
		return dst, fmt.Errorf("xmlrpc: reply: %w", err)
	}
	return append(dst, "</params></methodResponse>\n"...), nil
}

// AppendFault appends the reply that reports f to dst. Characters that XML
// cannot hold are replaced.
func AppendFault(dst []byte, f *Fault) []byte {
	dst = append(dst, prolog+"<methodResponse><fault>"...)
	dst, _ = appendValue(dst, map[string]any{
		"faultCode":   int(int32(f.Code)),
		"faultString": printable(f.Message),
	}, 0)
	return append(dst, "</fault></methodResponse>\n"...)
}

func appendParam(dst []byte, v any) ([]byte, error) {
	dst = append(dst, "<param>"...)
	dst, err := appendValue(dst, v, 0)
	return append(dst, "</param>\n"...), err
}

func appendValue(dst []byte, v any, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return dst, errDepth
	}
	if len(dst) > MaxBody {
		return dst, errBody
	}
	dst = append(dst, "<value>"...)
	dst, err := appendTyped(dst, v, depth)
	return append(dst, "</value>"...), err
}

func appendTyped(dst []byte, v any, depth int) ([]byte, error) {
	switch v := v.(type) {
	case int:
		return appendInt(dst, int64(v))
	case int32:
		return appendInt(dst, int64(v))
	case int64:
		return appendInt(dst, v)
	case bool:
		if v {
			return append(dst, "<boolean>1</boolean>"...), nil
		}
		return append(dst, "<boolean>0</boolean>"...), nil
	case float64:
		return appendDouble(dst, v), nil
	case float32:
		return appendDouble(dst, float64(v)), nil
	case string:
		dst = append(dst, "<string>"...)
		dst, err := appendText(dst, v)
		return append(dst, "</string>"...), err
	case []byte:
		dst = append(dst, "<base64>"...)
		dst = base64.StdEncoding.AppendEncode(dst, v)
		return append(dst, "</base64>"...), nil
	case time.Time:
		dst = append(dst, "<dateTime.iso8601>"...)
		dst = v.UTC().AppendFormat(dst, dateTime)
		return append(dst, "</dateTime.iso8601>"...), nil
	case []any:
		return appendArray(dst, v, depth)
	case []string:
		return appendArray(dst, v, depth)
	case [][]string:
		return appendArray(dst, v, depth)
	case map[string]any:
		return appendStruct(dst, v, depth)
	}
	return dst, fmt.Errorf("XML-RPC has no type for a Go %T", v)
}

func appendInt(dst []byte, v int64) ([]byte, error) {
	if v < math.MinInt32 || v > math.MaxInt32 {
		return dst, fmt.Errorf("integer %d does not fit the 32 bits of XML-RPC", v)
	}
	dst = append(dst, "<int>"...)
	dst = strconv.AppendInt(dst, v, 10)
	return append(dst, "</int>"...), nil
}

// appendDouble writes the shortest text that reads back to v. Not-a-number and
// infinity are written as C and Python read them.
func appendDouble(dst []byte, v float64) []byte {
	dst = append(dst, "<double>"...)
	switch {
	case math.IsNaN(v):
		dst = append(dst, "nan"...)
	case math.IsInf(v, 1):
		dst = append(dst, "inf"...)
	case math.IsInf(v, -1):
		dst = append(dst, "-inf"...)
	default:
		dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	return append(dst, "</double>"...)
}

func appendArray[T any](dst []byte, items []T, depth int) ([]byte, error) {
	dst = append(dst, "<array><data>"...)
	for i, item := range items {
		var err error
		if dst, err = appendValue(dst, item, depth+1); err != nil {
			return dst, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return append(dst, "</data></array>"...), nil
}

// appendStruct writes members in the order of their names, so that equal values
// give equal bytes.
func appendStruct(dst []byte, members map[string]any, depth int) ([]byte, error) {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, "<struct>"...)
	for _, name := range names {
		var err error
		dst = append(dst, "<member><name>"...)
		if dst, err = appendText(dst, name); err != nil {
			return dst, fmt.Errorf("member name %q: %w", name, err)
		}
		dst = append(dst, "</name>"...)
		if dst, err = appendValue(dst, members[name], depth+1); err != nil {
			return dst, fmt.Errorf("%s: %w", name, err)
		}
		dst = append(dst, "</member>"...)
	}
	return append(dst, "</struct>"...), nil
}
