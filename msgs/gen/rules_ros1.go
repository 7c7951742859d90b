package main

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"
)

// md5Text is the text whose MD5 is the ROS 1 checksum: constants, then fields,
// messages among the field types replaced by their own checksum (genmsg,
// gentools.compute_md5_text).
func md5Text(m *Message) string {
	var lines []string
	for _, c := range m.ConstantsOn(ROS1Only) {
		lines = append(lines, c.Type+" "+c.Name+"="+c.Value)
	}
	for _, f := range m.FieldsOn(ROS1Only) {
		typ := f.Type.Text()
		if f.Type.Message != nil {
			typ = md5Sum(f.Type.Message) // also for arrays, without []
		}
		lines = append(lines, typ+" "+f.Name)
	}
	return strings.Join(lines, "\n")
}

func md5Sum(m *Message) string { return md5Hex(md5Text(m)) }

// serviceMD5Sum hashes the two texts without anything between them.
func serviceMD5Sum(s *Service) string { return md5Hex(md5Text(s.Request) + md5Text(s.Response)) }

func md5Hex(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// definitionROS1 is the text that a ROS 1 publisher sends with its header and
// that bags store: the message, then each message it needs once, depth first.
func definitionROS1(m *Message) string {
	var b strings.Builder
	b.WriteString(bodyROS1(m))
	for _, d := range dependencies(m, nil) {
		b.WriteString("\n" + strings.Repeat("=", 80) + "\n")
		b.WriteString("MSG: " + d.FullName() + "\n" + bodyROS1(d))
	}
	return b.String()
}

func bodyROS1(m *Message) string {
	var b strings.Builder
	for _, c := range m.ConstantsOn(ROS1Only) {
		b.WriteString(c.Type + " " + c.Name + "=" + c.Value + "\n")
	}
	for _, f := range m.FieldsOn(ROS1Only) {
		b.WriteString(f.Type.Text() + " " + f.Name + "\n")
	}
	return b.String()
}

func dependencies(m *Message, found []*Message) []*Message {
	for _, f := range m.FieldsOn(ROS1Only) {
		if d := f.Type.Message; d != nil && !slices.Contains(found, d) {
			found = dependencies(d, append(found, d))
		}
	}
	return found
}
