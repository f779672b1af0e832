package counter

import (
	"slices"
	"strconv"
	"strings"
)

// features are the instructions by which code chooses its version, as bits of the words that [Lacking] reads: ecx of
// leaf 1, and ebx, ecx and edx of leaf 7 of CPUID. Names are as in /proc/cpuinfo.
var features = []struct {
	word, bit int
	name      string
}{
	{0, 0, "sse3"}, {0, 1, "pclmulqdq"}, {0, 9, "ssse3"}, {0, 12, "fma"}, {0, 19, "sse4_1"}, {0, 20, "sse4_2"},
	{0, 22, "movbe"}, {0, 23, "popcnt"}, {0, 25, "aes"}, {0, 28, "avx"}, {0, 29, "f16c"}, {0, 30, "rdrand"},
	{1, 3, "bmi1"}, {1, 5, "avx2"}, {1, 8, "bmi2"}, {1, 9, "erms"}, {1, 16, "avx512f"}, {1, 17, "avx512dq"},
	{1, 18, "rdseed"}, {1, 19, "adx"}, {1, 21, "avx512ifma"}, {1, 28, "avx512cd"}, {1, 29, "sha_ni"}, {1, 30, "avx512bw"},
	{1, 31, "avx512vl"},
	{2, 1, "avx512vbmi"}, {2, 6, "avx512_vbmi2"}, {2, 8, "gfni"}, {2, 9, "vaes"}, {2, 10, "vpclmulqdq"},
	{2, 11, "avx512_vnni"}, {2, 12, "avx512_bitalg"}, {2, 14, "avx512_vpopcntdq"},
	{3, 4, "fsrm"}, {3, 23, "avx512_fp16"},
	// add here
}

// Lacking names the features of a native processor that an emulated one lacks. What is not known lacks nothing.
func Lacking(native, emulated string) (names []string) {
	a, b := words(native), words(emulated)
	if len(a) != 4 || len(b) != 4 {
		return nil
	}
	for _, f := range features {
		if a[f.word]&^b[f.word]>>f.bit&1 == 1 {
			names = append(names, f.name)
		}
	}
	return slices.Clip(names)
}

func words(text string) (all []uint64) {
	for _, word := range strings.Fields(text) {
		x, err := strconv.ParseUint(word, 16, 32)
		if err != nil {
			return nil
		}
		all = append(all, x)
	}
	return all
}
