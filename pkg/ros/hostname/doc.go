// Package hostname tells the names of this computer from those of others. Servers on a loopback
// address use it against DNS rebinding: a foreign web page whose name is pointed to 127.0.0.1 sends
// requests from the browser of this computer, with that name as the Host. It also finds out why a
// computer has no 127.0.0.1.
package hostname
