package verb

// ViewHost is the host at which viewers are served that nobody asked for elsewhere: the first free port of
// it from 8080.
const ViewHost = "127.0.0.1"
