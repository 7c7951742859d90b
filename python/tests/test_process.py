"""Tests of the program beside Python: how it ends, and what an interrupt leaves."""

import glob
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np
from common import ROD, Case

import sinew


def child(env):
    return env._process._popen.pid


class Process(Case):
    def test_two_at_a_time(self):
        one, two = self.make(), self.make(n=2)
        one.reset()
        two.reset()
        a, *_ = one.step(np.ones((3, 4)))
        b, *_ = two.step(np.ones((2, 4)))
        np.testing.assert_array_equal(a[0], b[0])
        one.close()
        one.close()
        two.step(np.ones((2, 4)))
        with self.assertRaisesRegex(sinew.Error, "closed"):
            one.step(np.ones((3, 4)))

    def test_killed_program(self):
        env = self.make()
        env.reset()
        os.kill(child(env), signal.SIGKILL)
        begin = time.monotonic()
        with self.assertRaisesRegex(sinew.ProgramEnded, "was killed by SIGKILL"):
            env.step(np.zeros((3, 4)))
        self.assertLess(time.monotonic() - begin, 5)
        with self.assertRaisesRegex(sinew.Error, "closed"):
            env.step(np.zeros((3, 4)))
        env.close()

    def test_panic(self):
        """A program that ends with what Go ends with after a panic has ended: it has refused nothing."""
        env = self.make()
        env.reset()
        os.kill(child(env), signal.SIGQUIT)
        with self.assertRaisesRegex(sinew.ProgramEnded, "exit code 2: SIGQUIT"):
            while True:
                env.step(np.zeros((3, 4)))

    def test_stray_request(self):
        """An answer that no call waits for is not taken for the next one."""
        env = self.make(hz=100)
        env.reset()
        env._process._popen.stdin.write(b"nonsense\n7000 step\n")
        for k in range(3):
            *_, info = env.step(np.zeros((3, 4)))
        np.testing.assert_allclose(info["time"], 0.04)
        env._process._sent += 1  # a request of which an interrupt has left a part, or nothing
        for part in (b"vary\tlength_m=unif", b""):
            env._process._popen.stdin.write(part)
            _, info = env.reset()
            self.assertFalse(info["time"].any())

    def test_closed_pipe(self):
        """A caller that closes the pipe leaves no memory."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "memory")
            p = subprocess.Popen([sinew.program("tendonsim"), "env", "--envs", "1", "--shm", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.assertEqual(p.stdout.readline().decode(), f"ready {path}\n")
            self.assertTrue(path.exists())
            p.stdout.close()
            p.stdin.write(b"reset\n")
            p.stdin.flush()
            self.assertEqual(p.wait(timeout=20), 1)
            self.assertFalse(path.exists())
            p.stdin.close()

    def interruptible(self):
        def interrupt(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)

    def test_interrupt(self):
        env = self.make(n=16, hz=0.5)
        env.reset()
        self.interruptible()
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with self.assertRaises(KeyboardInterrupt):
            while True:
                env.step(np.full((16, 4), 1.0))
        with self.assertRaisesRegex(sinew.Error, "after an interrupt"):
            env.step(np.zeros((16, 4)))
        _, info = env.reset()
        self.assertFalse(info["time"].any())
        env.step(np.zeros((16, 4)))

    def test_close_after_interrupt(self):
        """A step of which much is left ends before it has to be killed."""
        env = self.make(n=512, hz=0.5)
        env.reset()
        self.interruptible()
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with self.assertRaises(KeyboardInterrupt):
            env.step(np.full((512, 4), 1.0))
        env.close()
        self.assertEqual(env._process._popen.returncode, 0)

    def test_interrupts_at_any_moment(self):
        """Whatever is interrupted, and wherever: a reset with a seed then gives what the seed says, and the robots move so."""
        kinds = [{"vary": {}}, {"vary": {"youngs_modulus_pa": "uniform(5e10,6e10)"}}, {"vary": {"density_kg_per_m3": "uniform(6e3,7e3)"}},
                 {"parameters": {"tip.mass_kg": [0.001, 0.002]}}]
        pull = np.full((2, 4), [1.0, 0, 0, 0])

        def episode(env, options):
            first, info = env.reset(seed=7, options=options)
            drawn = {k: v.tolist() for k, v in info.get("parameters", {}).items()}
            _, again = env.reset()
            drawn.update((k + " again", v.tolist()) for k, v in again.get("parameters", {}).items())
            return drawn, np.array([first] + [env.step(pull)[0] for _ in range(2)])

        want = [episode(self.make(n=2, hz=500, max_steps=3), options) for options in kinds]
        env = self.make(n=2, hz=500, max_steps=3)
        env.reset()
        self.interruptible()
        random, interrupted, seen = np.random.default_rng(1), 0, set()
        end = time.monotonic() + 5
        while time.monotonic() < end or len(seen) < len(kinds) and time.monotonic() < end + 60:  # a busy machine takes longer
            options = kinds[random.integers(len(kinds))]
            try:
                signal.setitimer(signal.ITIMER_REAL, 10 ** random.uniform(-5, -1.7))
                env.reset(seed=int(random.integers(1 << 40)), options=options)
                while True:
                    env.step(2 * pull)
            except KeyboardInterrupt:
                interrupted += 1
            drawn, moved = episode(env, {})  # of whichever kind holds now
            kind = [names for names, _ in want].index(drawn)
            np.testing.assert_array_equal(moved, want[kind][1])
            seen.add(kind)
        self.assertGreater(interrupted, 20)
        self.assertEqual(len(seen), len(kinds))

    def test_ctrl_c_at_a_terminal(self):
        """SIGINT of the whole group ends the script, and nothing is left."""
        script = f"import sinew, numpy as np, sys\ne = sinew.make_vec({str(ROD)!r}, 2)\ne.reset()\nprint(e._process._popen.pid, flush=True)\nwhile True: e.step(np.zeros((2, 4)))"
        p = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        pid = int(p.stdout.readline())
        os.killpg(p.pid, signal.SIGINT)
        _, errors = p.communicate(timeout=20)
        self.assertIn("KeyboardInterrupt", errors)
        self.gone(pid)

    def gone(self, pid):
        end = time.monotonic() + 10
        while True:
            try:
                if "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]:
                    return
            except (FileNotFoundError, ProcessLookupError):
                return
            self.assertLess(time.monotonic(), end, "the program has not ended")
            time.sleep(0.05)

    def test_killed_caller(self):
        """A fork that still holds the pipe does not keep the program, and no memory is left."""
        script = f"import sinew, os, time\ne = sinew.make_vec({str(ROD)!r}, 2)\ne.reset()\nprint(e._process._popen.pid, flush=True)\nif os.fork() == 0: time.sleep(8); os._exit(0)\ntime.sleep(60)"
        p = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        pid = int(p.stdout.readline())
        self.assertFalse(glob.glob(f"/dev/shm/*{pid}*"))
        p.kill()
        p.wait()
        self.gone(pid)
        p.stdout.close()

    def test_fork_and_pickle(self):
        env = self.make()
        env.reset()
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                env.step(np.zeros((3, 4)))
                text = "no error"
            except sinew.Error as e:
                text = str(e)
            env.close()
            os.write(write, text.encode())
            os._exit(0)
        os.waitpid(pid, 0)
        self.assertIn("forked", os.read(read, 4096).decode())
        env.step(np.zeros((3, 4)))  # the fork has closed nothing
        with self.assertRaisesRegex(TypeError, "make_vec in each process"):
            pickle.dumps(env)


if __name__ == "__main__":
    unittest.main()
