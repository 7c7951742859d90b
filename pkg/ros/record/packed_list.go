package record

// packedList holds entries of a file's index until the end of the file is written. It grows
// for as long as a robot is recorded, so that entries are packed, and in blocks of one size:
// a slice that grows is copied, and the garbage collector lets memory grow by a multiple of
// that.
type packedList struct {
	blocks [][]byte
	n      int
}

// packedBlock is the size of a block, bytes.
const packedBlock = 16 << 10

// add appends an entry.
func (l *packedList) add(entry []byte) {
	last := len(l.blocks) - 1
	if last < 0 || len(l.blocks[last])+len(entry) > cap(l.blocks[last]) {
		l.blocks = append(l.blocks, make([]byte, 0, max(packedBlock, len(entry))))
		last++
	}
	l.blocks[last] = append(l.blocks[last], entry...)
	l.n++
}

// each calls use with what begins with each entry in turn, until one fails. Use returns what
// follows the entry.
func (l *packedList) each(use func(b []byte) (rest []byte, err error)) (err error) {
	for _, b := range l.blocks {
		for len(b) > 0 {
			if b, err = use(b); err != nil {
				return err
			}
		}
	}
	return nil
}
