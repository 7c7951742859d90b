package offline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"sinew/cmd/internal/exitcode"
	"sinew/pkg/sim"
)

// contactsHeader names the columns of the table of contact points: as in sinew_msgs/Contact, in m and N, world axes.
const contactsHeader = "t,shape,s,gap,normal_force,x,y,z,nx,ny,nz,fx,fy,fz"

// contactWriter is a sink that writes a row for each contact point beside what another sink writes.
type contactWriter struct {
	sink
	w      *bufio.Writer
	model  sim.Model
	port   int
	values []float64
	line   []byte
}

// contactPort returns the output of contacts of a model.
func contactPort(m sim.Model) (int, error) {
	i := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Direction == sim.Out && p.Kind == sim.Contacts })
	if i < 0 {
		return 0, exitcode.Usagef("--contacts: the robot touches nothing; give it environment.shapes, or the bodies of a mechanism shapes")
	}
	return i, nil
}

// newContactWriter writes the header to out.
func newContactWriter(beside sink, out io.Writer, m sim.Model, port int) (*contactWriter, error) {
	c := &contactWriter{sink: beside, w: bufio.NewWriter(out), model: m, port: port, values: make([]float64, m.Ports()[port].Width())}
	_, err := fmt.Fprintln(c.w, contactsHeader)
	return c, err
}

// write implements sink.
func (c *contactWriter) write(t float64) error {
	c.model.Value(c.port, c.values)
	labels := c.model.Ports()[c.port].Labels
	for v := c.values[sim.ContactHead:]; len(v) > 0 && v[0] >= 0; v = v[sim.ContactWidth:] {
		c.line = append(append(appendNumber(c.line[:0], t), ','), labels[int(v[0])]...)
		for _, x := range v[1:sim.ContactWidth] {
			c.line = appendNumber(append(c.line, ','), x)
		}
		_, _ = c.w.Write(append(c.line, '\n')) // Flush reports the first error
	}
	return c.sink.write(t)
}

// finish implements sink.
func (c *contactWriter) finish() error { return errors.Join(c.w.Flush(), c.sink.finish()) }
