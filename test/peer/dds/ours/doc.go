// Command ours is the same program as test/peer/dds/peer.c on pkg/ros/rtps, with the
// same arguments and output: its documentation is there. PEER_ADDRESS is the
// address of the network interface to use; without it nothing leaves this host.
// PEERS are addresses to look for others at instead of multicast.
package main
