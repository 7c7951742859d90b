package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Terminal returns the terminal that w writes to, if it does.
func Terminal(w io.Writer) (terminal *os.File, ok bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}
