package rtps_test

import (
	"fmt"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
)

// TestDirectedLargeSample is one of many fragments.
func TestDirectedLargeSample(t *testing.T) {
	w := rtps.NewWriter(t, rtps.Join(t, rtps.Options{}), "large", rtps.Reliable)
	p, q := rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{})
	r1, got1 := rtps.NewReader(t, p, "large", rtps.Reliable)
	r2, got2 := rtps.NewReader(t, q, "large", rtps.Reliable)
	rtps.MatchedInTest(t, w, 2, r1, r2)
	related := rtps.SampleIdentity{Writer: r1.GUID(), Sequence: 9}
	big := rtps.Payload("%0*d", 20*rtps.FragmentSize, 7)
	if err := w.WriteWith(rtps.WriteOptions{Related: related, To: r1.GUID()}, big); err != nil {
		t.Fatal(err)
	}
	rtps.Write(t, w, rtps.Payload("end"))
	rtps.Eventually(t, "samples", func() bool { return got1.Len() == 2 && got2.Len() == 1 })
	if s := got1.Samples()[0]; string(s.Payload) != string(big) || s.Related != related {
		t.Errorf("%d bytes related to %v, want %d related to %v", len(s.Payload), s.Related, len(big), related)
	}
	if got := got2.Texts()[0]; got != "end" {
		t.Errorf("the other reader got %.20q", got)
	}
}

// TestDirectedBeforeMatch: what was written for a reader that is not known yet
// reaches it, unless that was long ago, and reaches no other late reader.
func TestDirectedBeforeMatch(t *testing.T) {
	a, b, c := rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{})
	w := rtps.NewWriter(t, a, "late", rtps.Reliable)
	say := func(to *rtps.Participant, text string) {
		if err := w.WriteWith(rtps.WriteOptions{To: rtps.GUID{Prefix: to.GUID().Prefix}}, rtps.Payload("%s", text)); err != nil {
			t.Fatal(err)
		}
	}
	say(b, "old")
	time.Sleep(rtps.AwaitReader + 200*time.Millisecond)
	say(b, "first")
	say(c, "of another")
	say(b, "second")
	r, got := rtps.NewReader(t, b, "late", rtps.Reliable)
	rtps.MatchedInTest(t, w, 1, r)
	rtps.Eventually(t, "samples", func() bool { return got.Len() >= 2 })
	rtps.Write(t, w, rtps.Payload("end"))
	rtps.Eventually(t, "the last sample", func() bool { return got.Len() >= 3 })
	if all := fmt.Sprint(got.Texts()); all != "[first second end]" {
		t.Errorf("got %s", all)
	}
}

// TestWriteNumbered returns the numbers that readers see, also behind samples that
// are on their way.
func TestWriteNumbered(t *testing.T) {
	a, b := rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{})
	w := rtps.NewWriter(t, a, "numbered", rtps.Reliable)
	r, got := rtps.NewReader(t, b, "numbered", rtps.Reliable)
	rtps.MatchedInTest(t, w, 1, r)
	numbers := map[string]int64{}
	for i := range 50 {
		rtps.Write(t, w, rtps.Payload("plain"))
		n, err := w.WriteNumbered(rtps.WriteOptions{}, rtps.Payload("%d", i))
		if err != nil {
			t.Fatal(err)
		}
		numbers[fmt.Sprint(i)] = n
	}
	rtps.Eventually(t, "samples", func() bool { return got.Len() == 100 })
	for i, s := range got.Samples() {
		text := string(s.Payload[4:])
		if (text == "plain") != (i%2 == 0) {
			t.Fatalf("sample %d is %s, which was not written then", i, text)
		}
		if text != "plain" && numbers[text] != s.Sequence {
			t.Errorf("sample %s has number %d, returned was %d", text, s.Sequence, numbers[text])
		}
	}
	w.Close()
	if _, err := w.WriteNumbered(rtps.WriteOptions{}, rtps.Payload("x")); err != rtps.ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}
