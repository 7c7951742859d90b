// Package lifecycle maps the operating states of a simulator to the lifecycle of a ROS 2 node, for
// ros2 lifecycle, launch's LifecycleNode and lifecycle managers.
//
// ENABLED and PAUSED are active, DISABLED and FAULT inactive: activate enables, also after a FAULT,
// deactivate disables, and shutdown ends the program. A node is configured from its start;
// configure of an inactive node changes nothing and succeeds, because every manager begins with it.
// A node under a lifecycle manager starts with --disabled.
package lifecycle
