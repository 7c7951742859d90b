package record

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"sinew/msgs"
)

// Topic describes one topic of a recording.
type Topic struct {
	Name     string
	Original string     // its name in the node before remapping; empty if it is Name, or unknown
	TypeName string     // name as ROS 1 writes it: "geometry_msgs/PoseStamped"
	Type     *msgs.Type // nil for a type that Read passes over
	Messages int
	First    time.Duration // log time since the Unix epoch
	Last     time.Duration
}

// InNode is the name that the topic has in the node, before remapping.
func (t *Topic) InNode() string { return cmp.Or(t.Original, t.Name) }

// Topics is Reading.Topics of a file, without progress.
func Topics(file string) ([]Topic, error) { return Reading{File: file}.Topics() }

// Topics lists the topics of a .mcap, .bag or .db3 file, or of a folder of rosbag2, in the order of their first appearance, those
// without messages too. It reads the whole file rather than rely on its index. With an error that
// is [ErrIncomplete] it returns the topics of the complete part.
func (r Reading) Topics() (list []Topic, err error) {
	var tables []*channelTable
	err = r.counted(func(f Reading) (int, error) {
		t, err := f.channels()
		if t == nil {
			return 0, err
		}
		tables = append(tables, t)
		return t.messages(), err
	})
	if err != nil && !errors.Is(err, ErrIncomplete) && len(tables) == 0 {
		return nil, err
	}
	var all channelTable
	for _, t := range tables {
		all.order = append(all.order, t.order...)
	}
	return all.topics(), err
}

// channels reads the channels of one file, with the numbers of their messages.
func (r Reading) channels() (*channelTable, error) {
	c, err := r.open()
	if err != nil {
		return nil, err
	}
	defer c.file.Close()
	s, err := newScanner(c)
	if err == nil {
		err = s.run()
	}
	if err == nil {
		err = s.fault
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", r.File, err)
	}
	return &s.table, err
}

// messages is the number of all messages.
func (t *channelTable) messages() (n int) {
	for _, c := range t.order {
		n += c.messages
	}
	return n
}

// topics joins the channels of the same topic and type.
func (t *channelTable) topics() []Topic {
	var list []Topic
	index := make(map[[2]string]int)
	for _, c := range t.order {
		key := [2]string{c.topic, c.typeName}
		i, known := index[key]
		if !known {
			i = len(list)
			index[key] = i
			list = append(list, Topic{Name: c.topic, Original: c.original, TypeName: c.typeName})
		}
		p := &list[i]
		if c.typ != nil {
			p.Type = c.typ
		}
		if c.messages == 0 {
			continue
		}
		if p.Messages == 0 || c.first < p.First {
			p.First = c.first
		}
		p.Last = max(p.Last, c.last)
		p.Messages += c.messages
	}
	return list
}
