package env

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// request is a request of the caller.
type request struct {
	number string // that its answer repeats; empty: none
	verb   string
	more   []string // texts of vary, names of set
	robot  int      // that draw, jacobian and linearise ask about
}

// The requests.
const (
	resetRequest     = "reset"
	resetAllRequest  = "reset_all"
	stepRequest      = "step"
	varyRequest      = "vary"
	setRequest       = "set"
	drawRequest      = "draw"
	jacobianRequest  = "jacobian"
	lineariseRequest = "linearise"
	waitRequest      = "wait"
	closeRequest     = "close"
)

// parseRequest reads a line without its end. The number is that of the line after an error, too.
func parseRequest(line string) (request, error) {
	number, rest := numbered(line)
	verb, rest, more := strings.Cut(rest, "\t")
	r := request{number: number, verb: verb}
	switch {
	case verb == varyRequest || verb == setRequest:
		if more {
			r.more = strings.Split(rest, "\t")
		}
		if len(r.more) > mostVaried {
			return r, fmt.Errorf("%s of %d numbers; at most %d are allowed", verb, len(r.more), mostVaried)
		}
		return r, nil
	case r.asksAboutRobot() && more:
		var err error
		if r.robot, err = strconv.Atoi(rest); err != nil || r.robot < 0 {
			return r, fmt.Errorf("%s of robot %.20q; want its number, from 0", verb, rest)
		}
		return r, nil
	case more || !slices.Contains([]string{resetRequest, resetAllRequest, stepRequest, waitRequest, closeRequest}, verb):
		return r, fmt.Errorf("request %.60q; want reset, reset_all, step, vary, set, draw, jacobian, linearise, wait or close", line)
	}
	return r, nil
}

// asksAboutRobot reports whether the request asks about one robot, which its number names.
func (r *request) asksAboutRobot() bool {
	return slices.Contains([]string{drawRequest, jacobianRequest, lineariseRequest}, r.verb)
}

// numbered takes the number from the beginning of a line, where there is one.
func numbered(line string) (number, rest string) {
	number, rest, found := strings.Cut(line, " ")
	if !found || number == "" || strings.Trim(number, "0123456789") != "" {
		return "", line
	}
	return number, rest
}

const maxLine = 1 << 16 // bytes of a request

// lines reads requests until the end of the input and returns the reason of the end.
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

// answer is the line that answers a request, with a JSON text where there is one.
func answer(number string, text []byte, err error) string {
	if number != "" {
		number += " "
	}
	if err == nil && len(text) > 0 {
		return number + "ok " + string(text) + "\n"
	}
	if err == nil {
		return number + "ok\n"
	}
	return number + "error " + strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ") + "\n"
}
