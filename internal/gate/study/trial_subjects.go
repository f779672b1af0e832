package study

import (
	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/list"
)

// subject is a module of others into which changes are planted. One of its benchmarks calls the changed function; the
// others do not.
type subject struct {
	module, version string
	pkg             string // its directory in the module
	file            string // of the function
	function        string // the line that begins it
	form            string // a piece of what it runs
	another         string // the same in another form
	touched         string
	others          [2]string
	added           string // benchmarks that the package does not have, without the clause of the package
	stage           string // of the trial
}

// The stages of a trial: all plantings, by counts and time; further builds that do the same, by counts alone; and some
// plantings into the first modules, by time alone.
const (
	planted = ""
	nulls   = "nulls"
	byTime  = "time"
)

// at is a subject at a stage.
func at(stage string) func(subject) subject {
	return func(s subject) subject {
		s.stage = stage
		return s
	}
}

// stages are all subjects at a stage.
func stages(stage string) []subject {
	all := subjects
	if stage == byTime {
		all = all[:2]
	}
	return list.Map(all, at(stage))
}

func (s subject) plantings() []planting {
	switch s.stage {
	case nulls:
		return same
	case byTime:
		return timed
	}
	return plantings
}

// looks are the rounds up to each look, as benchgate diff has them.
func (s subject) looks() []int {
	first := firstLook
	if s.stage == byTime {
		first = timeLook
	}
	return diff.Schedule(first, 1, len(s.benchmarks()), compare.DefaultPolicy().Alpha, s.stage != byTime)
}

func (s subject) path() string {
	if s.pkg == "." {
		return s.module
	}
	return s.module + "/" + s.pkg
}

// benchmarks are all of them, that which the changes touch first.
func (s subject) benchmarks() []measure.Benchmark {
	return list.Map(append([]string{s.touched}, s.others[:]...), func(name string) measure.Benchmark {
		return measure.Benchmark{Package: s.path(), Name: name}
	})
}

var subjects = []subject{
	{
		module: "golang.org/x/text", version: "v0.44.0", pkg: "unicode/norm", file: "normalize.go",
		function: "func (f Form) Append(out []byte, src ...byte) []byte {",
		form:     "\t\tout = src.appendSlice(out, 0, p)\n\t\tif p == n {",
		another:  "\t\tif out = src.appendSlice(out, 0, p); p == n {",
		touched:  "AppendLargeNFC",
		others:   [2]string{"IterLargeNFC", "BytesChangeNFC"},
	},
	{
		module: "github.com/tidwall/gjson", version: "v1.20.2", pkg: ".", file: "gjson.go",
		function: "func Valid(json string) bool {",
		form:     "\t_, ok := validpayload(stringBytes(json), 0)\n\treturn ok",
		another:  "\tdata := stringBytes(json)\n\t_, valid := validpayload(data, 0)\n\treturn valid",
		touched:  "Valid",
		others:   [2]string{"ValidBytes", "TrialGet"},
		added: `import "testing"

func BenchmarkTrialGet(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Get(basicJSON, "loggy.programmers.1.email")
	}
}
`,
	},
	{
		module: "github.com/klauspost/compress", version: "v1.20.4", pkg: "huff0", file: "compress.go",
		function: "func Compress1X(in []byte, s *Scratch) (out []byte, reUsed bool, err error) {",
		form:     "\treturn compress(in, s, s.compress1X)",
		another:  "\tcompressor := s.compress1X\n\treturn compress(in, s, compressor)",
		touched:  "Compress1XReuseNone/gettysburg",
		others:   [2]string{"Compress4XReuseNone/gettysburg", "Decompress1XTable/gettysburg"},
	},
	{
		module: "github.com/valyala/fastjson", version: "v1.6.10", pkg: ".", file: "parser.go",
		function: "func (p *Parser) Parse(s string) (*Value, error) {",
		form:     "\ttail = skipWS(tail)\n\tif len(tail) > 0 {\n\t\treturn nil, fmt.Errorf(\"unexpected tail",
		another:  "\tif tail = skipWS(tail); len(tail) > 0 {\n\t\treturn nil, fmt.Errorf(\"unexpected tail",
		touched:  "Parse/medium/fastjson",
		others:   [2]string{"Validate/medium/fastjson", "ArenaTypicalUse"},
	},
	{
		module: "gonum.org/v1/gonum", version: "v0.17.0", pkg: "floats", file: "floats.go",
		function: "func Max(s []float64) float64 {", // outside of the loop, whose registers then stay as they are
		form:     "\tfor _, val := range s {\n\t\tlse += math.Exp(val - maxval)",
		another:  "\tfor i := range s {\n\t\tlse += math.Exp(s[i] - maxval)",
		touched:  "LogSumExpMed",
		others:   [2]string{"SumCompensatedMedium", "Norm2Medium"},
	},
	{
		module: "go.etcd.io/bbolt", version: "v1.5.0", pkg: "internal/freelist", file: "shared.go",
		function: "func (t *shared) release(txid common.Txid) {",
		form:     "\t\tif tid <= txid {\n\t\t\t// Move transaction's pending pages to the available freelist.",
		another:  "\t\tif !(tid > txid) {\n\t\t\t// Move transaction's pending pages to the available freelist.",
		touched:  "_FreelistRelease10K",
		others:   [2]string{"_freelist_hashmapGetFreePageIDs", "TrialHashMap"},
		added: `import (
	"testing"

	"go.etcd.io/bbolt/internal/common"
)

func BenchmarkTrialHashMap(b *testing.B) {
	f := NewHashMapFreelist()
	var ids common.Pgids
	for i := common.Pgid(2); i < 4000; i += 1 + i%3 {
		ids = append(ids, i)
	}
	for i := 0; i < b.N; i++ {
		f.Init(ids)
	}
}
`,
	},
	// add here
}
