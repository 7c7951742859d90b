package ros1

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"github.com/bluenviron/goroslib/v2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"sinew/pkg/ros/masterapi"
	"sinew/pkg/ros/xmlrpc"
)

// box is goroslib's node, reachable on the loopback interface only.
type box struct {
	node   *goroslib.Node
	caller string // the node's absolute name
	master *xmlrpc.Server
	slave  string // URI of goroslib's slave API
	tcpros string // address of goroslib's TCPROS server

	mu      sync.Mutex
	closing []func() // of publishers, subscribers and services
}

const loopback = "127.0.0.1"

// creation keeps boxes from meddling with the environment at the same time.
var creation sync.Mutex

// newBox starts goroslib's node under an absolute name.
func newBox(name string, log *zap.Logger) (*box, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return nil, err
	}
	b := &box{caller: name}
	api := make(chan string, 1)
	b.master = xmlrpc.Serve(l, func(_ context.Context, method string, args []any) (any, error) {
		if method == "registerPublisher" && len(args) == 4 {
			if uri, ok := args[3].(string); ok {
				select {
				case api <- uri:
				default:
				}
			}
		}
		return yes(method, args)
	})
	b.node, err = newNode(goroslib.NodeConf{
		MasterAddress:   l.Addr().String(),
		Namespace:       path.Dir(name),
		Name:            path.Base(name),
		Host:            loopback,
		LogLevel:        goroslib.LogLevelInfo,
		LogDestinations: goroslib.LogDestinationCallback,
		OnLog:           func(level goroslib.LogLevel, text string) { log.Log(rank(level, text), text) },
		ReadTimeout:     callTime,
	})
	if err == nil {
		b.slave = <-api // of /rosout, which goroslib has made by now
		err = b.findTCPROS()
	}
	if err != nil {
		b.close()
		return nil, fmt.Errorf("goroslib: %w", err)
	}
	return b, nil
}

// levels translates goroslib's levels. Its errors are what other nodes do, such
// as a publisher that leaves.
var levels = map[goroslib.LogLevel]zapcore.Level{
	goroslib.LogLevelDebug: zapcore.DebugLevel,
	goroslib.LogLevelInfo:  zapcore.DebugLevel,
	goroslib.LogLevelWarn:  zapcore.WarnLevel,
	goroslib.LogLevelError: zapcore.InfoLevel,
	goroslib.LogLevelFatal: zapcore.ErrorLevel,
}

// rank is the level of a log line. That a peer has closed its connection is how
// nodes say good-bye.
func rank(level goroslib.LogLevel, text string) zapcore.Level {
	if strings.HasSuffix(text, ": EOF") {
		return zapcore.DebugLevel
	}
	return levels[level]
}

// yes is the master that goroslib sees: everything succeeds, nobody is there,
// and time is the wall clock's.
func yes(method string, args []any) (any, error) {
	switch method {
	case "registerPublisher", "registerSubscriber":
		return []any{masterapi.Success, "", []any{}}, nil
	case "unregisterPublisher", "unregisterSubscriber", "registerService", "unregisterService":
		return []any{masterapi.Success, "", 1}, nil
	case "hasParam": // of /use_sim_time
		if len(args) == 2 {
			return []any{masterapi.Success, args[1], false}, nil
		}
	}
	return nil, fmt.Errorf("method %q is not supported", method)
}

// newNode makes goroslib's node free of the process's surroundings. It would
// remap names by the text of os.Args, take ROS_NAMESPACE for its own, and ask
// HTTP proxies for other nodes. The fields that decide about it are not
// exported; goroslib is pinned and archived, so that they stay what they are.
func newNode(conf goroslib.NodeConf) (*goroslib.Node, error) {
	creation.Lock()
	defer creation.Unlock()
	*field[[]string](&conf, "args") = []string{}
	if ns, set := os.LookupEnv("ROS_NAMESPACE"); set {
		if err := os.Unsetenv("ROS_NAMESPACE"); err != nil {
			return nil, err
		}
		defer os.Setenv("ROS_NAMESPACE", ns)
	}
	node, err := goroslib.NewNode(conf)
	if err != nil {
		return nil, err
	}
	(*field[*http.Client](node, "httpClient")).Transport = direct{&http.Transport{DisableKeepAlives: true}}
	return node, nil
}

// field points to an unexported field of the struct s.
func field[T, S any](s *S, name string) *T {
	f := reflect.ValueOf(s).Elem().FieldByName(name)
	if f.Type() != reflect.TypeFor[T]() {
		panic("ros1: goroslib." + name + " has another type")
	}
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}

// direct makes requests without proxies and bounds what is read of the replies.
type direct struct{ transport *http.Transport }

// RoundTrip makes one request.
func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := d.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body := response.Body
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(body, xmlrpc.MaxBody), body}
	return response, nil
}

// findTCPROS asks goroslib where its TCPROS server is.
func (b *box) findTCPROS() error {
	v, err := b.call("requestTopic", b.caller, "/rosout", []any{[]any{"TCPROS"}})
	if err != nil {
		return err
	}
	protocol, _ := v.([]any)
	if len(protocol) != 3 {
		return fmt.Errorf("requestTopic gave %v", v)
	}
	b.tcpros = net.JoinHostPort(fmt.Sprint(protocol[1]), fmt.Sprint(protocol[2]))
	return nil
}

// setPublishers tells goroslib who publishes a topic.
func (b *box) setPublishers(topic string, uris []string) error {
	_, err := b.call("publisherUpdate", b.caller, topic, uris)
	return err
}

// alive fails when goroslib's node has ended.
func (b *box) alive() error {
	_, err := b.call("getPid", b.caller)
	return err
}

func (b *box) call(method string, args ...any) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	return masterapi.Call(ctx, b.slave, method, args...)
}

var errClosed = errors.New("the transport is closed")

// add makes something inside the box that is closed with it.
func (b *box) add(open func() (close func(), err error)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.node == nil {
		return errClosed
	}
	f, err := open()
	if err == nil {
		b.closing = append(b.closing, f)
	}
	return err
}

// close ends everything in the box. It may take as long as a call to a
// publisher that hangs.
func (b *box) close() {
	b.mu.Lock()
	node, closing := b.node, b.closing
	b.node, b.closing = nil, nil
	b.mu.Unlock()
	var all sync.WaitGroup
	for _, f := range closing {
		all.Go(f)
	}
	all.Wait()
	if node != nil {
		node.Close()
	}
	_ = b.master.Close() // its replies do not matter any more
}
