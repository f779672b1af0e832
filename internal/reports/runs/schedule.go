package runs

import (
	"embed"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/thm-suite/thm/internal/list"
)

// Schedule is a run in several parts, which common schedulers do: a Slurm array, a Kubernetes Indexed Job, a CI matrix.
// Its texts are for people to read and change.
type Schedule struct {
	Command string   // that made the text
	Program string   // how a job calls thm
	Args    []string // of thm check: patterns, effort and seed
	Shards  int
	Claims  int
	Seconds float64 // of processor time, all parts together
	Longest float64 // of the part that has most to do
	Out     string  // directory of the parts and of the report
	Image   string  // of a container that has thm
}

// Forms lists the schedulers.
var Forms = []string{"slurm", "kubernetes", "github", "gitlab"}

//go:embed *.tmpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"quote": Quote, "join": path.Join, "numbers": numbers,
}).ParseFS(files, "*.tmpl"))

// Text returns the run as a text for a scheduler.
func (r Schedule) Text(form string) (string, error) {
	var b strings.Builder
	err := templates.ExecuteTemplate(&b, form+".tmpl", r)
	return b.String(), err
}

// Check returns the command line of thm check without the part, for a shell.
func (r Schedule) Check() string { return Quote(append([]string{r.Program, "check"}, r.Args...)...) }

// Words returns the words of the command line, as YAML has them.
func (r Schedule) Words() []string {
	return list.Map(slices.Concat([]string{r.Program, "check"}, r.Args, []string{"--quiet", "--jobs=1"}), strconv.Quote)
}

// Parts returns the directories of an indexed job, which counts from 0.
func (r Schedule) Parts() []string { return r.dirs("shard", r.Shards) }

func (r Schedule) dirs(name string, n int) []string {
	return list.Fill(n, func(i int) string { return path.Join(r.Out, fmt.Sprint(name, i)) })
}

// Judges returns the number of parts of the merge. With 32 of them a single claim takes the longest, and more would not
// pay; of a run in few shards no merge is long.
func (r Schedule) Judges() int {
	if r.Shards < 8 {
		return 1
	}
	return max(1, min(r.Shards/2, 32, r.Claims))
}

// Judged returns the directories of the parts of the merge, for an indexed job.
func (r Schedule) Judged() []string { return r.dirs("judged", r.Judges()) }

// Minutes returns a limit on the time of a part: four times its expected time, plus a quarter of an hour.
func (r Schedule) Minutes() int { return 15 + int(math.Ceil(4*r.Longest/60)) }

// Clock writes the limit as Slurm reads it.
func (r Schedule) Clock() string { return fmt.Sprintf("%d:%02d:00", r.Minutes()/60, r.Minutes()%60) }

// Each returns in words the time that the parts are expected to need on one core.
func (r Schedule) Each() string {
	return fmt.Sprintf("%.1f s (the longest %.1f s) on one core", r.Seconds/float64(r.Shards), r.Longest)
}

// numbers lists those from 1 on.
func numbers(n int) string {
	return strings.Join(list.Fill(n, func(i int) string { return fmt.Sprint(i + 1) }), ", ")
}

// Quote writes words for a shell.
func Quote(words ...string) string {
	return strings.Join(list.Map(words, func(w string) string {
		if w == "" || strings.ContainsFunc(w, func(r rune) bool { return !strings.ContainsRune(plain, r) }) {
			return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		return w
	}), " ")
}

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+"
