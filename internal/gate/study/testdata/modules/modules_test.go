package modules

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"golang.org/x/text/unicode/norm"
)

// plant calls work once for each iteration, and once more as often as THM_STUDY_PLANT asks: 0.02 is every fiftieth time.
func plant(b *testing.B, work func()) {
	share, _ := strconv.ParseFloat(os.Getenv("THM_STUDY_PLANT"), 64)
	work()
	b.ResetTimer()
	for i := range b.N {
		work()
		if int(share*float64(i+1)+1e-9) > int(share*float64(i)+1e-9) {
			work()
		}
	}
}

func BenchmarkPlant(b *testing.B) {
	text := []byte(strings.Repeat("Zusammenhängende Wörter, a\u0308 e\u0301 und ｆｕｌｌ width; ", 60))
	b.Run("x-text", func(b *testing.B) {
		var out []byte
		plant(b, func() { out = norm.NFC.Append(out[:0], text...) })
	})
	b.Run("klauspost", func(b *testing.B) {
		w, err := flate.NewWriter(io.Discard, 5)
		if err != nil {
			b.Fatal(err)
		}
		page := bytes.Repeat(text, 3)
		plant(b, func() {
			w.Reset(io.Discard)
			if _, err := w.Write(page); err != nil {
				b.Fatal(err)
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	})
}
