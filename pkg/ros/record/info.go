package record

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
)

// InfoVerb and InfoWatchdog are keys of Options.Info that a .bag has too: the verb that made the
// recording, and whether commands timed out.
const (
	InfoVerb     = "verb"
	InfoWatchdog = "watchdog"
)

// InfoNode is the key of the name of the node that was recorded, which a .bag has as the caller of its topics.
const InfoNode = "node"

// VerbSim is InfoVerb of a recording of sim, in which there is nothing but the simulation.
const VerbSim = "sim"

// VerbRun is InfoVerb of a recording of a running node, which cannot be repeated.
const VerbRun = "run"

// bagInfo lists the keys of Options.Info in the header of a bag, as fields that other readers
// ignore.
var bagInfo = []string{InfoVerb, InfoWatchdog}

// bagInfoName returns the name of such a field.
func bagInfoName(key string) string { return InfoName + "_" + key }

// Info returns Options.Info of a recording: all of it for an .mcap, InfoVerb and InfoWatchdog for a
// .bag. It is empty for recordings of other programs.
func Info(file string) (info map[string]string, err error) {
	info = map[string]string{}
	err = Reading{File: file}.each(func(r Reading) error {
		own, err := fileInfo(r.File)
		for key, v := range own {
			if info[key] == "" {
				info[key] = v
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return info, nil
}

// fileInfo is Info of one file.
func fileInfo(file string) (map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	info := map[string]string{}
	magic, err := r.Peek(len(bagMagic))
	switch {
	case err != nil: // shorter than any recording
	case string(magic) == string(bagMagic):
		err = bagHeaderInfo(r, info)
	case string(magic[:len(mcapMagic)]) == string(mcapMagic):
		err = mcapInfo(r, info)
	}
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return info, nil
}

// bagHeaderInfo reads the fields of the first record.
func bagHeaderInfo(r *bufio.Reader, info map[string]string) error {
	if _, err := r.Discard(len(bagMagic)); err != nil {
		return err
	}
	head, _, err := readBagHead(r)
	if err != nil {
		return err
	}
	h, err := parseFields(head)
	if err != nil {
		return err
	}
	for _, key := range bagInfo {
		if v := h.get(bagInfoName(key)); len(v) > 0 {
			info[key] = string(v)
		}
	}
	return nil
}

// mcapInfo reads the metadata before the messages.
func mcapInfo(r *bufio.Reader, info map[string]string) error {
	const most = 1 << 20 // bytes
	return mcapHead(r, func(op mcap.OpCode, n uint64, body io.Reader) (done bool, err error) {
		if op != mcap.OpMetadata || n > most {
			return false, nil
		}
		b, err := io.ReadAll(body)
		if err != nil {
			return false, err
		}
		m, err := mcap.ParseMetadata(b)
		if err != nil || m.Name != InfoName {
			return false, err
		}
		for k, v := range m.Metadata {
			info[k] = v
		}
		return true, nil
	})
}

// appendInfo adds the entries of info that a bag has to the fields of its header.
func (f fields) appendInfo(info map[string]string) fields {
	const most = 64 // bytes; the header has a fixed size
	for _, key := range slices.Sorted(slices.Values(bagInfo)) {
		if v := info[key]; v != "" && len(v) <= most && !strings.ContainsRune(v, 0) {
			f = f.text(bagInfoName(key), v)
		}
	}
	return f
}
