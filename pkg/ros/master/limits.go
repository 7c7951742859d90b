package master

import (
	"time"

	"sinew/pkg/ros/xmlrpc"
)

// Bounds of what peers can make the master store. They are far above what a
// laboratory needs and far below what would hurt the simulator beside it.
const (
	// maxName bounds a name or URI, in bytes.
	maxName  = 256
	maxNodes = 1024
	// maxRegistrations bounds publications, subscriptions, services and
	// parameter subscriptions, all together.
	maxRegistrations = 8192
	// maxParams bounds the parameters, as measured by size. All parameters
	// together fit into one reply then, unless they are mostly markup.
	maxParams = 6 << 20
	// maxLevels bounds how deep parameters nest, so that any namespace still fits
	// the nesting of a reply inside a system.multicall.
	maxLevels = xmlrpc.MaxDepth - 3
	// maxQueues bounds the slaves that are notified at once.
	maxQueues = 1024
	// maxMulticall bounds the calls in one system.multicall.
	maxMulticall = 4096
)

// notifyTimeout bounds each call to a slave.
const notifyTimeout = 3 * time.Second
