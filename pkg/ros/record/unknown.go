package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// packers are the programs that pack whole files, as rosbag2 does with compression_mode: file, by the bytes
// with which their files begin.
var packers = []struct{ magic, name, unpack string }{
	{"\x28\xb5\x2f\xfd", "zstd", "unzstd"}, {"\x1f\x8b", "gzip", "gunzip"}, {"\xfd7zXZ", "xz", "unxz"},
	{"BZh", "bzip2", "bunzip2"}, {"PK\x03\x04", "zip", "unzip"},
}

// lookAlikes are other files that bear the names of recordings, by the bytes with which they begin.
var lookAlikes = []struct{ magic, what string }{
	{"#ROSBAG V1", "it is a bag of format 1; write it anew with rosbag migrate"},
	{"version https://git-lfs", "it is a pointer of Git LFS; get the file that it stands for with git lfs pull"},
	{"<!DOCTYPE", "it is a web page, as of a download that needs a login; download the recording again"},
	{"<html", "it is a web page, as of a download that needs a login; download the recording again"},
	{"rosbag2_bagfile_information", "it is the metadata of a recording; name the folder that it is in"},
}

// unknownFormat returns the error of a file that is no recording: what it looks like, and what to do.
func unknownFormat(r io.ReaderAt) error {
	const known = "neither an .mcap file nor a .bag file of format 2.0 nor a .db3 file of rosbag2: "
	head := make([]byte, 4096)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	head = head[:n]
	for _, p := range packers {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return fmt.Errorf("packed by %s; unpack it first: %s FILE", p.name, p.unpack)
		}
	}
	for _, l := range lookAlikes {
		if bytes.HasPrefix(head, []byte(l.magic)) {
			return errors.New(known + l.what)
		}
	}
	switch {
	case n == 0:
		return errors.New(known + "it is empty, as when a recording was ended before its first message was written")
	case len(bytes.Trim(head, "\x00")) == 0:
		return fmt.Errorf("%sits first %d bytes are 0, as when its computer lost power before they were written; name another recording", known, n)
	case isText(head):
		line, _, _ := strings.Cut(string(head), "\n")
		const most = 60
		if line = strings.TrimSpace(line); len(line) > most {
			line = strings.ToValidUTF8(line[:most], "") + "…"
		}
		return fmt.Errorf("%sit is text that begins with %q; if it is a table, name it .csv", known, line)
	}
	return fmt.Errorf("%sit is binary and begins with %q, as of another program, or damaged or encrypted; copy it again from where it was recorded, or name another recording", known, head[:min(n, 8)])
}

// isText reports whether the begin of a file is text, which may end within a character.
func isText(head []byte) bool {
	for len(head) > 0 {
		c, n := utf8.DecodeRune(head)
		if c == utf8.RuneError && n == 1 && len(head) >= utf8.UTFMax || c < ' ' && !strings.ContainsRune("\t\r\n", c) {
			return false
		}
		head = head[n:]
	}
	return true
}
