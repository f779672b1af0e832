package kit

import (
	"fmt"

	"github.com/thm-suite/thm/internal/roundoff"
)

// Reals defines real in C, the numbers of a precision.
func Reals(p roundoff.Precision) string {
	return fmt.Sprintf("typedef %s real;\n", map[bool]string{true: "float", false: "double"}[p == roundoff.Single])
}

// Main begins the main function of a program in C: the library that it is told, or that in the file, and a routine of
// it, as what call is declared.
func Main(before, file, declaration, symbol string) string {
	return fmt.Sprintf(`int main(int argc, char **argv) {
%s  void *library = dlopen(argc > 1 ? argv[1] : "%s", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  %s = dlsym(library, "%s");
  if (!call) return puts("no %s in the library"), 2;
`, before, file, declaration, symbol, symbol)
}
