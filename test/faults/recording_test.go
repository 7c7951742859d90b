package faults_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/ros/record"
	"sinew/test/subprocess"
)

// recordingFaults are those of a program that records.
func recordingFaults() []fault {
	const restart = "the same command starts the program again: all who were there see its poses"
	return []fault{
		{
			name: "program killed", network: "ROS 1", cause: "SIGKILL to the program, with its master, while it records; started again two seconds later",
			run: killed, keeps: "the recording can be read up to a second before", after: []sign{isIn("ENABLED")},
			recovers: restart, within: 5 * time.Second, lost: 1, silence: 8 * time.Second,
		},
		{
			name: "program killed", network: "ROS 2", cause: "SIGKILL to the program while it records; started again two seconds later",
			run: killed, keeps: "the recording can be read up to a second before", after: []sign{isIn("ENABLED")},
			recovers: restart, within: 5 * time.Second, lost: 1, silence: 8 * time.Second,
		},
		{
			name: "disk full", network: "ROS 2", cause: "the file system of the recording is filled up, then Ctrl-C",
			run: diskFull, sees: []sign{logs("the recording has ended; the robot continues…no space left on device"), diagnoses("…has ended: the disk failed; see the log")},
			keeps:    "the recording can be read up to a second before",
			recovers: "does not: Ctrl-C ends the program with exit code 1 and the number of messages that are not in the file", within: time.Second,
		},
		{
			name: "disk hangs", network: "ROS 2", cause: "the file system of the recording is frozen (FIFREEZE) until messages are lost, then thawed",
			run: diskHangs, sees: []sign{diagnoses("…messages were dropped since the last report: the disk is too slow")},
			keeps:    "what comes within three seconds waits in memory",
			recovers: "the recording continues; Ctrl-C ends the program with exit code 1 and the number of messages that are not in the file", within: 3 * time.Second,
		},
	}
}

// readable is how much of a recording may be missing at the end of a program.
const readable = time.Second

// recorded is the time of the newest message of a recording.
func (b *bench) recorded(file string) (newest time.Time) {
	b.t.Helper()
	if err := record.Read(file, nil, func(m record.Message) error {
		newest = time.Unix(0, int64(m.Time))
		return nil
	}); err != nil && !errors.Is(err, record.ErrIncomplete) {
		b.t.Errorf("%s: %v", file, err)
	}
	return newest
}

func killed(b *bench) {
	file := filepath.Join(b.t.TempDir(), "run.mcap")
	b.start(b.run("--record", file)...)
	time.Sleep(2 * time.Second)
	b.begin(b.node.Kill)
	if missing := b.begun.Sub(b.recorded(file)); missing > readable {
		b.t.Errorf("the recording ends %v before the program", missing)
	}
	var came []int
	b.end(func() {
		time.Sleep(2 * time.Second)
		for _, w := range b.witnesses {
			came = append(came, w.seen().All)
		}
		b.node = subprocess.Start(b.t, b.env, b.program(), b.run("--ros", b.networks())...)
		b.mark = 0
	})
	b.recovers(func() bool {
		for i, w := range b.witnesses {
			if w.seen().All == came[i] {
				return false
			}
		}
		return b.observer().Observed().State == "ENABLED"
	})
}

// onDisk starts the program with its recording on a file system of its own, which mount
// mounts, and returns the folder as the test sees it.
func (b *bench) onDisk(mount string) (folder string) {
	b.t.Helper()
	const disk = "/mnt"
	if out, err := exec.Command("unshare", "-m", "sh", "-c", mount+" "+disk).CombinedOutput(); err != nil {
		b.t.Skipf("file systems cannot be mounted here, which takes root (%s): %v: %s", mount, err, out)
	}
	b.startOn("unshare", append([]string{"-m", "sh", "-c", mount + " " + disk + ` && exec "$@"`, "sh", b.program()}, b.run("--record", disk+"/run.mcap")...)...)
	return fmt.Sprintf("/proc/%d/root%s", b.node.PID(), disk)
}

// diskFull records to a file system of 16 MiB, which is filled up.
func diskFull(b *bench) {
	folder := b.onDisk("mount -t tmpfs -o size=16M none")
	b.begin(func() {
		if err := os.WriteFile(folder+"/rest", make([]byte, 16<<20), 0o600); err == nil {
			b.t.Error("the disk is not full")
		}
	})
	b.see(b.fault.sees)
	if missing := b.begun.Sub(b.recorded(folder + "/run.mcap")); missing > readable {
		b.t.Errorf("the recording ends %v before the disk was full", missing)
	}
	b.count()
	b.outcome.took = b.endsWithLoss()
}

// diskHangs records to a file system that is frozen.
func diskHangs(b *bench) {
	image := filepath.Join(b.t.TempDir(), "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Truncate(image, 256<<20); err != nil {
		b.t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", image).CombinedOutput(); err != nil {
		b.t.Skipf("mkfs.ext4 does not work here (Debian: e2fsprogs): %v: %s", err, out)
	}
	folder, err := os.Open(b.onDisk("mount -o loop " + image))
	if err != nil {
		b.t.Fatal(err)
	}
	defer folder.Close()
	const freeze, thaw = 0xc0045877, 0xc0045878 // FIFREEZE, FITHAW of linux/fs.h
	release := func() { _ = unix.IoctlSetInt(int(folder.Fd()), thaw, 0) }
	defer release() // a second time does nothing
	var written float64
	b.begin(func() {
		if err := unix.IoctlSetInt(int(folder.Fd()), freeze, 0); err != nil {
			b.t.Fatal(err)
		}
	})
	b.end(func() { written = b.recordedMessages(); release() })
	b.recovers(func() bool {
		return b.observer().Observed().Diagnosis["recording"].Level == diagnostic_msgs.DiagnosticStatusOk && b.recordedMessages() > written
	})
	b.endsWithLoss()
}

// recordedMessages is the newest count of messages in the recording.
func (b *bench) recordedMessages() float64 {
	b.t.Helper()
	n, err := strconv.ParseFloat(b.observer().Observed().Diagnosis["recording"].Values["messages"], 64)
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// endsWithLoss ends the program by Ctrl-C, wants it to say what is lost, and returns how
// long it took.
func (b *bench) endsWithLoss() (took time.Duration) {
	b.t.Helper()
	begun := time.Now()
	b.interrupt()
	b.until("the end after Ctrl-C", b.fault.within, func() bool { return !b.node.Running() })
	took = time.Since(begun)
	if code := b.node.Wait(endTime); code != 1 {
		b.t.Errorf("exit code %d, want 1\n%s", code, b.node.Output())
	}
	if !strings.Contains(b.node.Output(), " messages are not in the file") {
		b.t.Errorf("the program does not say what is lost:\n%s", b.node.Output())
	}
	b.outcome.ended, b.settled = true, true
	return took
}
