// Command realtime measures a running tendonsim from outside: through its ROS 1
// topics on the loopback interface and, for processor time and memory, /proc.
//
//	go run ./test/bench/realtime                          a minute, and 2000 commands
//	go run ./test/bench/realtime --soak 10m --json        also ten minutes with a frozen subscriber
//	go run ./test/bench/realtime --hostile 10m            also ten minutes with peers that misbehave
//	go run ./test/bench/realtime --config robot.yaml      any robot that has tendons
//	go run ./test/bench/realtime --record mcap            instead: with and without a recording
//	go run ./test/bench/realtime soak --for 30m           instead: everything at once, for long
//	go run ./test/bench/realtime estop                    instead: how fast e_stop is
//	go run ./test/bench/realtime flood                    instead: hostile floods, one port after the other
//	go run ./test/bench/realtime cycles                   instead: a hundred starts and ends
//	go run ./test/bench/realtime calls                    instead: services called 100 times a second
//	go run ./test/bench/realtime viewers                  instead: pages and other viewers
//	go run ./test/bench/realtime startup                  instead: how fast a picture is there
//
// It starts the node itself, with a master of its own on a free port and
// measured values at 1 kHz, and ends it. There are up to four phases:
//
//	loop     no subscriber but this program's 1 Hz reader of /diagnostics
//	latency  commands come at irregular times, on average every 10 ms, and two
//	         topics are read at 1 kHz; each command is a value of its own, so the
//	         first message that holds it can be seen
//	soak     two subscribers at 1 kHz, of which one never reads; when the node
//	         cuts it off, it comes back
//	hostile  the same, while the master is killed every few seconds, and
//	         subscribers send headers that are no headers and then flood the node
//
// Lateness is how long after its deadline a control period begins. The node
// gives its quantiles for each second; the table has the median over the seconds
// of a phase, the worst second, and the maximum. The connections are plain
// TCPROS without any ROS library, so that the latencies are the node's own but
// for two passes through the kernel and the wake-up of this program.
//
// The verbs print a table with their targets and end with exit code 1 where one is
// missed:
//
//	soak   four subscribers in ROS 1 and four in ROS 2, each a process, a controller at
//	       1 kHz, a recording, and on each network one more subscriber that is frozen
//	       (SIGSTOP) and replaced every 45 s. No more lost periods than 1.5 times those of
//	       the latency probe, memory, open files and goroutines flat (also as a figure),
//	       every message in the recording. --for 24h is a day, and 400 GB of --dir.
//	estop  from the call of the service to FAULT, beside a call that does not wait for the
//	       loop: at rest, under commands at 1 kHz, in a long step, among save_state and
//	       restore_state. One control period at most, beyond the way there and back. Then
//	       robots that take long to build, and have no services until they are built.
//	flood  10,000 connections or datagrams a second to each port that the node listens on.
//	       Lateness within twice that without a flood, memory and open files bounded.
//	cycles a hundred nodes, one after the other, with one master and in one domain:
//	       nothing of them is left a second after each.
//	calls  services called 100 times a second, on each network, and live parameters set as
//	       often, also such as make new constants of the model. Lateness within 1.5 times
//	       that without calls, beyond what the latency probe met more, and no periods lost
//	       for them.
//	viewers  a robot that moves by itself: without viewers, with one page, and beside that
//	       with malformed frames, frames of 100 MB and 200 connections, in rounds. Lateness
//	       within 1.2 times that without viewers, beyond what the latency probe met more, the
//	       page served at 60 Hz, at most 15 % of a processor with the page alone.
//	startup  the program as somebody starts it who knows no argument, until its page gets
//	       a moving picture: at most 1 s. With --clone . from git clone on, with nothing
//	       compiled before, and with --cold no module downloaded.
//
// Numbers mean little on a busy machine: the column "others" is the share of all
// processors that neither the node nor the idle task had; it includes this
// program. Nor can the node be better than the machine: beside it, a process that
// does nothing but wake up at 1 kHz, with a real-time priority like that of the
// node's loop, counts the periods that it misses, for example because the host of
// a virtual machine takes the processor away.
package main
