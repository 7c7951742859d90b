package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"sinew/pkg/ros/rosout"
)

// Rate limit of log lines with one text, so that messages from a network do not fill the
// log.
const (
	logTick  = 5 * time.Second
	logLines = 10
)

// NewLogger returns a logger of readable lines. It writes the same text, with any fields, at
// most ten times in five seconds and reports every 1000th omitted line, beginning with the first.
func NewLogger(w io.Writer) *zap.Logger {
	return newLogger(zapcore.AddSync(w), zap.InfoLevel, nil)
}

// Logger returns the logger of a node (absolute name). It writes lines of at least --log-level
// on Stderr and appends them to the file of __log, and warns of settings without effect. out, if
// not nil, receives the same lines.
func (e *Env) Logger(node string, out *rosout.Log) *zap.Logger {
	name, foreign := e.Args.LogLevel(node)
	level, err := zapcore.ParseLevel(name)
	if err != nil {
		level = zap.InfoLevel // not reached: Args has checked it
	}
	w := zapcore.AddSync(e.Stderr)
	var failure error
	if e.Args.Log != "" {
		var file *os.File // stays open until the process ends
		if file, failure = os.OpenFile(e.Args.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); failure == nil {
			w = zapcore.NewMultiWriteSyncer(w, file)
		}
	}
	log := newLogger(w, level, out)
	if failure != nil {
		log.Warn("the log is not written to the file of __log", zap.Error(failure))
	}
	if len(foreign) > 0 {
		log.Warn("--log-level names unknown loggers", zap.Strings("loggers", foreign),
			zap.String("logger of this node", strings.ReplaceAll(strings.Trim(node, "/"), "/", ".")))
	}
	return log
}

func newLogger(w zapcore.WriteSyncer, level zapcore.Level, out *rosout.Log) *zap.Logger {
	c := zap.NewProductionEncoderConfig()
	c.EncodeTime = zapcore.TimeEncoderOfLayout(time.TimeOnly)
	c.EncodeLevel = zapcore.CapitalLevelEncoder
	c.ConsoleSeparator = " "
	c.CallerKey = ""
	core := zapcore.NewCore(zapcore.NewConsoleEncoder(c), zapcore.Lock(w), level)
	if out != nil {
		core = zapcore.NewTee(core, out.Core(level))
	}
	var left atomic.Uint64
	hook := zapcore.SamplerHook(func(e zapcore.Entry, d zapcore.SamplingDecision) {
		if d&zapcore.LogDropped == 0 {
			return
		}
		const often = 1000
		if n := left.Add(1); n%often == 1 {
			e.Message = fmt.Sprintf("%s (written %d times in %v: further lines like this are left out; %d so far)", e.Message, logLines, logTick, n)
			_ = core.Write(e, nil)
		}
	})
	return zap.New(zapcore.NewSamplerWithOptions(core, logTick, logLines, 0, hook), zap.WithCaller(out != nil))
}
