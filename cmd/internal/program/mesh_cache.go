package program

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"sinew/cmd/internal/progress"
	"sinew/pkg/sim/shape/mesh"
)

// Bounds of the cache of meshes.
const (
	maxCacheBytes  = 512 << 20 // of all files; the oldest ones are removed
	leastCached    = 256 << 10 // bytes of a field; smaller ones are built as fast as they are read
	cacheExtension = ".field"
)

// meshCache is the folder sinew/meshes in the user's cache folder. It holds the distance fields of meshes, by
// their triangles, their options and the program that built them. An empty path is no cache.
type meshCache struct {
	folder  string
	program string // what tells one build of the program from another
}

// userMeshCache returns the cache of the user, without a folder where there is none to write to.
var userMeshCache = sync.OnceValue(func() meshCache {
	root, err := os.UserCacheDir()
	if err != nil {
		return meshCache{}
	}
	path, err := os.Executable()
	if err != nil {
		return meshCache{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return meshCache{}
	}
	return meshCache{
		folder:  filepath.Join(root, "sinew", "meshes"),
		program: fmt.Sprint(path, info.Size(), info.ModTime().UnixNano(), runtime.GOARCH),
	}
})

// path returns the file of a key.
func (c *meshCache) path(key string) string {
	sum := sha256.Sum256([]byte(c.program + key))
	return filepath.Join(c.folder, hex.EncodeToString(sum[:])+cacheExtension)
}

// load returns what save was given under the key, nil if there is none.
func (c *meshCache) load(key string) []byte {
	if c.folder == "" {
		return nil
	}
	path := c.path(key)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // the oldest is the one that was not used for the longest time
	return data
}

// save keeps data under a key. A cache that cannot be written to is no mistake: the next start takes longer.
func (c *meshCache) save(key string, data []byte) {
	if c.folder == "" || len(data) < leastCached {
		return
	}
	if os.MkdirAll(c.folder, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(c.folder, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), c.path(key)) != nil {
		os.Remove(f.Name())
		return
	}
	c.prune()
}

// prune removes the oldest files beyond the bound, and what writers that ended have left.
func (c *meshCache) prune() {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return
	}
	type file struct {
		path string
		size int64
		used time.Time
	}
	var files []file
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		const abandoned = time.Hour
		f := file{filepath.Join(c.folder, e.Name()), info.Size(), info.ModTime()}
		if strings.HasSuffix(f.path, cacheExtension) {
			files = append(files, f)
			total += f.size
		} else if time.Since(f.used) > abandoned {
			os.Remove(f.path)
		}
	}
	slices.SortFunc(files, func(a, b file) int { return a.used.Compare(b.used) })
	for _, f := range files {
		if total <= maxCacheBytes {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}

// loading returns what is done while a field of a mesh of the file is built: the cache, and notes on the bar. A file
// of several shapes has several fields.
func loading(file string, triangles int, bar *progress.Bar) *mesh.Loading {
	cache := userMeshCache()
	return &mesh.Loading{
		Load: cache.load,
		Save: func(key string, data []byte) {
			bar.Note("")
			cache.save(key, data)
		},
		Progress: func(share float64) {
			bar.Note(fmt.Sprintf("distance field of %s, %d triangles, %.0f %%", filepath.Base(file), triangles, 100*share))
		},
	}
}
