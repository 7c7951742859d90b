package offline

import (
	"errors"
	"math"
	"os"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/recording"
	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// Values of record.InfoVerb.
const (
	verbSim    = record.VerbSim
	verbReplay = "replay"
)

// simRecording writes a simulation as the recording that run would make of it.
type simRecording struct {
	model     sim.Model
	names     *naming.Names
	writer    *record.Writer
	publisher *ros.ModelPublisher
	shot      *sim.Snapshot
	scene     sim.Scene
	slow      float64     // time between Slow snapshots, s
	drawn     float64     // number of Slow snapshots so far
	values    [][]float64 // newest command by In port
	err       error
}

// newSimRecording begins the recording of a command in its file.
func newSimRecording(e *cli.Env, file *output.File, c *Sim, made *program.Instance) (*simRecording, error) {
	names, err := naming.NewNames(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return nil, exitcode.Usage(err)
	}
	o := e.RecordingOptions(verbSim, c.on(false), made, names.Node(), cli.WithoutFlag(os.Args[1:], "--out"))
	o.Created = trajectory.Epoch
	writer, err := record.New(file, c.Out, o)
	if err != nil {
		return nil, err
	}
	r, err := newModelRecording(made, names, recording.Selected(writer, c.Out, c.RecordAll))
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	r.writer = writer
	r.publisher.DisableTopics(made.DisabledTopics)
	return r, nil
}

// newModelRecording begins a recording on a transport, without commands.
func newModelRecording(made *program.Instance, names *naming.Names, to ros.Transport) (*simRecording, error) {
	r := &simRecording{model: made.Model, names: names, slow: 1 / made.Timing.MarkerHz}
	ports := made.Model.Ports()
	var err error
	if r.publisher, err = ros.NewModelPublisher(ports, names, []ros.Transport{to}, 0); err != nil {
		return nil, err
	}
	r.shot = &sim.Snapshot{Values: make([][]float64, len(ports))}
	r.values = make([][]float64, len(ports))
	for i := range ports {
		if ports[i].Direction == sim.Out {
			r.shot.Values[i] = make([]float64, ports[i].Width())
		} else {
			r.values[i] = make([]float64, ports[i].Width())
		}
	}
	return r, nil
}

// write implements sink.
func (r *simRecording) write(t float64) error {
	for i, v := range r.shot.Values {
		if v != nil {
			r.model.Value(i, v)
		}
	}
	r.shot.SimTime = t
	const roundOff = 1e-9 // s
	r.shot.Slow = t >= r.drawn*r.slow-roundOff
	r.publisher.Publish(r.shot, stampOfSim(t))
	if r.shot.Slow {
		r.drawn = math.Floor((t+roundOff)/r.slow) + 1
		r.model.Draw(&r.scene)
		r.publisher.PublishScene(&r.scene, stampOfSim(t))
	}
	return nil // finish returns the errors
}

// command implements sink. A message leaves out the values that a row leaves out or, where its type
// cannot, repeats them.
func (r *simRecording) command(t float64, port int, v []float64) {
	p := &r.model.Ports()[port]
	if p.Kind != sim.Tension && p.Kind != sim.TendonLength {
		now := r.values[port]
		r.model.Setpoint(port, now)
		for i, x := range v {
			if !sim.IsKeep(x) {
				now[i] = x
			}
		}
		v = now
	}
	topic, s, err := ros.NewCommand(r.names, p, v, msgs.At(stampOfSim(t)))
	if err != nil {
		r.err = errors.Join(r.err, err)
		return
	}
	r.writer.Received(topic, s)
}

// finish implements sink.
func (r *simRecording) finish() error { return errors.Join(r.err, r.writer.Close()) }

func stampOfSim(t float64) time.Duration {
	return trajectory.Epoch + time.Duration(math.Round(t*1e9))
}
