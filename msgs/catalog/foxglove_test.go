package catalog_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"sinew/msgs"
	"sinew/msgs/internal/msgtest"
)

const foxglove = "testdata/foxglove"

// TestFoxglove has the libraries of the Foxglove viewer, which share no code with
// us or with ROS, parse our schemas, decode our bytes in both byte orders, and
// encode what they decoded. Every value is compared, and every byte where the text
// is ASCII: their writer counts UTF-16 units, not bytes, for a string's length.
func TestFoxglove(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node (Debian: nodejs)")
	}
	if _, err := os.Stat(foxglove + "/node_modules/@foxglove/rosmsg2-serialization"); err != nil {
		t.Skip("needs @foxglove/rosmsg2-serialization: npm ci --prefix msgs/catalog/" + foxglove)
	}
	rng := rand.New(rand.NewPCG(6, 6))
	var sent []msgs.Message
	var input bytes.Buffer
	for _, typ := range cdr.types() {
		for i := range fillings {
			m := cdr.random(typ, rng)
			if i%4 < 2 {
				makeASCII(reflect.ValueOf(m).Elem())
			}
			wire := m.AppendCDR(nil)
			if i%2 == 1 {
				wire = reflectCDR(m, binary.BigEndian)
			}
			line, err := json.Marshal(map[string]string{"schema": typ.Schema, "hex": hex.EncodeToString(wire)})
			if err != nil {
				t.Fatal(err)
			}
			input.Write(append(line, '\n'))
			sent = append(sent, m)
		}
	}
	cmd := exec.Command(node, "echo.js")
	cmd.Dir, cmd.Stdin = foxglove, &input
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, faults.String())
	}
	answers := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(answers) != len(sent) {
		t.Fatalf("%d answers to %d messages", len(answers), len(sent))
	}
	for i, m := range sent {
		checkAnswer(t, m, answers[i])
	}
}

// makeASCII replaces every letter of every string.
func makeASCII(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			makeASCII(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			makeASCII(v.Index(i))
		}
	case reflect.String:
		v.SetString(strings.Map(func(r rune) rune { return 'a' + r%26 }, v.String()))
	}
}

func checkAnswer(t *testing.T, m msgs.Message, answer string) {
	t.Helper()
	var got struct {
		Message map[string]any
		Unread  string
		Hex     string
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	name := m.Type().ROS2Name
	for _, d := range differences(name, reflect.ValueOf(m).Elem(), got.Message) {
		t.Error(d)
	}
	if got.Unread != "0" {
		t.Errorf("%s: %s bytes were not read", name, got.Unread)
	}
	isASCII := !strings.ContainsFunc(answer, func(r rune) bool { return r > unicode.MaxASCII })
	if want := hex.EncodeToString(m.AppendCDR(nil)); isASCII && got.Hex != want {
		t.Errorf("%s: encoded as\n%s, want\n%s", name, got.Hex, want)
	}
}

// differences compares a value with what was decoded from it.
func differences(path string, v reflect.Value, got any) (list []string) {
	switch want := v.Interface().(type) {
	case msgs.Time:
		return differences(path, reflect.ValueOf(secNanosec(int64(want))), got)
	case msgs.Duration:
		return differences(path, reflect.ValueOf(secNanosec(int64(want))), got)
	}
	switch v.Kind() {
	case reflect.Struct:
		fields, ok := got.(map[string]any)
		if want := fieldsROS2(v.Type()); !ok || len(fields) != want {
			return []string{fmt.Sprintf("%s: %v has not %d fields", path, got, want)}
		}
		for name, value := range fields {
			field := v.FieldByName(goName(name))
			if !field.IsValid() {
				return []string{fmt.Sprintf("%s has no %s", path, name)}
			}
			list = append(list, differences(path+"."+name, field, value)...)
		}
	case reflect.Slice, reflect.Array:
		elements, ok := got.([]any)
		if !ok || len(elements) != v.Len() {
			return []string{fmt.Sprintf("%s: %v has not %d elements", path, got, v.Len())}
		}
		for i, value := range elements {
			list = append(list, differences(path+"["+strconv.Itoa(i)+"]", v.Index(i), value)...)
		}
	default:
		if !sameLeaf(v, got) {
			return []string{fmt.Sprintf("%s: got %v, want %v", path, got, v)}
		}
	}
	return list
}

// sameLeaf compares a leaf with what echo.js prints for it, numbers as text.
func sameLeaf(v reflect.Value, got any) bool {
	text, _ := got.(string)
	switch v.Kind() {
	case reflect.Bool:
		return got == v.Bool()
	case reflect.String:
		return got == v.String()
	case reflect.Float32, reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		return err == nil && x == v.Float()
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return text == strconv.FormatInt(v.Int(), 10)
	}
	return text == strconv.FormatUint(v.Uint(), 10)
}

// secNanosec is the message that ROS 2 has in place of a time.
func secNanosec(nanoseconds int64) any {
	t := time.Unix(0, nanoseconds)
	return struct{ Sec, Nanosec int64 }{t.Unix(), int64(t.Nanosecond())}
}

// fieldsROS2 counts the fields that ROS 2 has.
func fieldsROS2(t reflect.Type) (n int) {
	for i := range t.NumField() {
		if msgtest.OnlyIn(t.Field(i)) != "1" {
			n++
		}
	}
	return n
}

// goName turns the ROS name of a field into its Go name.
func goName(ros string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(ros, "_") {
		if word == "id" {
			word = "ID"
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if b.String() == "Type" {
		return "Kind"
	}
	return b.String()
}
