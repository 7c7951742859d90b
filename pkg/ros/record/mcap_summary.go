package record

import (
	"fmt"
	"io"

	"github.com/foxglove/mcap/go/mcap"

	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
)

// tail implements encoder: the end of the data, the summary and the footer.
func (f *mcapEncoder) tail(out io.Writer, at int64) error {
	data := bare(out)
	if err := data.WriteDataEnd(&mcap.DataEnd{}); err != nil {
		return err
	}
	start := uint64(at) + data.Offset()
	// The footer's checksum covers the summary up to the checksum itself.
	w, err := mcap.NewWriter(out, &mcap.WriterOptions{SkipMagic: true, OverrideLibrary: true, IncludeCRC: true})
	if err != nil {
		return err
	}
	groups, err := f.summary(w, start)
	if err != nil {
		return err
	}
	offsets := start + w.Offset()
	for _, g := range groups {
		if err := w.WriteSummaryOffset(g); err != nil {
			return err
		}
	}
	if err := w.WriteFooter(&mcap.Footer{SummaryStart: start, SummaryOffsetStart: offsets}); err != nil {
		return err
	}
	_, err = out.Write(mcap.Magic)
	return err
}

// summary writes the groups of the summary, which begins at byte start of the file, and returns
// their positions.
func (f *mcapEncoder) summary(w *mcap.Writer, start uint64) (groups []*mcap.SummaryOffset, err error) {
	whole := func(op mcap.OpCode, n int, write func() error) {
		from := w.Offset()
		if n > 0 && err == nil {
			err = write()
			groups = append(groups, &mcap.SummaryOffset{GroupOpcode: op, GroupStart: start + from, GroupLength: w.Offset() - from})
		}
	}
	group := func(op mcap.OpCode, n int, write func(i int) error) {
		whole(op, n, func() error {
			for i := range n {
				if err := write(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	chunks := f.full.entries.n
	if f.open != nil {
		chunks++
	}
	statistics := *f.chunks.Statistics
	statistics.AttachmentCount, statistics.MetadataCount = uint32(len(f.attachments)), uint32(len(f.metadata))
	statistics.ChunkCount = uint32(chunks)

	group(mcap.OpSchema, len(f.described), func(i int) error { return w.WriteSchema(f.described[i]) })
	group(mcap.OpChannel, len(f.channels), func(i int) error { return w.WriteChannel(f.channels[i]) })
	group(mcap.OpStatistics, 1, func(int) error { return w.WriteStatistics(&statistics) })
	whole(mcap.OpChunkIndex, chunks, func() error {
		if err := f.full.each(w.WriteChunkIndex); err != nil || f.open == nil {
			return err
		}
		return w.WriteChunkIndex(f.open)
	})
	group(mcap.OpAttachmentIndex, len(f.attachments), func(i int) error { return w.WriteAttachmentIndex(f.attachments[i]) })
	group(mcap.OpMetadataIndex, len(f.metadata), func(i int) error { return w.WriteMetadataIndex(f.metadata[i]) })
	return groups, err
}

// The numbers of policies in rmw (ROS 2's middleware interface), which rosbag2 writes up to version
// 8 of its metadata and reads in all versions.
const (
	rmwKeepLast       = 1
	rmwReliable       = 1
	rmwTransientLocal = 1
	rmwVolatile       = 2
	rmwAutomatic      = 1
)

// offeredQoS returns the quality of service with which ROS 2 publishes a topic, in the form of
// rosbag2, which plays it with the same. A lossy topic is reliable there: subscriptions with the
// default profile refuse best-effort publishers. Durations of 0 are unspecified.
func offeredQoS(t ros.Topic) string {
	depth, durability := 10, rmwVolatile
	switch {
	case t.Latched:
		depth, durability = 1, rmwTransientLocal
	case t.Type == tf2_msgs.TFMessageType:
		depth = 100
	}
	return fmt.Sprintf(`- history: %d
  depth: %d
  reliability: %d
  durability: %d
  deadline:
    sec: 0
    nsec: 0
  lifespan:
    sec: 0
    nsec: 0
  liveliness: %d
  liveliness_lease_duration:
    sec: 0
    nsec: 0
  avoid_ros_namespace_conventions: false`, rmwKeepLast, depth, rmwReliable, durability, rmwAutomatic)
}
