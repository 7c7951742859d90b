// Command flood sends hostile datagrams to one participant of a DDS domain on
// this host, on its ports for discovery and for data:
//
//	go run ./test/peer/dds/flood [-domain 0] [-id 0] [-port all] [-kind all] [-seconds 10] [-rate 20000]
//
// In turn: bytes that are not RTPS; broken submessages; participants that do not
// exist, another each time; and, from one participant that the target does get to
// know, writers and readers without end, a sample of 4 GB, 10⁹ missing samples,
// and requests for all that was ever sent. Every writer and reader claims the
// topic given by -topic and -type, so that they match. With -port it sends to one port
// only: multicast, discovery or data, and with -kind datagrams of one kind only: participants
// or fragments of huge samples. It sends to the loopback
// address alone, at most 100,000 datagrams a second for at most 60 s, and prints
// how many it sent.
package main
