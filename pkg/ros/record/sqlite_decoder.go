package record

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"
)

// sqliteDecoder reads a .db3 file of rosbag2: a SQLite database whose table topics has the channels and whose table messages has the
// messages. A block is a leaf of the latter, which refers to other pages of the file.
type sqliteDecoder struct {
	db           *database
	table        *channelTable
	messages     tableOf
	decompressor decompressor
}

// zstdMagic begins a message that was compressed by itself.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// newSqliteDecoder reads the topics of a database.
func newSqliteDecoder(db *database, t *channelTable) (*sqliteDecoder, error) {
	f := &sqliteDecoder{db: db, table: t}
	tables, err := db.tables()
	if err != nil {
		return nil, err
	}
	topics, any := tables["topics"]
	if f.messages = tables["messages"]; !any || f.messages.root == 0 {
		return nil, errors.New("a SQLite database without the tables topics and messages of rosbag2")
	}
	var first error
	db.leaves(topics.root, func(page uint32, b []byte) error {
		return db.rows(b, start(page), func(row []value) error {
			v, ok := topics.of(row, "id", "name", "type", "serialization_format")
			if !ok {
				return fmt.Errorf("%w: a topic without id, name, type and serialization_format", errDatabase)
			}
			return f.addTopic(v[0].integer, string(v[1].bytes), string(v[2].bytes), string(v[3].bytes))
		})
	}, func(_ int64, err error) { first = err })
	if len(t.order) > 0 {
		first = nil // the messages of the others are faults
	}
	return f, first
}

// addTopic adds a row of the table topics.
func (f *sqliteDecoder) addTopic(id int64, name, typeName, format string) error {
	if id < 0 || id > math.MaxUint32 {
		return fmt.Errorf("%w: a topic of number %d", errDatabase, id)
	}
	c := channel{topic: name, typeName: ros1Name(typeName)}
	if known := knownType(typeName); known != nil && format == "cdr" && known.DDSName != "" {
		c.typ, c.encoding = known, encodingCDR
	}
	_, err := f.table.add(uint32(id), c)
	return err
}

// walk implements decoder.
func (f *sqliteDecoder) walk(visit func(place, []byte) error, fault func(int64, error)) error {
	f.db.leaves(f.messages.root, func(page uint32, b []byte) error {
		p := f.db.place(page)
		p.unpacked = uint64(p.size)
		return visit(p, b)
	}, fault)
	return nil
}

// split implements decoder.
func (f *sqliteDecoder) split(raw []byte, visit func(*channel, time.Duration, []byte) error) error {
	return f.db.rows(raw, 0, func(row []value) error {
		v, ok := f.messages.of(row, "topic_id", "timestamp", "data")
		if !ok {
			return fmt.Errorf("%w: a message without topic_id, timestamp and data", errDatabase)
		}
		ch := f.table.channels[uint32(v[0].integer)]
		if ch == nil || v[0].integer < 0 || v[0].integer > math.MaxUint32 {
			return errNoChannel
		}
		data := v[2].bytes
		if bytes.HasPrefix(data, zstdMagic) { // no CDR begins so
			var err error
			if data, err = f.decompressor.unpackAll(data); err != nil {
				return err
			}
		}
		return visit(ch, time.Duration(v[1].integer), data)
	})
}

// hopSqlite finds the blocks of a database: all of its leaves.
func (x *Index) hopSqlite(f *sqliteDecoder) error {
	var first error
	fault := func(at int64, err error) {
		if first == nil {
			first = fmt.Errorf("byte %d: %w", at, err)
		}
	}
	f.db.leaves(f.messages.root, func(page uint32, _ []byte) error {
		p := f.db.place(page)
		p.unpacked = uint64(p.size)
		return x.add(block{place: p}, false)
	}, fault)
	return first
}
