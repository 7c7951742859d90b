package ros

import (
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// tripLog logs that commands have stopped coming: of each group at most once per
// refusalPause, and then how often that was. It belongs to reportLoop.
type tripLog struct {
	groups []toldTrips
}

type toldTrips struct {
	trips uint64        // up to the last line
	at    time.Duration // of that line
}

// tell logs the trips of watchdogs that have not been told and may be now.
func (l *tripLog) tell(log *zap.Logger, now time.Duration, timeoutS float64, groups []sim.GroupStats) {
	if l.groups == nil {
		l.groups = make([]toldTrips, len(groups))
	}
	for i, g := range groups {
		told := &l.groups[i]
		if g.Trips == told.trips || told.trips > 0 && now-told.at < refusalPause {
			continue
		}
		log.Warn(fmt.Sprintf("no command to %s for %g s: gone to the safe state", g.Name, timeoutS),
			zap.String("last_from", nameOf(g.Last)), zap.String("to_hold", holdAdvice(timeoutS)), zap.Uint64("times", g.Trips-told.trips), zap.Uint64("in_all", g.Trips))
		*told = toldTrips{g.Trips, now}
	}
}

// holdAdvice says how a command is kept up. Five repetitions in a time-out leave room for
// some that are late.
func holdAdvice(timeoutS float64) string {
	rate := math.Ceil(5 / timeoutS)
	return fmt.Sprintf("repeat the command, with ros2 topic pub or rostopic pub as -r %g, or set command_timeout_s", rate)
}
