package offline_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"sinew/test/testbench"
)

// The sweep of the tests of clusters: what is varied, in how many samples and parts.
const (
	clusterSamples = 200
	clusterParts   = 4
	clusterBefore  = 5 // samples of a task that is killed
)

// clusterSweep are the flags of the sweep.
var clusterSweep = []string{"--vary", "youngs_modulus_pa=lognormal(16e6,0.1)", "--vary", "tension.long_up=linspace(0,4,20)",
	"--samples", strconv.Itoa(clusterSamples), "--duration", "0.4"}

// mergesToOneRun wants that the parts in a folder, merged, are what one process writes.
func mergesToOneRun(t *testing.T, program, dir string, sweep []string) {
	t.Helper()
	whole, merged := filepath.Join(t.TempDir(), "whole.csv"), filepath.Join(dir, "merged.csv")
	parts, err := filepath.Glob(filepath.Join(dir, "part*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		append([]string{"sweep", "--out", whole}, sweep...),
		append([]string{"merge", "--out", merged}, parts...),
	} {
		if _, errs, code := testbench.Run(t, program, args...); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, errs)
		}
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(merged)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d parts merged differ from what one process writes: %d and %d bytes", len(parts), len(got), len(want))
	}
}

// finished counts the samples that a task has finished.
func finished(part string) int {
	data, _ := os.ReadFile(part + ".part")
	return max(0, bytes.Count(data, []byte("\n"))-1) / 2
}

// TestSlurm runs a sweep as a job array on a cluster of Slurm that has one node. One of its
// tasks is killed without warning, another requeued while it runs, a third submitted twice.
func TestSlurm(t *testing.T) {
	t.Parallel() // Slurm mostly waits, and nothing here is measured in time
	program := testbench.BuildTendonsim(t)
	c := startSlurm(t)
	results := filepath.Join(t.TempDir(), "results")
	submit := func(array string) (job string) {
		args := append([]string{"--parsable", "--array=" + array, "--output=" + c.dir + "/task_%a.log", testbench.Absolute(t, "../../launch/cluster/sweep.slurm"),
			strconv.Itoa(clusterParts), results}, clusterSweep...)
		return strings.TrimSpace(c.must("sbatch", args...))
	}
	part := func(i int) string { return filepath.Join(results, fmt.Sprintf("part%d.csv", i)) }
	c.env = append(c.env, "TENDONSIM="+program)
	job := submit(fmt.Sprintf("1-%d", clusterParts))
	c.wait("samples of two tasks", func() bool { return finished(part(1)) >= clusterBefore && finished(part(2)) >= clusterBefore })

	if err := exec.Command("pkill", "-KILL", "-f", "--", "--out "+part(1)).Run(); err != nil {
		t.Fatalf("no process writes %s: %v", part(1), err)
	}
	c.must("scontrol", "requeue", job+"_2")
	c.wait("the end of the killed task", func() bool { return strings.Contains(c.must("scontrol", "show", "job", job+"_1"), "JobState=FAILED") })
	if n := finished(part(1)); n >= clusterSamples/clusterParts || n < clusterBefore {
		t.Errorf("%d samples after the kill", n)
	}
	c.must("scontrol", "requeue", job+"_1")
	again := submit("3") // while the first one runs, waits or has ended

	since := time.Now()
	waiting := map[string]bool{job + "_1": true, job + "_2": true}
	c.wait("the end of all tasks", func() bool {
		// Slurm lets a requeued task wait for two minutes; the node takes it a second after its end
		for task := range waiting {
			if strings.Contains(c.must("scontrol", "show", "job", task), "JobState=PENDING") {
				c.must("scontrol", "update", "JobId="+task, "StartTime=now+5seconds")
				delete(waiting, task)
			}
		}
		return len(waiting) == 0 && c.must("squeue", "--noheader", "--jobs", job+","+again) == ""
	})
	t.Logf("ended %.3g s after the kill", time.Since(since).Seconds())
	for _, i := range []int{1, 2} {
		log, err := os.ReadFile(fmt.Sprintf("%s/task_%d.log", c.dir, i))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(log), "were there already") {
			t.Errorf("task %d began anew:\n%s", i, log)
		}
	}
	mergesToOneRun(t, program, results, clusterSweep)
}

// TestParallel runs a sweep under GNU parallel, which starts the tasks that failed again.
func TestParallel(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skip("parallel is not installed")
	}
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	parallel := func(more ...string) *exec.Cmd {
		args := append([]string{"--joblog", "jobs.log", "--jobs", "2"}, more...)
		args = append(args, program, "sweep", "--workers", "1", "--shard", "{}/"+strconv.Itoa(clusterParts), "--out", "part{}.csv")
		for _, a := range clusterSweep {
			args = append(args, "'"+a+"'") // parallel gives its words to a shell
		}
		args = append(args, ":::")
		for i := range clusterParts {
			args = append(args, strconv.Itoa(i+1))
		}
		cmd := exec.Command("parallel", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PARALLEL_HOME="+dir)
		return cmd
	}
	first := parallel()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for since := time.Now(); finished(filepath.Join(dir, "part1.csv")) < clusterBefore; time.Sleep(5 * time.Millisecond) {
		if time.Since(since) > time.Minute {
			t.Fatal("the first task has no samples")
		}
	}
	if err := exec.Command("pkill", "-KILL", "-f", "shard 1/4 --out part1.csv").Run(); err != nil {
		t.Fatalf("no process writes part1.csv: %v", err)
	}
	if err := first.Wait(); err == nil {
		t.Error("parallel does not tell that a task was killed")
	}
	if out, err := parallel("--resume-failed").CombinedOutput(); err != nil || strings.Count(string(out), "were there already") != 1 {
		t.Fatalf("%v, want one task that runs:\n%s", err, out)
	}
	mergesToOneRun(t, program, dir, clusterSweep)
}

// TestKubernetes does with the indexed job what Kubernetes does: it runs the command of the
// container once for each index. No cluster of Kubernetes is started.
func TestKubernetes(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is not installed")
	}
	data, err := os.ReadFile("../../launch/cluster/sweep.kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Spec       struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Template       struct {
				Spec struct {
					Containers []struct {
						Command, Args []string
						Env           []struct{ Name, Value string }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal(data, &job); err != nil {
		t.Fatal(err)
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" || len(job.Spec.Template.Spec.Containers) != 1 {
		t.Fatalf("not an indexed job of one container: %+v", job)
	}
	program, dir := testbench.BuildTendonsim(t), t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "tendonsim")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "robot.yaml"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	container := job.Spec.Template.Spec.Containers[0]
	words := append(container.Command[:len(container.Command):len(container.Command)], container.Args...)
	last := len(words) - 1
	words[last] = strings.Replace(words[last], "--samples 10000", "--samples 100", 1)
	for i := range job.Spec.Completions {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "JOB_COMPLETION_INDEX="+strconv.Itoa(i))
		for _, e := range container.Env {
			cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("index %d: %v\n%s", i, err, out)
		}
	}
	mergesToOneRun(t, program, dir, []string{"--config", filepath.Join(dir, "robot.yaml"),
		"--vary", "youngs_modulus_pa=lognormal(16e6,0.1)", "--vary", "tip.mass_kg=uniform(0,0.02)", "--samples", "100"})
}

// slurm is a cluster of one node, this computer, with a home of its own.
type slurm struct {
	t   *testing.T
	dir string
	env []string
}

// startSlurm starts munged, slurmctld and slurmd, all on the loopback interface, until the
// test ends.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	for _, tool := range []string{"munged", "slurmctld", "slurmd", "sbatch", "pkill"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("a node of Slurm starts the tasks of all users: it needs root")
	}
	dir, err := os.MkdirTemp("", "slurm") // short, for the names of sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge.socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=2
ReturnToService=2
NodeName=node NodeHostname=%[1]s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
`, host, dir, testbench.FreePort(t), testbench.FreePort(t))
	c := &slurm{t: t, dir: dir, env: append(os.Environ(), "SLURM_CONF="+dir+"/slurm.conf")}
	for name, data := range map[string][]byte{"slurm.conf": []byte(conf), "munge.key": bytes.Repeat([]byte("not a secret.\n"), 32)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c.start("munged", "--foreground", "--force", "--key-file", dir+"/munge.key", "--socket", dir+"/munge.socket", "--pid-file", dir+"/munged.pid",
		"--log-file", dir+"/munged.log", "--seed-file", dir+"/munge.seed")
	c.wait("munged", func() bool { _, err := os.Stat(dir + "/munge.socket"); return err == nil })
	c.start("slurmctld", "-D", "-f", dir+"/slurm.conf")
	c.start("slurmd", "-D", "-N", "node", "-f", dir+"/slurm.conf")
	c.wait("the node", func() bool {
		out, err := c.command("sinfo", "--noheader", "--format", "%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	})
	return c
}

// start starts a daemon of the cluster.
func (c *slurm) start(name string, args ...string) {
	c.t.Helper()
	out, err := os.Create(filepath.Join(c.dir, name+".out"))
	if err != nil {
		c.t.Fatal(err)
	}
	cmd := c.command(name, args...)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		_ = out.Close()
		if text, err := os.ReadFile(out.Name()); err == nil && c.t.Failed() {
			c.t.Logf("%s:\n%s", name, text)
		}
	})
}

// command is one in the environment of the cluster.
func (c *slurm) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = c.env
	return cmd
}

// must runs a command of Slurm and returns its output.
func (c *slurm) must(name string, args ...string) string {
	c.t.Helper()
	out, err := c.command(name, args...).CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// wait waits until something is so.
func (c *slurm) wait(what string, so func() bool) {
	c.t.Helper()
	for since := time.Now(); !so(); time.Sleep(100 * time.Millisecond) {
		if time.Since(since) > 2*time.Minute {
			c.t.Fatalf("%s: not within two minutes", what)
		}
	}
}
