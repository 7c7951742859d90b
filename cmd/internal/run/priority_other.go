//go:build !linux

package run

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// raiseLoop does nothing: priorities are set on Linux only.
func raiseLoop(realtime, int) scheduling { return scheduling{isolated: -1} }

// guardPriority does nothing: there is no priority to give up.
func guardPriority(context.Context, scheduling, func() time.Duration, *zap.Logger) {}
