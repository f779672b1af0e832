package conformance

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/dlblas"
	"github.com/thm-suite/thm/internal/terminal"
)

// Listing is thm kernels --list as JSON.
type Listing struct {
	Schema    string          `json:"schema"`
	Override  string          `json:"override"` // the environment variable
	Kernels   []listedKernel  `json:"kernels"`
	Libraries []listedLibrary `json:"libraries"`
}

type listedKernel struct {
	Name      string `json:"name"`
	Needs     string `json:"needs"`
	Tile      string `json:"tile"`
	Available bool   `json:"available"`
	Chosen    bool   `json:"chosen"`
	Reason    string `json:"reason"`
}

type listedLibrary struct {
	Name      string   `json:"name"`
	Found     bool     `json:"found"`
	File      string   `json:"file,omitempty"`
	Config    string   `json:"config,omitempty"`
	Settings  []string `json:"settings,omitempty"` // of the environment that it reads
	Offers    string   `json:"offers,omitempty"`
	Delegated []string `json:"delegated,omitempty"` // routines that are gonum's
	Variable  string   `json:"variable"`            // names another file
	Tried     []string `json:"tried"`
	Reason    string   `json:"reason,omitempty"`
}

// List says which kernels and libraries there are.
func List() Listing {
	l := Listing{Schema: "thm.kernels.list/v1", Override: blas.EnvKernel}
	for _, k := range blas.Kernels() {
		l.Kernels = append(l.Kernels, listedKernel{"thm-" + k.Name, k.Needs, fmt.Sprintf("%d×%d", k.Rows, k.Cols),
			k.Available, k.Chosen, k.Reason})
	}
	for _, c := range dlblas.Candidates() {
		e := listedLibrary{Name: c.Name, Variable: dlblas.Variable(c.Name), Tried: c.Tried, Settings: settings(c.Name)}
		if c.Library != nil {
			e.Found, e.File, e.Config, e.Delegated = true, c.Library.File, c.Library.Config(), c.Library.Delegated()
			e.Offers = "BLAS"
			if c.Library.HasLAPACK() {
				e.Offers = "BLAS, LAPACK"
			}
		} else {
			e.Reason = c.Err.Error()
		}
		l.Libraries = append(l.Libraries, e)
	}
	return l
}

// settings returns the environment variables that are named after a library.
func settings(library string) []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return !strings.HasPrefix(entry,
			strings.ToUpper(library)+"_")
	})
}

// ListText returns the listing as text.
func ListText(l Listing, s terminal.Style) string {
	t := terminal.NewTable("kernel", "needs", "#tile", "", "why")
	for _, k := range l.Kernels {
		state := terminal.Text("can run")
		switch {
		case k.Chosen:
			state = terminal.Painted("in use", terminal.Green)
		case !k.Available:
			state = terminal.Painted("cannot run", terminal.Faint)
		}
		t.Add(terminal.Text(k.Name), terminal.Text(k.Needs), terminal.Text(k.Tile), state, terminal.Text(k.Reason))
	}
	out := t.Render(s) + fmt.Sprintf("The variable %s or the flag --kernel chooses another: portable, avx2 or avx512 "+
		"(amd64), neon (arm64). Results do not depend on it.\n", l.Override)
	out += "\n" + s.Paint(terminal.Bold, "gonum") + "  built in\n"
	for _, e := range l.Libraries {
		out += "\n" + s.Paint(terminal.Bold, e.Name)
		if !e.Found {
			out += fmt.Sprintf("  not found: %s\n  tried %s\n", e.Reason, strings.Join(e.Tried, ", "))
		} else {
			out += fmt.Sprintf("  %s (%s)\n", e.File, e.Offers)
			for _, line := range slices.DeleteFunc([]string{e.Config, settingsText(e.Settings),
				delegatedText(e.Delegated)},
				func(s string) bool { return s == "" }) {
				out += "  " + line + "\n"
			}
		}
		out += fmt.Sprintf("  %s names another file\n", e.Variable)
	}
	return out
}

func settingsText(settings []string) string {
	if len(settings) == 0 {
		return ""
	}
	return "the environment sets " + strings.Join(settings, " ")
}

func delegatedText(routines []string) string {
	if len(routines) == 0 {
		return ""
	}
	return "gonum's, because the library has none: " + strings.Join(routines, ", ")
}
