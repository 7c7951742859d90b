//go:build !linux

package scheduling

import (
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/pkg/sim"
)

// RaiseThread does nothing: priorities are set on Linux only.
func RaiseThread(Priority, int, error, func(int)) Grant { return Grant{Processor: -1} }

// Guard does nothing: no loop has real-time priority.
type Guard struct{}

// StartGuard returns ErrNotPermitted.
func StartGuard(Priority) (*Guard, error) { return nil, ErrNotPermitted }

// Await returns ErrNotPermitted.
func (g *Guard) Await() error { return ErrNotPermitted }

// Begun returns nil.
func (g *Guard) Begun() *atomic.Int64 { return nil }

// Watch does nothing.
func (g *Guard) Watch(int, sim.Clock) {}

// Log does nothing.
func (g *Guard) Log(<-chan struct{}, *zap.Logger) {}

// Stop does nothing.
func (g *Guard) Stop() {}
