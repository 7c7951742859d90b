package xmlrpc

import (
	"errors"
	"fmt"
	"strings"
)

// Fault is an error that the peer reported in an XML-RPC fault.
type Fault struct {
	Code    int
	Message string
}

func (f *Fault) Error() string { return fmt.Sprintf("XML-RPC fault %d: %s", f.Code, f.Message) }

var (
	errDepth  = fmt.Errorf("arrays and structs nest deeper than %d", MaxDepth)
	errValues = fmt.Errorf("more than %d values", MaxValues)
)

// DecodeCall reads a request.
func DecodeCall(body []byte) (method string, args []any, err error) {
	d, err := newDecoder(body, "methodCall")
	if err != nil {
		return "", nil, fmt.Errorf("xmlrpc: request: %w", err)
	}
	if method, args, err = d.call(); err != nil {
		return "", nil, d.fail("request", err)
	}
	return method, args, nil
}

// DecodeReply reads a reply. The error is a *Fault if the peer reported one.
func DecodeReply(body []byte) (any, error) {
	d, err := newDecoder(body, "methodResponse")
	if err != nil {
		return nil, fmt.Errorf("xmlrpc: reply: %w", err)
	}
	v, fault, err := d.reply()
	if err != nil {
		return nil, d.fail("reply", err)
	}
	if fault != nil {
		return nil, fault
	}
	return v, nil
}

// decoder reads one document by recursive descent.
type decoder struct {
	*scanner
	values int
}

func newDecoder(body []byte, root string) (*decoder, error) {
	if len(body) > MaxBody {
		return nil, errBody
	}
	s, err := newScanner(body)
	if err != nil {
		return nil, err
	}
	d := &decoder{scanner: s}
	if err := d.expect(root, false); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *decoder) fail(what string, err error) error {
	return fmt.Errorf("xmlrpc: %s: near byte %d: %w", what, d.pos, err)
}

func (d *decoder) call() (method string, args []any, err error) {
	if err = d.expect("methodName", false); err != nil {
		return "", nil, err
	}
	if method, err = d.leaf("methodName"); err != nil {
		return "", nil, err
	}
	if method = strings.Trim(method, space); method == "" {
		return "", nil, errors.New("empty method name")
	}
	t, err := d.peek()
	if err == nil && t == (tag{"params", false}) { // a call without arguments may omit it
		args, err = d.params()
	}
	if err == nil {
		err = d.expect("methodCall", true)
	}
	if err == nil {
		err = d.finish()
	}
	return method, args, err
}

func (d *decoder) params() (args []any, err error) {
	if err := d.expect("params", false); err != nil {
		return nil, err
	}
	for {
		more, err := d.more("param", "params")
		if err != nil || !more {
			return args, err
		}
		v, err := d.value(0)
		if err != nil {
			return nil, err
		}
		if err := d.expect("param", true); err != nil {
			return nil, err
		}
		args = append(args, v)
	}
}

func (d *decoder) reply() (v any, fault *Fault, err error) {
	t, err := d.peek()
	if err != nil {
		return nil, nil, err
	}
	if t == (tag{"fault", false}) {
		fault, err = d.fault()
	} else {
		var results []any
		results, err = d.params()
		if err == nil && len(results) != 1 {
			err = fmt.Errorf("%d results where 1 belongs", len(results))
		}
		if err == nil {
			v = results[0]
		}
	}
	if err == nil {
		err = d.expect("methodResponse", true)
	}
	if err == nil {
		err = d.finish()
	}
	return v, fault, err
}

func (d *decoder) fault() (*Fault, error) {
	if err := d.expect("fault", false); err != nil {
		return nil, err
	}
	v, err := d.value(0)
	if err != nil {
		return nil, err
	}
	members, _ := v.(map[string]any)
	code, isInt := members["faultCode"].(int)
	message, isString := members["faultString"].(string)
	if !isInt || !isString {
		return nil, errors.New("a fault without faultCode and faultString")
	}
	return &Fault{Code: code, Message: message}, d.expect("fault", true)
}

// more reads the opening tag of the next item, or the end of the list.
func (d *decoder) more(item, list string) (bool, error) {
	t, err := d.next()
	switch {
	case err != nil:
		return false, err
	case t == tag{item, false}:
		return true, nil
	case t == tag{list, true}:
		return false, nil
	}
	return false, fmt.Errorf("%v where <%s> or </%s> belongs", t, item, list)
}

// value reads a whole value element.
func (d *decoder) value(depth int) (any, error) {
	if err := d.expect("value", false); err != nil {
		return nil, err
	}
	return d.inValue(depth)
}

// inValue reads the rest of a value element, after its opening tag.
func (d *decoder) inValue(depth int) (any, error) {
	if d.values++; d.values > MaxValues {
		return nil, errValues
	}
	if depth > MaxDepth {
		return nil, errDepth
	}
	text, err := d.text()
	if err != nil {
		return nil, err
	}
	t, err := d.next()
	switch {
	case err != nil:
		return nil, err
	case t == tag{"value", true}:
		return text, nil // an untyped value is a string
	case !blank(text):
		return nil, fmt.Errorf("text %q before %v", shorten(text), t)
	case t.end:
		return nil, fmt.Errorf("%v where </value> belongs", t)
	}
	v, err := d.typed(t.name, depth)
	if err != nil {
		return nil, err
	}
	return v, d.expect("value", true)
}

// typed reads a value after the opening tag of its type.
func (d *decoder) typed(kind string, depth int) (any, error) {
	switch kind {
	case "array":
		return d.array(depth)
	case "struct":
		return d.members(depth)
	}
	parse, known := scalars[kind]
	if !known {
		return nil, fmt.Errorf("unknown type <%s>", shorten(kind))
	}
	text, err := d.leaf(kind)
	if err != nil {
		return nil, err
	}
	v, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%q is no %s", shorten(text), kind)
	}
	return v, nil
}

// leaf reads the text of an element whose opening tag is consumed.
func (d *decoder) leaf(name string) (string, error) {
	text, err := d.text()
	if err != nil {
		return "", err
	}
	return text, d.expect(name, true)
}

func (d *decoder) array(depth int) (any, error) {
	if err := d.expect("data", false); err != nil {
		return nil, err
	}
	items := []any{}
	for {
		more, err := d.more("value", "data")
		if err != nil {
			return nil, err
		}
		if !more {
			return items, d.expect("array", true)
		}
		v, err := d.inValue(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
}

func (d *decoder) members(depth int) (any, error) {
	members := map[string]any{}
	for {
		more, err := d.more("member", "struct")
		if err != nil || !more {
			return members, err
		}
		if err := d.expect("name", false); err != nil {
			return nil, err
		}
		name, err := d.leaf("name")
		if err != nil {
			return nil, err
		}
		if members[name], err = d.value(depth + 1); err != nil {
			return nil, err
		}
		if err := d.expect("member", true); err != nil {
			return nil, err
		}
	}
}
