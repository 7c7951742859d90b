package env

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// request is what the caller wants.
type request struct {
	verb string
	more []string // texts of vary, names of set
}

// The requests.
const (
	resetRequest = "reset"
	stepRequest  = "step"
	varyRequest  = "vary"
	setRequest   = "set"
	closeRequest = "close"
)

// parseRequest reads a line without its end.
func parseRequest(line string) (request, error) {
	verb, rest, more := strings.Cut(line, "\t")
	switch {
	case verb == varyRequest || verb == setRequest:
		r := request{verb: verb}
		if more {
			r.more = strings.Split(rest, "\t")
		}
		if len(r.more) > mostVaried {
			return request{}, fmt.Errorf("%s of %d numbers; at most %d are allowed", verb, len(r.more), mostVaried)
		}
		return r, nil
	case more || verb != resetRequest && verb != stepRequest && verb != closeRequest:
		return request{}, fmt.Errorf("request %.60q; want reset, step, vary, set or close", line)
	}
	return request{verb: verb}, nil
}

const maxLine = 1 << 16 // bytes of a request

// lines reads requests until there are no more, and tells why.
func lines(in io.Reader, to chan<- string, end <-chan struct{}) error {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 0, 1<<12), maxLine)
	for s.Scan() {
		select {
		case to <- strings.TrimSuffix(s.Text(), "\r"):
		case <-end:
			return nil
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a request has more than %d bytes", maxLine)
	}
	return s.Err()
}

// answer is the line that answers a request.
func answer(err error) string {
	if err == nil {
		return "ok\n"
	}
	return "error " + strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ") + "\n"
}
