package mesh

import (
	"bytes"
	"fmt"
)

// formats are the beginnings of files that are no STL, in lower case.
var formats = []struct{ begin, name string }{
	{"ply\n", "PLY"}, {"ply\r", "PLY"}, {"off\n", "OFF"}, {"off\r", "OFF"}, {"coff", "OFF"},
	{"iso-10303-21", "STEP, a CAD file without triangles"}, {"kaydara fbx", "FBX"}, {"gltf", "binary glTF"},
	{"# vtk datafile", "VTK"}, {"<vtkfile", "VTK XML"}, {"<?xml", "XML (COLLADA, 3MF, AMF, X3D or VTK)"}, {"<collada", "COLLADA"}, {"<amf", "AMF"}, {"<x3d", "X3D"},
	{"pk\x03\x04", "a ZIP archive, as 3MF and FCStd are"}, {"\x1f\x8b", "compressed by gzip"}, {"$meshformat", "Gmsh"},
	{"{", "JSON, as glTF is"}, {"\x89png", "a PNG picture"}, {"cad-drawing", "CAD"}, {"dbrep_drawable", "BREP"}, {"#vrml", "VRML"},
	{"version https://git-lfs", "a pointer of Git LFS: fetch the file by git lfs pull"},
}

// otherFormat names the format of a file that is no STL, empty if it is not known.
func otherFormat(data []byte) string {
	const most = 4096 // bytes that are looked at
	head := bytes.Clone(bytes.TrimLeft(bytes.TrimPrefix(data[:min(len(data), most)], []byte("\ufeff")), " \t\r\n"))
	for i, c := range head { // bytes.ToLower changes bytes that are no text
		if 'A' <= c && c <= 'Z' {
			head[i] = c + 'a' - 'A'
		}
	}
	for _, f := range formats {
		if bytes.HasPrefix(head, []byte(f.begin)) {
			return f.name
		}
	}
	if len(data) > 132 && string(data[128:132]) == "DICM" {
		return "DICOM, pictures without triangles"
	}
	for line := range bytes.Lines(head) {
		switch word, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" ")); string(word) {
		case "", "#", "mtllib", "o", "g", "s", "usemtl":
		case "v", "vn", "vt":
			return "OBJ"
		default:
			if !bytes.HasPrefix(word, []byte("#")) {
				return ""
			}
		}
	}
	return ""
}

// formatError is the error of a file of another format.
func formatError(name string) error {
	return fmt.Errorf("mesh: the file is no STL but %s; export its surface as STL, for example by Blender, MeshLab or 3D Slicer", name)
}
