package verb

import (
	"io"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// NewLogger writes what operators should know to w, one line each.
func NewLogger(w io.Writer) *zap.Logger {
	c := zap.NewProductionEncoderConfig()
	c.EncodeTime = zapcore.TimeEncoderOfLayout(time.TimeOnly)
	c.EncodeLevel = zapcore.CapitalLevelEncoder
	c.ConsoleSeparator = " "
	c.CallerKey = ""
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(c), zapcore.Lock(zapcore.AddSync(w)), zap.InfoLevel))
}
