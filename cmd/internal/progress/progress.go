// Package progress shows the progress of long work: on a terminal a bar with the share that is done,
// the rate and the remaining time, elsewhere a line every ten seconds.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const (
	// patience is the time after which work is shown on a terminal.
	patience = time.Second
	// redraw is the time between two updates on a terminal.
	redraw = 100 * time.Millisecond
	// linePeriod is the time between two lines.
	linePeriod = 10 * time.Second
)

// Terminal returns the terminal that w writes to, if it does.
func Terminal(w io.Writer) (terminal *os.File, ok bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// Bar shows the progress of one piece of work. A nil Bar shows nothing. Its methods may be called
// from any goroutine and are cheap.
type Bar struct {
	out     io.Writer
	program string
	what    string
	total   int64 // -1: unknown
	unit    Unit
	before  atomic.Int64 // units that were done before the work began

	done atomic.Int64
	note atomic.Pointer[string]

	mu    sync.Mutex               // of what is on the terminal
	bar   *progressbar.ProgressBar // nil while none is drawn
	stop  chan struct{}
	ended sync.WaitGroup
	once  sync.Once
}

// Unit is the unit of the work.
type Unit string

// Bytes are shown in kB and MB.
const Bytes Unit = "bytes"

// Start shows work on w: on a terminal a bar after one second, elsewhere a line of the program every ten
// seconds. total is the number of units, −1 if it is unknown; without a unit only the elapsed time is
// shown. The caller ends the bar, also after an error.
func Start(w io.Writer, program, what string, total int64, unit Unit) *Bar {
	if total == 0 {
		total = 1
	}
	b := &Bar{out: w, program: program, what: what, total: total, unit: unit, stop: make(chan struct{})}
	if terminal, ok := Terminal(w); ok {
		bar := b.drawn(terminal)
		b.ended.Go(func() { b.draw(bar) })
	} else {
		b.ended.Go(b.write)
	}
	return b
}

// drawn returns the bar of a terminal, which is not shown yet.
func (b *Bar) drawn(terminal *os.File) *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(terminal), progressbar.OptionSetDescription(b.what), progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(), progressbar.OptionUseANSICodes(true), progressbar.OptionSpinnerType(14), progressbar.OptionSetSpinnerChangeInterval(0), // drawn by draw only
		progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true),
	}
	switch b.unit {
	case "":
	case Bytes:
		options = append(options, progressbar.OptionShowBytes(true))
	default:
		options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString(string(b.unit)))
		if b.total < 0 {
			options = append(options, progressbar.OptionShowCount())
		}
	}
	bar := progressbar.NewOptions64(b.total, options...)
	bar.StartWithoutRender()
	return bar
}

// draw draws the bar until the end and then removes it.
func (b *Bar) draw(bar *progressbar.ProgressBar) {
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
		b.mu.Lock()
		b.bar = bar
		_ = bar.Set64(done)
		bar.Describe(b.text()) // draws, with the elapsed time
		b.mu.Unlock()
		select {
		case <-b.stop:
			_ = bar.Finish()
			return
		case <-ticker.C:
		}
	}
}

// Println writes a line of the program, above the bar.
func (b *Bar) Println(text string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		_ = b.bar.Clear()
	}
	fmt.Fprintf(b.out, "%s: %s\n", b.program, text)
}

// write writes a line every linePeriod until the end.
func (b *Bar) write() {
	began := time.Now()
	ticker := time.NewTicker(linePeriod)
	defer ticker.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-ticker.C:
			b.Println(b.line(time.Since(began)))
		}
	}
}

// line returns how far the work is after so much time.
func (b *Bar) line(since time.Duration) string {
	done, text := b.done.Load(), b.text()
	switch {
	case b.total > 0 && done > 0:
		share, digits := 100*min(1, float64(done)/float64(b.total)), 0
		if share < 10 {
			digits = 1
		}
		text += fmt.Sprintf(": %.*f %%", digits, share)
	case b.total < 0 && b.unit != "" && b.unit != Bytes:
		text += fmt.Sprintf(": %d %s", done, b.unit)
	}
	text += fmt.Sprintf(" after %.0f s", since.Seconds())
	if before := b.before.Load(); b.total > done && done > before {
		left := since.Seconds() * float64(b.total-done) / float64(done-before)
		text += fmt.Sprintf(", about %v left", time.Duration(left*float64(time.Second)).Round(time.Second))
	}
	return text
}

// text is the work and the note.
func (b *Bar) text() string {
	if note := b.note.Load(); note != nil && *note != "" {
		return b.what + ": " + *note
	}
	return b.what
}

// Resume sets the units that were done before the work began.
func (b *Bar) Resume(done int64) {
	if b != nil {
		b.before.Store(done)
		b.done.Store(done)
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

// Note shows text behind the name of the work; an empty text ends the note.
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
