package cli

import "github.com/alecthomas/kong"

// ViewHost is the default host for viewers; the port is the first free one from 8080.
const ViewHost = "127.0.0.1"

// ShowFlags are the flags of commands that can show their result in the browser.
type ShowFlags struct {
	View     ViewAddress `help:"Show the result in the browser, at HOST:PORT or HOST (default 127.0.0.1)." detail:"HOST alone takes the first free port from 8080. Ctrl-C ends the program." placeholder:"HOST[:PORT]"`
	Duration Seconds     `help:"Stop serving the browser after this wall time." placeholder:"D"`
}

// ViewAddress is a flag with an optional address.
type ViewAddress struct {
	Given   bool
	Address string
}

// Decode implements kong.MapperValue.
func (a *ViewAddress) Decode(ctx *kong.DecodeContext) error {
	*a = ViewAddress{Given: true, Address: ViewHost}
	if t := ctx.Scan.Peek(); t.IsValue() {
		a.Address = ctx.Scan.Pop().String()
	}
	return nil
}
