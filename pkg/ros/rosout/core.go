package rosout

import (
	"path"
	"strings"

	"go.uber.org/zap/zapcore"
)

// maxText bounds the text of a line, bytes.
const maxText = 8 << 10

// core is a zap core that passes log lines to a Log.
type core struct {
	zapcore.LevelEnabler
	log     *Log
	encoder zapcore.Encoder // of the text
	own     bool            // a field of With marks lines about the topic itself
}

// Core returns a zap core that publishes lines of a level.
func (l *Log) Core(level zapcore.LevelEnabler) zapcore.Core {
	// the text of the terminal without the parts that messages have fields for
	text := zapcore.EncoderConfig{MessageKey: "message", ConsoleSeparator: " ", EncodeDuration: zapcore.SecondsDurationEncoder}
	return &core{LevelEnabler: level, log: l, encoder: zapcore.NewConsoleEncoder(text)}
}

// With implements zapcore.Core.
func (c *core) With(fields []zapcore.Field) zapcore.Core {
	with := *c
	with.own = c.own || c.about(fields)
	with.encoder = c.encoder.Clone()
	for _, f := range fields {
		f.AddTo(with.encoder)
	}
	return &with
}

// Check implements zapcore.Core.
func (c *core) Check(e zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return to.AddCore(e, c)
	}
	return to
}

// Write implements zapcore.Core. It does not wait.
func (c *core) Write(e zapcore.Entry, fields []zapcore.Field) error {
	if c.own || c.about(fields) {
		return nil
	}
	text, err := c.encoder.EncodeEntry(e, fields)
	if err != nil {
		return err
	}
	defer text.Free()
	l := line{at: e.Time, level: severityOf(e.Level), text: clip(strings.TrimSpace(text.String()))}
	if e.Caller.Defined {
		l.file, l.function, l.number = sourceFile(e.Caller), e.Caller.Function, uint32(e.Caller.Line)
	}
	c.log.put(l)
	return nil
}

// Sync implements zapcore.Core.
func (*core) Sync() error { return nil }

// about reports whether fields mark a line about the topic itself, such as a failure to send it:
// publishing it could cause the next one.
func (c *core) about(fields []zapcore.Field) bool {
	for _, f := range fields {
		if f.Key == "topic" && f.Type == zapcore.StringType && f.String == c.log.topic {
			return true
		}
	}
	return false
}

func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// sourceFile returns the path of a source file within the module, independent of the computer of
// the build.
func sourceFile(c zapcore.EntryCaller) string {
	dir, function := path.Split(c.Function) // sinew/pkg/, ros.(*Bridge).request
	name, _, _ := strings.Cut(function, ".")
	_, within, _ := strings.Cut(dir+name, "/")
	return path.Join(within, path.Base(c.File))
}
