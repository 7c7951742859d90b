package bounded

import (
	"errors"
	"net"
	"time"

	"go.uber.org/zap"
)

// acceptPeriod is how long the errors of a listener stay silent after one was logged.
const acceptPeriod = 5 * time.Second

// tellingListener logs the connections that it cannot accept.
type tellingListener struct {
	net.Listener
	limiter *RateLimiter[string]
	name    string
	log     *zap.Logger
}

// LogErrors returns l, which is a server's of some name, with the errors of Accept logged,
// except for that of a closed listener: at most one in five seconds. A program that is out of
// file descriptors, say, looks dead to its peers and must say why.
func LogErrors(l net.Listener, name string, log *zap.Logger) net.Listener {
	start := time.Now()
	return logErrors(l, name, log, func() time.Duration { return time.Since(start) })
}

func logErrors(l net.Listener, name string, log *zap.Logger, now func() time.Duration) net.Listener {
	return &tellingListener{l, NewRateLimiter[string](acceptPeriod, now), name, log}
}

// Accept implements net.Listener.
func (l *tellingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		if held, ok := l.limiter.Pass(l.name); ok {
			l.log.Warn("connection not accepted", zap.String("server", l.name), zap.Error(err), zap.Int("unlogged_before", held))
		}
	}
	return c, err
}
