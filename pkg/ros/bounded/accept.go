package bounded

import (
	"errors"
	"net"
	"time"

	"go.uber.org/zap"
)

// acceptPeriod is the least time between two logged errors of a listener.
const acceptPeriod = 5 * time.Second

// loggingListener logs the connections that it cannot accept.
type loggingListener struct {
	net.Listener
	limiter *RateLimiter[string]
	name    string
	log     *zap.Logger
}

// LogErrors returns l, the listener of a server with a name, with errors of Accept logged at most
// every five seconds, except for that of a closed listener. A program without free file
// descriptors, for example, does not answer its peers and must report the reason.
func LogErrors(l net.Listener, name string, log *zap.Logger) net.Listener {
	start := time.Now()
	now := func() time.Duration { return time.Since(start) }
	return &loggingListener{l, NewRateLimiter[string](acceptPeriod, now), name, log}
}

// Accept implements net.Listener.
func (l *loggingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		if held, ok := l.limiter.Pass(l.name); ok {
			l.log.Warn("connection not accepted", zap.String("server", l.name), zap.Error(err), zap.Int("unlogged_before", held))
		}
	}
	return c, err
}
