package console

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// ProgressLine is one line of progress for a program.
type ProgressLine struct {
	Schema  string          `json:"schema"` // thm.progress/v1
	Event   string          `json:"event"`  // begin, stage, claim, note
	Elapsed float64         `json:"elapsed"`
	Done    int             `json:"done"` // claims
	Claims  int             `json:"claims"`
	Left    *float64        `json:"left,omitempty"` // seconds, estimated
	Claim   string          `json:"claim,omitempty"`
	Stage   string          `json:"stage,omitempty"`
	Verdict results.Verdict `json:"verdict,omitempty"`
	Cases   *results.Count  `json:"cases,omitempty"`
	Text    string          `json:"text,omitempty"`
}

// lines writes progress as a JSON document on each line.
type lines struct {
	mu       sync.Mutex
	out      io.Writer
	progress progress
}

func (l *lines) write(line ProgressLine) {
	now := time.Now()
	line.Schema, line.Elapsed = "thm.progress/v1", now.Sub(l.progress.began).Seconds()
	line.Done, line.Claims = l.progress.finished, len(l.progress.claims)
	if left, known := l.progress.left(now); known {
		seconds := left.Seconds()
		line.Left = &seconds
	}
	if b, err := json.Marshal(line); err == nil {
		_, _ = l.out.Write(append(b, '\n'))
	}
}

// Begin writes the options of the run.
func (l *lines) Begin(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(ProgressLine{Event: "begin", Text: text})
}

// Event writes a stage that begins and a claim that is done.
func (l *lines) Event(e props.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress.update(e, time.Now())
	switch {
	case e.Finished != nil:
		line := ProgressLine{Event: "claim", Claim: e.Claim, Verdict: e.Finished.Verdict, Cases: &e.Finished.Cases}
		if l.progress.part && line.Verdict == results.Incomplete {
			line.Verdict = ""
		}
		l.write(line)
	case e.Stage != "":
		l.write(ProgressLine{Event: "stage", Claim: e.Claim, Stage: e.Stage})
	}
}

// Note writes a note.
func (l *lines) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(ProgressLine{Event: "note", Text: text})
}

// Close does nothing.
func (l *lines) Close() {}
