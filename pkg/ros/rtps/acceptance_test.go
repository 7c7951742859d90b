package rtps

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The tests with vendors' peers are the acceptance test, made short. In full:
//
//	RTPS_ACCEPTANCE=30s go test -run Vendor -v ./pkg/ros/rtps
//
// runs each stream for that long and holds the times of discovery to their
// limits, which only an otherwise idle machine can promise.
const acceptanceVariable = "RTPS_ACCEPTANCE"

// acceptance is how long each stream of a full run lasts; 0 in a short one.
var acceptance, _ = time.ParseDuration(os.Getenv(acceptanceVariable))

// Times from one sample to the next.
const (
	Slow  = time.Millisecond
	Quick = 100 * time.Microsecond
)

// Count is how many samples a stream has.
func (c Exchange) Count() int {
	lasts := 500 * time.Millisecond
	switch {
	case acceptance > 0:
		lasts = acceptance
	case testing.Short():
		lasts = 100 * time.Millisecond
	}
	return int(lasts / c.Period)
}

// starts is how often both sides are started.
func starts() int {
	switch {
	case acceptance > 0:
		return 20
	case testing.Short():
		return 2
	}
	return 6
}

// Soon fails when in a full run one of the times that both sides need is above limit, and in
// a short one, on a machine that may be busy with anything, when all are; then it tries again.
func Soon(t *testing.T, limit time.Duration, once func(i int) time.Duration) {
	t.Helper()
	var took []time.Duration
	for i := 0; i < starts() || i < 10 && acceptance == 0 && took[0] > limit; i++ {
		took = append(took, once(i))
		slices.Sort(took)
	}
	what := fmt.Sprintf("%d times: median %v, slowest %v", len(took), took[len(took)/2], took[len(took)-1])
	t.Log(what)
	if acceptance > 0 && took[len(took)-1] > limit || took[0] > limit {
		t.Errorf("%s; the limit is %v", what, limit)
	}
}

// kernelDrops counts the datagrams that the kernel dropped for want of room in
// the sockets of processes that run.
func kernelDrops(t *testing.T, pids ...int) (n int) {
	t.Helper()
	inodes := socketsOf(t, pids)
	f, err := os.Open("/proc/net/udp")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan() // the heading: … inode ref pointer drops
	for lines.Scan() {
		column := strings.Fields(lines.Text())
		if !inodes[column[len(column)-4]] {
			continue
		}
		drops, err := strconv.Atoi(column[len(column)-1])
		if err != nil {
			t.Fatalf("/proc/net/udp: %q: %v", lines.Text(), err)
		}
		n += drops
	}
	return n
}

// socketsOf lists the inodes of the sockets that processes have open.
func socketsOf(t *testing.T, pids []int) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, pid := range pids {
		files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		if err != nil || len(files) == 0 {
			t.Fatalf("process %d has no files: %v", pid, err)
		}
		for _, f := range files {
			to, _ := os.Readlink(f) // it may be closed by now
			if inode, ok := strings.CutPrefix(to, "socket:["); ok {
				all[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	return all
}
