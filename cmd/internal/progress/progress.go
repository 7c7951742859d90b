// Package progress shows on a terminal how far long work is: how much is done, how
// fast, and how long the rest will take.
package progress

import (
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// patience is how long work takes before it is shown.
	patience = time.Second
	// redraw is the time between two pictures.
	redraw = 100 * time.Millisecond
)

// Bar shows one piece of work. A nil Bar shows nothing. Its methods may be called
// by any goroutine, and Set as often as one likes.
type Bar struct {
	what  string
	total int64

	done atomic.Int64
	note atomic.Pointer[string]

	stop  chan struct{}
	ended sync.WaitGroup
	once  sync.Once
}

// Unit is what is counted.
type Unit string

// Bytes are counted in kB and MB.
const Bytes Unit = "bytes"

// Start shows work on a terminal, from its second second on. total is the number of units, −1 if nobody knows; without a unit only
// the time that has passed is shown.
func Start(terminal *os.File, what string, total int64, unit Unit) *Bar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(terminal), progressbar.OptionSetDescription(what), progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(), progressbar.OptionUseANSICodes(true), progressbar.OptionSpinnerType(14), progressbar.OptionSetSpinnerChangeInterval(0), // only show draws
		progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true),
	}
	switch unit {
	case "":
	case Bytes:
		options = append(options, progressbar.OptionShowBytes(true))
	default:
		options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString(string(unit)))
		if total < 0 {
			options = append(options, progressbar.OptionShowCount())
		}
	}
	if total == 0 {
		total = 1
	}
	b := &Bar{what: what, total: total, stop: make(chan struct{})}
	bar := progressbar.NewOptions64(total, options...)
	bar.StartWithoutRender()
	b.ended.Go(func() { b.show(bar) })
	return b
}

// show draws until the end, and then removes what it drew.
func (b *Bar) show(bar *progressbar.ProgressBar) {
	select {
	case <-b.stop:
		return
	case <-time.After(patience):
	}
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for {
		done := b.done.Load()
		if b.total > 0 {
			done = min(done, b.total-1) // the bar vanishes at its end
		}
		_ = bar.Set64(done)
		text := b.what
		if note := b.note.Load(); note != nil {
			text += ": " + *note
		}
		bar.Describe(text) // draws, with the time that has passed
		select {
		case <-b.stop:
			_ = bar.Finish()
			return
		case <-ticker.C:
		}
	}
}

// Set says how much is done.
func (b *Bar) Set(done int64) {
	if b != nil {
		b.done.Store(done)
	}
}

// Add says that more is done.
func (b *Bar) Add(more int64) {
	if b != nil {
		b.done.Add(more)
	}
}

// Bytes is Add of bytes.
func (b *Bar) Bytes(more int) { b.Add(int64(more)) }

// Note shows text beside the bar.
func (b *Bar) Note(text string) {
	if b != nil {
		b.note.Store(&text)
	}
}

// End removes the bar. A second call does nothing.
func (b *Bar) End() {
	if b == nil {
		return
	}
	b.once.Do(func() { close(b.stop) })
	b.ended.Wait()
}
