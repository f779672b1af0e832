package peers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"
)

// Peer is a process that computes the same as this module.
type Peer struct {
	Name    string // what it is called in results
	Version string // of the library
	Core    string // type of core that its OpenBLAS runs on, or -

	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
}

// maxEntries bounds what a reply may claim to hold: a matrix of 4096×4096.
const maxEntries = 1 << 24

// Start runs a command that speaks the protocol, in the given environment. Cancelling the context kills it.
func Start(ctx context.Context, environment []string, command string, args ...string) (*Peer, error) {
	p := &Peer{cmd: exec.CommandContext(ctx, command, args...), stderr: new(tail)}
	p.cmd.Env = environment
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = time.Second
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := p.line()
	if err == nil {
		var version int
		if n, _ := fmt.Sscanf(line, "thm-peer %d %s %s %s", &version, &p.Name, &p.Version, &p.Core); n != 4 || version != 1 {
			err = fmt.Errorf("it began with %q instead of the greeting of a peer", line)
		}
	}
	if err != nil {
		_ = p.cmd.Process.Kill()
		p.Close()
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	return p, nil
}

// Close ends the process and waits for it.
func (p *Peer) Close() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// Load sends an operand, a or b.
func (p *Peer) Load(name string, a *mat.Dense) error {
	rows, cols := a.Dims()
	message := bytes.NewBuffer(make([]byte, 0, 64+8*rows*cols))
	fmt.Fprintf(message, "load %s %d %d\n", name, rows, cols)
	for i := range rows {
		if err := binary.Write(message, binary.LittleEndian, a.RawRowView(i)); err != nil {
			return err
		}
	}
	if _, err := p.in.Write(message.Bytes()); err != nil {
		return p.lost(err)
	}
	return p.expect("ok")
}

// Run computes once and returns the results, vectors as matrices with one row.
func (p *Peer) Run(operation string) ([]*mat.Dense, error) {
	if _, err := fmt.Fprintf(p.in, "run %s\n", operation); err != nil {
		return nil, p.lost(err)
	}
	var count int
	if err := p.expect("arrays %d", &count); err != nil {
		return nil, err
	}
	if count < 1 || count > 8 {
		return nil, fmt.Errorf("peer %s: a result of %d arrays", p.Name, count)
	}
	out := make([]*mat.Dense, count)
	for i := range out {
		var rows, cols int
		if err := p.expect("%d %d", &rows, &cols); err != nil {
			return nil, err
		}
		if rows < 1 || cols < 1 || rows > maxEntries/cols {
			return nil, fmt.Errorf("peer %s: an array of shape %d×%d", p.Name, rows, cols)
		}
		data := make([]float64, rows*cols)
		if err := binary.Read(p.out, binary.LittleEndian, data); err != nil {
			return nil, p.lost(err)
		}
		out[i] = mat.NewDense(rows, cols, data)
	}
	return out, nil
}

// Time returns the seconds that repeats of the operation took, by the clock of the peer.
func (p *Peer) Time(operation string, repeats int) (float64, error) {
	if _, err := fmt.Fprintf(p.in, "time %s %d\n", operation, repeats); err != nil {
		return 0, p.lost(err)
	}
	var seconds float64
	if err := p.expect("seconds %g", &seconds); err != nil {
		return 0, err
	}
	if ok := seconds > 0 && !math.IsInf(seconds, 0); !ok {
		return 0, fmt.Errorf("peer %s: %d repeats of %s in %v s", p.Name, repeats, operation, seconds)
	}
	return seconds, nil
}

// expect reads a reply of the given form.
func (p *Peer) expect(format string, values ...any) error {
	line, err := p.line()
	if err != nil {
		return err
	}
	if text, failed := strings.CutPrefix(line, "error "); failed {
		return fmt.Errorf("peer %s: %s", p.Name, text)
	}
	if n, err := fmt.Sscanf(line, format, values...); err != nil || n != len(values) ||
		len(values) == 0 && line != format {
		return fmt.Errorf("peer %s: an answer of the form %q was expected, it said %q", p.Name, format, line)
	}
	return nil
}

// line reads a line of at most the size of the buffer.
func (p *Peer) line() (string, error) {
	line, err := p.out.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", fmt.Errorf("peer %s: an answer without end", p.Name)
	}
	if err != nil {
		return "", p.lost(err)
	}
	return strings.TrimRight(string(line), "\r\n"), nil
}

// lost says why a peer no longer answers, by the last that it wrote to stderr.
func (p *Peer) lost(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // all of stderr has been copied then
	}
	if said := p.stderr.last(); said != "" {
		return fmt.Errorf("the peer ended: %s", said)
	}
	return fmt.Errorf("the peer ended: %w", err)
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	if over := len(t.text) - 4096; over > 0 {
		t.text = t.text[over:]
	}
	return len(b), nil
}

// last is the last line that says something.
func (t *tail) last() string {
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
