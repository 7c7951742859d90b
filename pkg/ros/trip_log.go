package ros

import (
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// tripLog logs the trips of command watchdogs: of each group at most once per refusalPause,
// with their number. It belongs to reportLoop.
type tripLog struct {
	groups []loggedTrips
}

type loggedTrips struct {
	trips uint64        // up to the last line
	at    time.Duration // of that line
}

// report logs the trips of watchdogs that have not been logged and may be now.
func (l *tripLog) report(log *zap.Logger, now time.Duration, timeoutS float64, ports []sim.Port, groups []sim.GroupStats) {
	if l.groups == nil {
		l.groups = make([]loggedTrips, len(groups))
	}
	for i, g := range groups {
		logged := &l.groups[i]
		if g.Trips == logged.trips || logged.trips > 0 && now-logged.at < refusalPause {
			continue
		}
		log.Warn(fmt.Sprintf("no command to %s for %g s (command_timeout_s): %s", g.Name, timeoutS, sim.TimeoutEffect(ports, g.Name)),
			zap.String("last_from", nameOf(g.Last)), zap.String("to_hold", holdAdvice(timeoutS)), zap.Uint64("times", g.Trips-logged.trips), zap.Uint64("in_all", g.Trips))
		*logged = loggedTrips{g.Trips, now}
	}
}

// holdAdvice returns how to keep a command in force. Five repetitions in a timeout leave room
// for some that are late.
func holdAdvice(timeoutS float64) string {
	rate := math.Ceil(5 / timeoutS)
	return fmt.Sprintf("repeat the command, with ros2 topic pub or rostopic pub as -r %g, or set command_timeout_s", rate)
}
