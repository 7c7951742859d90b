// Package ddspeer builds and runs DDS programs of other vendors, for tests that
// need a foreign peer. Their sources are in test/peer/dds and say how to use them. A
// test is skipped where the vendor's tools are not installed.
package ddspeer
