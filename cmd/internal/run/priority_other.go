//go:build !linux

package run

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// raisePriority does nothing: priorities are set on Linux only.
func raisePriority() string { return "normal" }

// raiseLoop does nothing.
func raiseLoop() {}

// guardPriority does nothing: there is no priority to give up.
func guardPriority(context.Context, func() time.Duration, *zap.Logger) {}
