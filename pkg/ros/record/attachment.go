package record

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/foxglove/mcap/go/mcap"
)

// maxAttachment bounds the size of an attachment (bytes).
const maxAttachment = 4 << 20

// Attachment returns the attachment of an .mcap file with a name, such as the robot file of
// Options.Robot; nil if there is none, as in a .bag.
func Attachment(file, name string) (data []byte, err error) {
	err = Reading{File: file}.each(func(r Reading) error {
		if data != nil {
			return nil
		}
		data, err = fileAttachment(r.File, name)
		return err
	})
	return data, err
}

// fileAttachment is Attachment of one file.
func fileAttachment(file, name string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	if magic, err := r.Peek(len(mcapMagic)); err != nil || string(magic) != string(mcapMagic) {
		return nil, nil
	}
	b, err := findAttachment(r, name)
	if err != nil {
		return nil, fmt.Errorf("%s: attachment %s: %w", file, name, err)
	}
	return b, nil
}

// findAttachment reads the records before the messages.
func findAttachment(r *bufio.Reader, name string) (found []byte, err error) {
	err = mcapHead(r, func(op mcap.OpCode, n uint64, body io.Reader) (bool, error) {
		if op != mcap.OpAttachment || n > maxAttachment {
			return false, nil
		}
		var err error
		found, err = attachment(body, name)
		return found != nil, err
	})
	return found, err
}

// mcapHead visits the records after the magic up to the end of the data, until visit reports done;
// n is the length of the body. It returns no error if the file ends early.
func mcapHead(r *bufio.Reader, visit func(op mcap.OpCode, n uint64, body io.Reader) (done bool, err error)) error {
	if _, err := r.Discard(len(mcapMagic)); err != nil {
		return err
	}
	for {
		var head [recordHead]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return ioError(err)
		}
		op, n := mcap.OpCode(head[0]), binary.LittleEndian.Uint64(head[1:])
		if op == mcap.OpDataEnd || op == mcap.OpFooter {
			return nil
		}
		body := &io.LimitedReader{R: r, N: int64(min(n, 1<<62))}
		if done, err := visit(op, n, body); done || err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return err
		}
		if body.N > 0 {
			return nil
		}
	}
}

// attachment returns the data of an Attachment record of the given name: two times,
// name, media type, data and a checksum.
func attachment(body io.Reader, name string) ([]byte, error) {
	b, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	const times = 16
	if len(b) < times {
		return nil, errCut
	}
	found, rest, ok := lengthPrefixed(b[times:], 4)
	if !ok || string(found) != name {
		return nil, nil
	}
	if _, rest, ok = lengthPrefixed(rest, 4); !ok {
		return nil, errCut
	}
	data, _, ok := lengthPrefixed(rest, 8)
	if !ok {
		return nil, errCut
	}
	return append([]byte{}, data...), nil
}

// lengthPrefixed splits a string after its length, of width bytes, from the rest of b.
func lengthPrefixed(b []byte, width int) (first, rest []byte, ok bool) {
	if len(b) < width {
		return nil, nil, false
	}
	var n uint64
	for i := width - 1; i >= 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	if b = b[width:]; n > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}
