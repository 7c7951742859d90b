//go:build !linux

package run

import (
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// raiseLoop does nothing: priorities are set on Linux only.
func raiseLoop(realtime, int, error, func(int)) scheduling { return scheduling{isolated: -1} }

// guard has nothing to do: there is no priority to give up.
type guard struct{}

func startGuard(realtime) (*guard, error)          { return nil, errNotPermitted }
func (g *guard) await() error                      { return errNotPermitted }
func (g *guard) begun() *atomic.Int64              { return nil }
func (g *guard) watch(int, sim.Clock)              {}
func (g *guard) tell(<-chan struct{}, *zap.Logger) {}
func (g *guard) stop()                             {}
