package wire_test

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

func TestTime(t *testing.T) {
	for _, want := range []time.Time{time.Unix(0, 0), time.Unix(1, 1), time.Unix(1_800_000_000, 999_999_999), time.Unix(1<<32-2, 123_456_789)} {
		if got := wire.TimeOf(want).Time(); !got.Equal(want) {
			t.Errorf("%v became %v", want, got)
		}
	}
	if !wire.TimeInvalid.Time().IsZero() {
		t.Error("no time is a time")
	}
}
