package node_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sinew/test/testbench"
)

// mayBeRealTime reports whether this user may have SCHED_FIFO.
func mayBeRealTime() bool {
	may := make(chan bool)
	go func() {
		runtime.LockOSThread() // the thread ends with this goroutine
		may <- unix.SchedSetAttr(0, &unix.SchedAttr{
			Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Flags: unix.SCHED_FLAG_RESET_ON_FORK, Priority: 1,
		}, 0) == nil
	}()
	return <-may
}

// threadPolicies lists the threads of a process, those with a real-time policy as "FIFO 10",
// others by their nice value.
func threadPolicies(t *testing.T, pid int) (fifo []string, nice []int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(tasks) == 0 {
		t.Fatalf("threads of %d: %v", pid, err)
	}
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:])) // from the third field on
		var n int
		if _, err := fmt.Sscan(fields[16], &n); err != nil {
			t.Fatal(err)
		}
		if fields[38] == "1" {
			fifo = append(fifo, "FIFO "+fields[37])
		} else {
			nice = append(nice, n)
		}
	}
	slices.Sort(fifo)
	return fifo, nice
}

// guardsOf lists the processes that a process has started.
func guardsOf(pid int) (all []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		data, err := os.ReadFile(stat)
		if err != nil {
			continue // it has ended
		}
		var parent int
		var state string
		if n, _ := fmt.Sscan(string(data[bytes.LastIndexByte(data, ')')+1:]), &state, &parent); n == 2 && parent == pid {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
			all = append(all, child)
		}
	}
	return all
}

// alive reports whether a process runs: one that has ended may wait for its parent to hear.
func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !bytes.HasPrefix(data[bytes.LastIndexByte(data, ')')+1:], []byte(" Z"))
}

// The loop's thread has the priority that was asked for, all others half of it, and the process
// that guards the loop one more. Without real-time priority all have the nice value that the
// user gave the program.
func TestPrioritiesOfThreads(t *testing.T) {
	if _, err := exec.LookPath("nice"); err != nil {
		t.Skip("nice is not installed (Debian: coreutils)")
	}
	program, may := testbench.BuildTendonsim(t), mayBeRealTime()
	for option, want := range map[string][3]string{
		"auto": {"FIFO 5", "FIFO 10", "FIFO 11"}, "off": {}, "30": {"FIFO 15", "FIFO 30", "FIFO 31"}, "1": {"", "FIFO 1", "FIFO 2"},
	} {
		cmd := exec.Command("nice", "-n", "3", program, "run", "--ros", "ros2", "--duration", "120s", "--realtime", option)
		cmd.Env = append(os.Environ(), "ROS_AUTOMATIC_DISCOVERY_RANGE=OFF")
		var log bytes.Buffer
		cmd.Stderr = &log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		realTime := may && option != "off"
		for begun := time.Now(); time.Since(begun) < testbench.WaitLimit; time.Sleep(testbench.PollPeriod) {
			fifo, nice := threadPolicies(t, cmd.Process.Pid)
			if realTime && slices.Contains(fifo, want[1]) || !realTime && len(nice) >= 4 {
				break
			}
		}
		time.Sleep(2 * time.Second) // also for threads that are started later
		fifo, nice := threadPolicies(t, cmd.Process.Pid)
		guards := guardsOf(cmd.Process.Pid)
		if realTime && len(guards) != 1 || !realTime && len(guards) != 0 {
			t.Errorf("--realtime %s: %d guards", option, len(guards))
		}
		for _, guard := range guards {
			fifo, nice := threadPolicies(t, guard)
			if slices.ContainsFunc(fifo, func(p string) bool { return p != want[2] }) || len(fifo) == 0 || len(nice) > 0 {
				t.Errorf("--realtime %s: the guard's threads have %v, and %d none, want %s", option, fifo, len(nice), want[2])
			}
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		for _, guard := range guards {
			if alive(guard) {
				t.Errorf("--realtime %s: the guard has not ended", option)
			}
		}
		count := func(name string) (n int) {
			for _, f := range fifo {
				if f == name {
					n++
				}
			}
			return n
		}
		switch loop, others := count(want[1]), count(want[0]); {
		case !realTime && len(fifo) > 0:
			t.Errorf("--realtime %s: %v have real-time priority", option, fifo)
		case realTime && (loop != 1 || len(fifo) != 1+others || want[0] != "" && (others == 0 || len(nice) > 0)):
			t.Errorf("--realtime %s: %v have real-time priority and %d none, want %v", option, fifo, len(nice), want)
		}
		if slices.ContainsFunc(nice, func(n int) bool { return n != 3 }) || !realTime && len(nice) < 4 {
			t.Errorf("--realtime %s: nice values %v, want 3", option, nice)
		}
		if said := strings.Count(log.String(), "scheduling") + strings.Count(log.String(), "is not permitted"); said != 1 {
			t.Errorf("--realtime %s: %d lines about scheduling:\n%s", option, said, &log)
		}
		if refused := strings.Contains(log.String(), "permission for SCHED_FIFO"); refused == may && option != "off" {
			t.Errorf("--realtime %s: permitted: %t:\n%s", option, may, &log)
		}
	}
}

// A program that is stopped in the middle of a control period, as by a debugger, has not
// kept the processor from anybody: it keeps its priority.
func TestPriorityAfterStandstill(t *testing.T) {
	if !mayBeRealTime() {
		t.Skip("real-time priority is not permitted")
	}
	// two thirds of the time in a period: one of the stops falls into one
	cmd := exec.Command(testbench.BuildTendonsim(t), "run", "--config", "../testdata/ros1_robot.yaml", "--ros", "ros2", "--duration", "120s", "_rates/control_hz:=20", "_rates/publish_hz:=20", "_rates/marker_hz:=20", "_solver/step_s:=4e-6")
	cmd.Env = append(os.Environ(), "ROS_AUTOMATIC_DISCOVERY_RANGE=OFF")
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); time.Since(begun) < testbench.WaitLimit; time.Sleep(testbench.PollPeriod) {
		if fifo, _ := threadPolicies(t, cmd.Process.Pid); slices.Contains(fifo, "FIFO 10") {
			break
		}
	}
	time.Sleep(time.Second)
	for range 8 {
		for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
			if err := cmd.Process.Signal(s); err != nil {
				t.Error(err)
			}
			time.Sleep(300 * time.Millisecond)
		}
	}
	fifo, _ := threadPolicies(t, cmd.Process.Pid)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if !slices.Contains(fifo, "FIFO 10") || strings.Contains(log.String(), "given up") || strings.Contains(log.String(), "kept its processor") {
		t.Errorf("%v have real-time priority\n%s", fifo, &log)
	}
}

// The guard of a program that is killed ends, too.
func TestGuardOfKilledProgram(t *testing.T) {
	if !mayBeRealTime() {
		t.Skip("real-time priority is not permitted")
	}
	cmd := exec.Command(testbench.BuildTendonsim(t), "run", "--ros", "off", "--view", "off", "--duration", "120s")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); time.Since(begun) < testbench.WaitLimit; time.Sleep(testbench.PollPeriod) {
		if fifo, _ := threadPolicies(t, cmd.Process.Pid); slices.Contains(fifo, "FIFO 10") {
			break
		}
	}
	guards := guardsOf(cmd.Process.Pid)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	for _, guard := range guards {
		begun := time.Now()
		for ; alive(guard) && time.Since(begun) < testbench.WaitLimit; time.Sleep(testbench.PollPeriod) {
		}
		if alive(guard) {
			t.Errorf("the guard is there %v after the program", time.Since(begun))
		}
	}
	if len(guards) != 1 {
		t.Errorf("%d guards", len(guards))
	}
}
