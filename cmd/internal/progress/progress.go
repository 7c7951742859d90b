// Package progress shows the progress of long work on a terminal: the share that is done, the rate,
// and the remaining time.
package progress

import (
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// patience is the time after which work is shown.
	patience = time.Second
	// redraw is the time between two updates.
	redraw = 100 * time.Millisecond
)

// Bar shows the progress of one piece of work. A nil Bar shows nothing. Its methods may be called
// from any goroutine and are cheap.
type Bar struct {
	what  string
	total int64

	done atomic.Int64
	note atomic.Pointer[string]

	stop  chan struct{}
	ended sync.WaitGroup
	once  sync.Once
}

// Unit is the unit of the work.
type Unit string

// Bytes are shown in kB and MB.
const Bytes Unit = "bytes"

// Start shows work on a terminal after one second. total is the number of units, −1 if it is
// unknown; without a unit only the elapsed time is shown.
func Start(terminal *os.File, what string, total int64, unit Unit) *Bar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(terminal), progressbar.OptionSetDescription(what), progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(), progressbar.OptionUseANSICodes(true), progressbar.OptionSpinnerType(14), progressbar.OptionSetSpinnerChangeInterval(0), // drawn by show only
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

// show draws the bar until the end and then removes it.
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
		bar.Describe(text) // draws, with the elapsed time
		select {
		case <-b.stop:
			_ = bar.Finish()
			return
		case <-ticker.C:
		}
	}
}

// Set sets the units that are done.
func (b *Bar) Set(done int64) {
	if b != nil {
		b.done.Store(done)
	}
}

// Add adds units that are done.
func (b *Bar) Add(more int64) {
	if b != nil {
		b.done.Add(more)
	}
}

// Bytes adds bytes that are done.
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
