package master

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"strings"
	"sync"

	"go.uber.org/zap"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/hostname"
	"sinew/pkg/ros/xmlrpc"
)

// Options configure a master.
type Options struct {
	// Log receives events. Nil discards them.
	Log *zap.Logger
	// Host is the name or address at which other machines reach this one. It is needed only if the
	// master listens on all interfaces.
	Host string
	// Names are further names of this machine by which programs on it may call the master, such as
	// the host of ROS_MASTER_URI.
	Names []string
	// Shutdown is called once, from a goroutine of its own, when a peer requests the end of the
	// master. If it is nil, such requests are refused.
	Shutdown func(reason string)
}

// Master is a running master.
type Master struct {
	options  Options
	log      *zap.Logger
	uri      string
	server   *xmlrpc.Server
	notifier *notifier

	mu     sync.Mutex
	graph  graph
	params params
	ending bool // Shutdown was called
}

// Start starts a master at addr, "host:port". Without a host it listens on 127.0.0.1, with port 0
// on a free port. It sets the parameters /run_id, /rosdistro and /rosversion, which roslaunch and
// the tools expect.
func Start(addr string, o Options) (*Master, error) {
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("ROS master: %w", hostname.Explain(err))
	}
	log := o.Log
	if log == nil {
		log = zap.NewNop()
	}
	m := &Master{
		options:  o,
		log:      log,
		uri:      "http://" + advertised(l.Addr().(*net.TCPAddr), o.Host) + "/",
		notifier: newNotifier(log),
		graph:    newGraph(),
		params:   newParams(),
	}
	for key, v := range map[string]any{
		"/run_id":     runID(),
		"/rosdistro":  "noetic\n", // with line feed, as roscore sets it
		"/rosversion": "1.15.15\n",
	} {
		if err := m.params.set(key, v); err != nil {
			return nil, err
		}
	}
	m.server = xmlrpc.Serve(bounded.LogErrors(l, "ROS master", log), m.handle, m.access())
	log.Info("ROS master started", zap.String("uri", m.uri))
	return m, nil
}

// URI returns the address of the master as in ROS_MASTER_URI.
func (m *Master) URI() string { return m.uri }

// Close ends the master within a second. Connections between nodes are unaffected.
func (m *Master) Close() error {
	err := m.server.Close()
	m.notifier.close()
	return err
}

// access returns which requests the master answers.
func (m *Master) access() xmlrpc.Access {
	names := append([]string{m.options.Host}, m.options.Names...)
	return xmlrpc.Access{
		Names: func() []string { return names },
		Refused: func(reason, peer string) {
			m.log.Warn("ROS master: call refused", zap.String("peer", peer), zap.String("reason", reason))
		},
	}
}

// advertised returns host and port at which a listener is reached.
func advertised(a *net.TCPAddr, host string) string {
	switch {
	case host != "":
	case a.IP.IsUnspecified():
		host = "localhost"
	default:
		host = a.IP.String()
	}
	return net.JoinHostPort(host, fmt.Sprint(a.Port))
}

// runID returns a random UUID.
func runID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// handle answers one call from the network.
func (m *Master) handle(_ context.Context, method string, args []any) (any, error) {
	if method == "system.multicall" {
		return m.multicall(args)
	}
	r, err := m.dispatch(method, args)
	if err != nil {
		return nil, err
	}
	return r.triple(), nil
}

// multicall answers several calls in one request, each with a list of its one
// result or with a fault.
func (m *Master) multicall(args []any) (any, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("system.multicall: %d arguments, want 1", len(args))
	}
	calls, _ := args[0].([]any)
	if calls == nil || len(calls) > maxMulticall {
		return nil, fmt.Errorf("system.multicall: want an array of at most %d calls", maxMulticall)
	}
	results := make([]any, len(calls))
	for i, c := range calls {
		call, _ := c.(map[string]any)
		method, hasName := call["methodName"].(string)
		params, hasParams := call["params"].([]any)
		if !hasName || !hasParams {
			results[i] = fault(fmt.Errorf("call %d has no methodName or no params", i))
			continue
		}
		r, err := m.dispatch(method, params)
		if err != nil {
			results[i] = fault(err)
			continue
		}
		results[i] = []any{r.triple()}
	}
	return results, nil
}

func fault(err error) any {
	return map[string]any{"faultCode": 1, "faultString": err.Error()}
}
