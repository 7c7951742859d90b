package xmlrpc

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// scalars parse the text of each simple type.
var scalars = map[string]func(string) (any, error){
	"string":           func(s string) (any, error) { return s, nil },
	"int":              parseInt,
	"i4":               parseInt,
	"boolean":          parseBoolean,
	"double":           parseDouble,
	"base64":           parseBase64,
	"dateTime.iso8601": parseDateTime,
}

func parseInt(s string) (any, error) {
	v, err := strconv.ParseInt(strings.Trim(s, space), 10, 32)
	return int(v), err
}

func parseBoolean(s string) (any, error) {
	switch strings.Trim(s, space) {
	case "0":
		return false, nil
	case "1":
		return true, nil
	}
	return nil, errors.New("neither 0 nor 1")
}

func parseDouble(s string) (any, error) {
	v, err := strconv.ParseFloat(strings.Trim(s, space), 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil // too large is infinite, as in C and Python
	}
	return v, err
}

func parseBase64(s string) (any, error) {
	s = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(s)
	return base64.StdEncoding.DecodeString(s)
}

func parseDateTime(s string) (any, error) {
	return time.Parse(dateTime, strings.Trim(s, space))
}
