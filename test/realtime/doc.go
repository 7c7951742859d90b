// Command realtime measures a running tendonsim from outside: through its ROS 1
// topics on the loopback interface and, for processor time and memory, /proc.
//
//	go run ./test/realtime                          a minute, and 2000 commands
//	go run ./test/realtime --soak 10m --json        also ten minutes with a frozen subscriber
//	go run ./test/realtime --hostile 10m            also ten minutes with peers that misbehave
//	go run ./test/realtime --config robot.yaml      any robot that has tendons
//	go run ./test/realtime --record mcap            instead: with and without a recording
//
// It starts the node itself, with a master of its own on a free port and
// measured values at 1 kHz, and ends it. There are up to four phases:
//
//	loop     nobody but this program's 1 Hz reader of /diagnostics listens
//	latency  commands come at irregular times, on average every 10 ms, and two
//	         topics are read at 1 kHz; each command is a value of its own, so the
//	         first message that holds it can be told
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
// Numbers mean little on a busy machine: the column "others" is the share of all
// processors that neither the node nor the idle task had; it includes this
// program. Nor can the node be better than the machine: beside it, a process that
// does nothing but wake up at 1 kHz, with a real-time priority like that of the
// node's loop, counts the periods that it misses, for example because the host of
// a virtual machine takes the processor away.
package main
