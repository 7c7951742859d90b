package record

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// decompressor decompresses blocks and reuses its decoders.
type decompressor struct {
	zstd *zstd.Decoder
	lz4  *lz4.Reader
	buf  bytes.Buffer
}

// unpack returns the size bytes that were packed; they are valid until the next call. After an
// error it returns those before it. Memory grows with the bytes that are there, not with the size
// in the file.
func (u *decompressor) unpack(packing string, packed []byte, size uint64) ([]byte, error) {
	if size > maxBlock {
		return nil, fmt.Errorf("a chunk of %d bytes; at most %d are read", size, maxBlock)
	}
	var r io.Reader
	switch packing {
	case "", "none":
		return packed, nil
	case "bz2":
		r = bzip2.NewReader(bytes.NewReader(packed))
	case "lz4":
		if u.lz4 == nil {
			u.lz4 = lz4.NewReader(nil)
		}
		u.lz4.Reset(bytes.NewReader(packed))
		r = u.lz4
	case "zstd":
		if err := u.resetZstd(packed); err != nil {
			return nil, err
		}
		r = u.zstd
	default:
		return nil, fmt.Errorf("a chunk compressed by %.40q; none, lz4, zstd and bz2 are read", packing)
	}
	u.buf.Reset()
	n, err := io.Copy(&u.buf, io.LimitReader(r, int64(size)))
	if err == nil && uint64(n) < size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		err = fmt.Errorf("a chunk cannot be decompressed: %w", err)
	}
	return u.buf.Bytes(), err
}

func (u *decompressor) resetZstd(packed []byte) error {
	if u.zstd != nil {
		return u.zstd.Reset(bytes.NewReader(packed))
	}
	var err error
	// without concurrency it has no goroutines that would have to be ended
	u.zstd, err = zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxBlock))
	return err
}

// unpackAll returns the bytes of a message that was compressed by zstd; they are valid until the next call.
func (u *decompressor) unpackAll(packed []byte) ([]byte, error) {
	if err := u.resetZstd(packed); err != nil {
		return nil, err
	}
	u.buf.Reset()
	if n, err := io.Copy(&u.buf, io.LimitReader(u.zstd, maxBlock+1)); err != nil {
		return nil, fmt.Errorf("a message cannot be decompressed: %w", err)
	} else if n > maxBlock {
		return nil, fmt.Errorf("a message of more than %d bytes", maxBlock)
	}
	return u.buf.Bytes(), nil
}
