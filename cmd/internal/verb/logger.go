package verb

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// In so much time so many lines of one text are written: what a network sends must
// not fill the log.
const (
	logTick  = 5 * time.Second
	logLines = 10
)

// NewLogger returns a logger that writes lines for people. It writes the same text,
// whatever its fields, at most ten times in five seconds; every 1000th line that is
// left out, beginning with the first, says so.
func NewLogger(w io.Writer) *zap.Logger {
	c := zap.NewProductionEncoderConfig()
	c.EncodeTime = zapcore.TimeEncoderOfLayout(time.TimeOnly)
	c.EncodeLevel = zapcore.CapitalLevelEncoder
	c.ConsoleSeparator = " "
	c.CallerKey = ""
	core := zapcore.NewCore(zapcore.NewConsoleEncoder(c), zapcore.Lock(zapcore.AddSync(w)), zap.InfoLevel)
	var left atomic.Uint64
	tell := zapcore.SamplerHook(func(e zapcore.Entry, d zapcore.SamplingDecision) {
		if d&zapcore.LogDropped == 0 {
			return
		}
		const often = 1000
		if n := left.Add(1); n%often == 1 {
			e.Message = fmt.Sprintf("%s (written %d times in %v: further lines like this are left out; %d so far)", e.Message, logLines, logTick, n)
			_ = core.Write(e, nil)
		}
	})
	return zap.New(zapcore.NewSamplerWithOptions(core, logTick, logLines, 0, tell))
}
