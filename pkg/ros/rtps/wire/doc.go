// Package wire reads and writes the bytes of the Real-Time Publish-Subscribe
// protocol (OMG DDSI-RTPS 2.3, formal/2019-04-03): message headers,
// submessages, parameter lists and the data of the built-in discovery topics.
// It holds no state and does no input or output.
//
// Implemented, by section of the specification:
//
//	8.3.3, 9.4.1   message structure, both byte orders
//	8.3.7.1-11     AckNack, Data, DataFrag, Gap, Heartbeat, HeartbeatFrag,
//	               InfoDestination, InfoReply, InfoSource, InfoTimestamp, NackFrag
//	9.3.1          GUIDs and entity identifiers
//	9.3.2          time, locators, sequence numbers
//	9.4.2.6, .8    sequence number and fragment number sets
//	9.4.2.11       parameter lists
//	9.6.1.1        well-known ports
//	9.6.2          parameters of discovered participants and endpoints
//	9.6.3.8, .9    in-line key hash and status information
//
// Every reader accepts any bytes: lengths, counts and numbers are checked
// before they are used, nothing is allocated in proportion to a number that the
// input merely states, and what is not understood is an error or is skipped as
// the specification demands. Slices in parsed values refer to the input.
package wire
