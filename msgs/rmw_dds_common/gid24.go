package rmw_dds_common

import "sinew/msgs/cdr"

// Up to ROS 2 Humble a Gid had 24 bytes, the last eight of them zero; from Iron
// on it has 16. The topic, the type's name and its meaning are the same, so a
// participant must send each reader the form of its release, and know which form
// a writer uses: releases with 16 bytes announce "typehash=" in the USER_DATA of
// their endpoints. A reader that is given the other form may fail in its user's
// code.
const padding24 = 8

// AppendCDRGid24 is AppendCDR in the form of ROS 2 Humble.
func (m *ParticipantEntitiesInfo) AppendCDRGid24(dst []byte) []byte {
	w := cdr.NewWriter(dst)
	m.Gid.write24(&w)
	w.Count(len(m.NodeEntitiesInfoSeq))
	for i := range m.NodeEntitiesInfoSeq {
		node := &m.NodeEntitiesInfoSeq[i]
		w.String(node.NodeNamespace)
		w.String(node.NodeName)
		writeGids24(&w, node.ReaderGidSeq)
		writeGids24(&w, node.WriterGidSeq)
	}
	return w.Bytes()
}

// ParseCDRGid24 is ParseCDR for the form of ROS 2 Humble. It does not look at the
// eight bytes that a Gid has no room for.
func (m *ParticipantEntitiesInfo) ParseCDRGid24(src []byte) error {
	const leastNode = 4 * 4 // two string lengths and two counts
	r := cdr.NewReader(src)
	m.Gid.read24(&r)
	m.NodeEntitiesInfoSeq = nil
	if n := r.Count(leastNode); n > 0 {
		m.NodeEntitiesInfoSeq = make([]NodeEntitiesInfo, n)
	}
	for i := range m.NodeEntitiesInfoSeq {
		node := &m.NodeEntitiesInfoSeq[i]
		node.NodeNamespace = r.BoundedString(256)
		node.NodeName = r.BoundedString(256)
		node.ReaderGidSeq = readGids24(&r)
		node.WriterGidSeq = readGids24(&r)
	}
	return r.Finish("rmw_dds_common/msg/ParticipantEntitiesInfo with GIDs of 24 bytes")
}

func writeGids24(w *cdr.Writer, list []Gid) {
	w.Count(len(list))
	for i := range list {
		list[i].write24(w)
	}
}

func readGids24(r *cdr.Reader) []Gid {
	n := r.Count(len(Gid{}.Data) + padding24)
	if n == 0 {
		return nil
	}
	list := make([]Gid, n)
	for i := range list {
		list[i].read24(r)
	}
	return list
}

func (m *Gid) write24(w *cdr.Writer) {
	var zeros [padding24]byte
	w.Uint8s(m.Data[:])
	w.Uint8s(zeros[:])
}

func (m *Gid) read24(r *cdr.Reader) {
	var ignored [padding24]byte
	r.Uint8s(m.Data[:])
	r.Uint8s(ignored[:])
}
