package blaskit

import (
	"fmt"
	"go/format"
	"go/token"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// reproducer is a program that makes one call and says what is wrong with the result: in C for a library, which it
// loads, and in Go for a kernel with a method.
type reproducer struct {
	kernel kernel.Kernel
	check  string
	*problem
	alone bool // the call and nothing else: it does not return
}

// largestProgram is the size up to which numbers are written out. Of larger operands the numbers do not matter: they
// are for checks that compare two calls.
const largestProgram = 12000

// repeating are the properties that compare calls, and unfit those that one call does not show.
var (
	repeating = []string{"determinism", "threads"}
	unfit     = []string{"concurrency", "bad arguments", "partition"}
	exactly   = []string{"exact arithmetic", "alpha zero", "agreement with gemm"}
)

// String is the program, or nothing where one call does not show the failure.
func (p reproducer) String() string {
	_, property, _ := strings.Cut(p.check, "/")
	size := 0
	for _, o := range p.operands {
		size += o.before.Len()
	}
	repeats := slices.Contains(repeating, property)
	if p.alone && p.kernel.C != nil {
		return p.inC("")
	}
	if slices.Contains(unfit, property) || size > largestProgram && !repeats {
		return ""
	}
	if p.kernel.C == nil {
		if repeats {
			return ""
		}
		return p.inGo()
	}
	return p.inC(property)
}

// expectation is the value that an entry must have, within slack.
type expectation struct {
	at          int // in the memory of its operand
	want, slack float64
}

// expected are the entries of an output, by its definition and the worst case of rounding. A solution has the rounding
// of its residual times ‖A⁻¹‖, at most n for the triangles that are drawn, and the reference as much again.
func (p *problem) expected(out *output, exact bool) (list []expectation) {
	r := p.begin()
	r.args.Results = []float64{0}
	plain, largest := r.plain(out), 0.0
	for _, v := range plain {
		if math.Abs(v) > largest {
			largest = math.Abs(v)
		}
	}
	out.each(func(i, j int) {
		e := expectation{want: plain[[2]int{i, j}]}
		if out.to != nil {
			e.at = out.to.offset + out.to.at(i, j)
		}
		_, want, size, products := r.sides(out, i, j)
		switch n := max(p.args.M, p.args.N); {
		case exact || out.copies:
		case out.solve:
			e.slack = 8 * float64(n) * p.args.Precision.Gamma(n+4) * largest
		case class(e.want) == "finite" && !out.root:
			e.want, e.slack = want.Float64(), p.args.Precision.Gamma(products+4)*size
		case out.root:
			e.slack = p.args.Precision.Gamma(products+4) * e.want
		}
		list = append(list, e)
	})
	return list
}

const preambleC = `#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

%sstruct entry { int at; double want, slack; };
int wrong;

void fill(real *x, int n) {
  unsigned s = 1;
  for (int i = 0; i < n; i++) s = s * 1664525u + 1013904223u, x[i] = s / 2147483648.0 - 1;
}

void entry(const char *name, int at, double got, double want, double slack) {
  if (isnan(want) ? isnan(got) : isinf(want) ? got == want : fabs(got - want) <= slack) return;
  printf("%%s[%%d] = %%.17g, want %%.17g within %%.3g\n", name, at, got, want, slack), wrong = 1;
}

// Apart from the entries of the result, which are left out, nothing may change, bit by bit.
void same(const char *name, const real *before, const real *after, int n, const struct entry *e, int m) {
  for (int i = 0; i < n; i++) {
    int result = 0;
    for (int k = 0; k < m; k++) result |= e[k].at == i;
    if (!result && memcmp(before + i, after + i, sizeof *after))
      printf("%%s[%%d] = %%.17g, was %%.17g and is no result\n", name, i, after[i], before[i]), wrong = 1;
  }
}
`

func (p reproducer) inC(property string) string {
	symbol, arrangement := p.kernel.C(p.Method(p.kernel))
	if symbol == "" {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s of %s: %s\n// cc reproducer.c -ldl -lm && ./a.out LIBRARY\n", p.check, p.kernel.Name, p.problem)
	fmt.Fprintf(&b, preambleC, kit.Reals(p.args.Precision))
	exact, repeats := slices.Contains(exactly, property), slices.Contains(repeating, property)
	written := map[*operand][]expectation{}
	for i := range p.outputs {
		if to := p.outputs[i].to; to != nil && !repeats && !p.alone {
			written[to] = p.expected(&p.outputs[i], exact)
		}
	}
	for _, o := range p.operands {
		fmt.Fprintf(&b, "\nstatic real %s_before[%d], %s[%d]", o.name, o.before.Len(), o.name, o.before.Len())
		if !p.filled(o, repeats) {
			fmt.Fprintf(&b, " = {%s}", literals(o.before, literalC))
		}
		b.WriteString(";\n")
		entries := list.Map(written[o], func(e expectation) string {
			return fmt.Sprintf("{%d, %s, %s}", e.at, literalC(e.want), literalC(e.slack))
		})
		if len(entries) > 0 {
			fmt.Fprintf(&b, "static const struct entry %s_entries[] = {%s};\n", o.name, strings.Join(entries, ", "))
		}
	}
	types, values := p.inOrder(arrangement)
	result := "void"
	if p.Out == 0 {
		result = "real"
	}
	b.WriteString("\n" + kit.Main("", p.kernel.File, result+" (*call)("+strings.Join(types, ", ")+")", symbol) +
		p.locals(arrangement))
	for _, o := range p.operands {
		if p.filled(o, repeats) {
			fmt.Fprintf(&b, "  fill(%s, %d);\n", o.name, o.before.Len())
		}
		fmt.Fprintf(&b, "  memcpy(%s_before, %s, sizeof %s);\n", o.name, o.name, o.name)
	}
	call := "call(" + strings.Join(values, ", ") + ");\n"
	switch {
	case repeats:
		p.repeatsC(&b, call)
	case p.alone:
		b.WriteString("  puts(\"called\"), fflush(stdout);\n  " + call + "  puts(\"it returns\");\n")
	case p.Out == 0:
		e := p.expected(&p.outputs[0], exact)[0]
		fmt.Fprintf(&b, "  entry(\"result\", 0, %s  , %s, %s);\n", strings.TrimSuffix(call, ";\n"), literalC(e.want),
			literalC(e.slack))
	default:
		b.WriteString("  " + call)
	}
	for _, o := range p.operands {
		if n := len(written[o]); n > 0 {
			fmt.Fprintf(&b, "  for (int i = 0; i < %d; i++)\n    entry(\"%s\", %s_entries[i].at, %s[%s_entries[i].at], "+
				"%s_entries[i].want, %s_entries[i].slack);\n  same(\"%s\", %s_before, %s, %d, %s_entries, %d);\n", n, o.name,
				o.name, o.name, o.name, o.name, o.name, o.name, o.name, o.name, o.before.Len(), o.name, n)
		} else if !o.written && !p.alone {
			fmt.Fprintf(&b, "  same(\"%s\", %s_before, %s, %d, 0, 0);\n", o.name, o.name, o.name, o.before.Len())
		}
	}
	b.WriteString("  puts(wrong ? \"wrong\" : \"right\");\n  return wrong;\n}\n")
	return b.String()
}

// filled reports whether an operand gets other numbers than those of the instance: which ones makes no difference.
func (p reproducer) filled(o *operand, repeats bool) bool {
	return repeats || o.before.Len() > largestProgram
}

// rotationProgram calls rotg or rotmg with numbers, and tests the equations of a rotation on what it returns.
type rotationProgram struct {
	kernel  kernel.Kernel
	routine *Routine
	numbers []float64
}

func (p rotationProgram) String() string {
	if p.kernel.C == nil {
		return ""
	}
	symbol, _ := p.kernel.C(p.routine.Method(p.kernel))
	precision := kit.PrecisionOf(p.kernel)
	call := `real a = x[0], b = x[1], c, s;
  ((void (*)(real *, real *, real *, real *))call)(&a, &b, &c, &s);
  printf("c, s, r, z = %.17g %.17g %.17g %.17g\n", c, s, a, b);
  double C = c, S = s, zero[][3] = {{C * C, S * S, -1}, {C * x[0], S * x[1], -a}, {C * x[1], -S * x[0]}};`
	if p.routine == rotmg {
		call = `real d1 = x[0], d2 = x[1], b = x[2], h[5];
  ((void (*)(real *, real *, real *, real, real *))call)(&d1, &d2, &b, x[3], h);
  if (h[0] == -2) h[1] = h[4] = 1, h[2] = h[3] = 0;
  if (h[0] == 0) h[1] = h[4] = 1;
  if (h[0] == 1) h[2] = -1, h[3] = 1;
  printf("flag, H = %g, %.17g %.17g %.17g %.17g\n", h[0], h[1], h[2], h[3], h[4]);
  double p = h[1], q = h[2], r = h[3], s = h[4];
  double zero[][3] = {{q * x[2], s * x[3]}, {p * x[2], r * x[3], -b}, {p * p * d1, q * q * d2, -x[0]},
                      {r * r * d1, s * s * d2, -x[1]}, {p * r * d1, q * s * d2}};`
	}
	return fmt.Sprintf(`// %s of %s
// cc reproducer.c -ldl -lm && ./a.out LIBRARY
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

%s
%s  real x[] = {%s};
  %s
  int wrong = 0;
  for (unsigned i = 0; i < sizeof zero / sizeof *zero; i++) {
    double *z = zero[i], sum = z[0] + z[1] + z[2], size = fabs(z[0]) + fabs(z[1]) + fabs(z[2]);
    if (!(fabs(sum) <= %.3g * size)) printf("equation %%u is off by %%.3g\n", i + 1, sum), wrong = 1;
  }
  puts(wrong ? "wrong" : "right");
  return wrong;
}
`, p.routine.Name, p.kernel.Name, kit.Reals(precision), kit.Main("", p.kernel.File, "void *call", symbol),
		literals(Memory(p.numbers), literalC), call, precision.Gamma(20))
}

// repeatsC makes the call on different numbers of threads, where the library lets them be set, and compares the bits.
func (p reproducer) repeatsC(b *strings.Builder, call string) {
	threads, _ := p.kernel.C("threads")
	out := string(p.Out)
	if p.Out == 0 {
		out, call = "result", "result[0] = "+call
		b.WriteString("  real result[1], result_before[1] = {0};\n")
	}
	fmt.Fprintf(b, "  void (*threads)(int) = dlsym(library, \"%s\");\n  real first[sizeof %s / sizeof *%s];\n"+
		"  for (int n = 1; n < 4; n++) {\n    if (threads) threads(n);\n    memcpy(%s, %s_before, sizeof %s);\n    %s"+
		"    if (n == 1) memcpy(first, %s, sizeof first);\n    if (memcmp(first, %s, sizeof first))\n"+
		"      printf(\"other bits in call %%d, on as many threads\\n\", n), wrong = 1;\n  }\n",
		threads, out, out, out, out, out, call, out, out)
}

// numbersC are the numbers of cblas for the options of gonum.
var numbersC = map[string]map[byte]int{"tA": {'N': 111, 'T': 112, 'C': 113}, "tB": {'N': 111, 'T': 112, 'C': 113},
	"uplo": {'U': 121, 'L': 122}, "diag": {'N': 131, 'U': 132}, "side": {'L': 141, 'R': 142}}

// fortranNames are the arguments that an arrangement of Fortran's calls by another name, and opposites the options that
// a prime stands for.
var (
	fortranNames = map[string]string{"ul": "uplo", "d": "diag", "c": "alpha", "s": "beta"}
	opposites    = map[byte]byte{'N': 'T', 'T': 'N', 'C': 'N', 'U': 'L', 'L': 'U', 'R': 'L'}
)

// arranged are the names of the arguments as Fortran has them, with a prime after options that are exchanged.
func (p reproducer) arranged(arrangement string) (names []string) {
	for name := range strings.FieldsSeq(arrangement) {
		bare, prime, _ := strings.Cut(name, "'")
		if other := fortranNames[bare]; other != "" && !(bare == "c" && p.Takes("ldc")) {
			bare = other
		}
		if strings.HasSuffix(name, "'") {
			bare += "'" + prime
		}
		names = append(names, bare)
	}
	return names
}

// inOrder are the types and values of the arguments of a function of C, or of Fortran's, which takes addresses.
func (p reproducer) inOrder(arrangement string) (types, values []string) {
	if arrangement != "" {
		lengths := 0
		for _, name := range p.arranged(arrangement) {
			bare := strings.TrimSuffix(name, "'")
			_, option := numbersC[bare]
			switch {
			case option:
				types, values, lengths = append(types, "const char *"), append(values, "&"+bare), lengths+1
			case p.slotOf(bare) != nil:
				types, values = append(types, "real *"), append(values, p.address(bare))
			case bare == "alpha" || bare == "beta":
				types, values = append(types, "const real *"), append(values, "&"+bare)
			default:
				types, values = append(types, "const int *"), append(values, "&"+bare)
			}
		}
		for range lengths {
			types, values = append(types, "size_t"), append(values, "1")
		}
		return types, values
	}
	if p.Takes("uplo") || p.Takes("tA") || p.Takes("side") || p.Name == "ger" {
		types, values = []string{"int"}, []string{"101"}
	}
	for name := range strings.FieldsSeq(p.Signature) {
		t, v := "int", ""
		switch x := p.args.field(name).Interface().(type) {
		case blas.Transpose, blas.Uplo, blas.Diag, blas.Side:
			v = fmt.Sprint(numbersC[name][byte(reflect.ValueOf(x).Uint())])
		case float64:
			t, v = "real", literalC(x)
		case blas.DrotmParams:
			t, v = "const real *", "param"
		case int:
			v = fmt.Sprint(x)
		default:
			t, v = "real *", p.address(name)
		}
		types, values = append(types, t), append(values, v)
	}
	return types, values
}

// locals declares what is passed by its address.
func (p reproducer) locals(arrangement string) string {
	var b strings.Builder
	if p.Takes("param") {
		h := p.args.Param
		fmt.Fprintf(&b, "  const real param[] = {%d, %s, %s, %s, %s};\n", h.Flag, literalC(h.H[0]), literalC(h.H[1]),
			literalC(h.H[2]), literalC(h.H[3]))
	}
	for _, name := range p.arranged(arrangement) {
		bare, prime := strings.CutSuffix(name, "'")
		switch x := p.args.field(bare).Interface().(type) {
		case blas.Transpose, blas.Uplo, blas.Diag, blas.Side:
			letter := byte(reflect.ValueOf(x).Uint())
			if prime {
				letter = opposites[letter]
			}
			fmt.Fprintf(&b, "  char %s = '%c';\n", bare, letter)
		case float64:
			fmt.Fprintf(&b, "  real %s = %s;\n", bare, literalC(x))
		case int:
			fmt.Fprintf(&b, "  int %s = %d;\n", bare, x)
		}
	}
	return b.String()
}

// address returns the place at which an operand begins. The second of two that share their memory is the first.
func (p reproducer) address(name string) string {
	o := p.slotOf(name)
	if p.shared && o == p.operands[1] {
		o = p.operands[0]
	}
	return fmt.Sprintf("%s + %d", o.name, o.offset)
}

func literalC(x float64) string {
	switch class(x) {
	case "NaN":
		return "NAN"
	case "+Inf":
		return "INFINITY"
	case "-Inf":
		return "-INFINITY"
	}
	return fmt.Sprintf("%.17g", x)
}

func literals(c Cells, literal func(float64) string) string {
	return strings.Join(list.Fill(c.Len(), func(i int) string { return literal(c.At(i)) }), ", ")
}

// inGo is the call of a method of a kernel's type.
func (p reproducer) inGo() string {
	b := any(p.kernel.BLAS)
	number := "float64"
	if p.args.Precision == roundoff.Single {
		b, number = p.kernel.BLAS32, "float32"
	}
	t := reflect.TypeOf(b)
	if _, interposed := b.(Interposed); interposed || t.Kind() != reflect.Struct || t.PkgPath() == "" {
		return ""
	}
	literal := func(x float64) string {
		if class(x) == "finite" {
			return fmt.Sprintf("%.17g", x)
		}
		return map[string]string{"NaN": "nan", "+Inf": "inf", "-Inf": "-inf"}[class(x)]
	}
	var s strings.Builder
	name := p.opening(&s, t)
	fmt.Fprintf(&s, "\tnan, inf := %s(math.NaN()), %s(math.Inf(1))\n\t_, _, _ = nan, inf, gblas.NoTrans\n", number, number)
	for _, o := range p.operands {
		fmt.Fprintf(&s, "\t%s := []%s{%s}\n", o.name, number, inLines(literals(o.slice(o.before), literal)))
	}
	var values []string
	for name := range strings.FieldsSeq(p.Signature) {
		v := p.args.field(name)
		switch x := v.Interface().(type) {
		case blas.Transpose, blas.Uplo, blas.Diag, blas.Side:
			values = append(values, fmt.Sprintf("'%c'", v.Uint()))
		case blas.DrotmParams:
			values = append(values, fmt.Sprintf("gblas.%crotmParams{Flag: %d, H: [4]%s{%s}}", p.Method(p.kernel)[0], x.Flag,
				number, literals(Memory(x.H[:]), literal)))
		case float64:
			values = append(values, literal(x))
		case int:
			values = append(values, fmt.Sprint(x))
		default:
			values = append(values, strings.Fields(p.address(name))[0])
		}
	}
	call := fmt.Sprintf("%s{}.%s(%s)", name, p.Method(p.kernel), strings.Join(values, ", "))
	if p.Out == 0 {
		call = "fmt.Println(" + call + ")"
	}
	fmt.Fprintf(&s, "\t%s\n", call)
	for i := range p.outputs {
		if to := p.outputs[i].to; to != nil {
			fmt.Fprintf(&s, "\tfmt.Println(%q, %s)\n", to.name, to.name)
		}
		for _, e := range p.expected(&p.outputs[i], false) {
			at := e.at
			if to := p.outputs[i].to; to != nil {
				at -= to.offset
			}
			fmt.Fprintf(&s, "\t// want at %d: %v, within %.3g\n", at, e.want, e.slack)
		}
	}
	s.WriteString("}\n")
	return string(must.Get(format.Source([]byte(s.String()))))
}

// opening writes a program in Go up to the body of its function, and returns the name of the kernel's type there. A
// test in its own package calls a type that nothing can import, such as one in lower case.
func (p reproducer) opening(s *strings.Builder, t reflect.Type) (name string) {
	const imports = "\"fmt\"\n\t\"math\"\n"
	path, title := t.PkgPath(), fmt.Sprintf("// %s of %s: %s\n", p.check, p.kernel.Name, p.problem)
	if token.IsExported(t.Name()) && path != "main" && !strings.HasSuffix(path, "_test") {
		fmt.Fprintf(s, "//go:build ignore\n\n%s\npackage main\n\nimport (\n\t%s\n\tgblas \"gonum.org/v1/gonum/blas\"\n"+
			"\n\tkernel %q\n)\n\nfunc main() {\n", title, imports, path)
		return "kernel." + t.Name()
	}
	pkg, _, _ := strings.Cut(t.String(), ".")
	fmt.Fprintf(s, "%s//\n// Save it as reproducer_test.go beside the kernel, and run: go test -v -run TestReproducer\n\n"+
		"package %s\n\nimport (\n\t%s\t\"testing\"\n\n\tgblas \"gonum.org/v1/gonum/blas\"\n)\n\n"+
		"func TestReproducer(*testing.T) {\n", title, pkg, imports)
	return t.Name()
}

// inLines breaks a list of more than four numbers into lines.
func inLines(list string) string {
	numbers := strings.Split(list, ", ")
	if len(numbers) <= 4 {
		return list
	}
	var b strings.Builder
	for four := range slices.Chunk(numbers, 4) {
		b.WriteString("\n" + strings.Join(four, ", ") + ",")
	}
	return b.String() + "\n"
}
