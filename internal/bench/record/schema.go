package record

import (
	"embed"
	"strings"
)

//go:embed *.schema.json
var schemaFiles embed.FS

// SchemaNames lists the documents that thm bench writes and that have a JSON Schema (draft 2020-12).
//
//	thm.bench.compare/v2  what compare, gate and diff print and report as json
//	thm.bench.track/v2    what track --json prints
//	thm.bench.record/v1   manifest.json of a run on record
//	thm.peers/v1          what peers --json writes
//	thm.record/v1         reports/published/kernels.json
//	thm.vclspeed/v3       reports/published/vcl.json
//
// Three more names appear at the beginning of files that consist of lines and are not JSON documents: thm.bench/v1
// (package measure), and thm.study.null/v1 and thm.study.power/v1 (package study).
var SchemaNames = []string{
	"thm.bench.compare/v2", "thm.bench.track/v2", "thm.bench.record/v1", "thm.peers/v1", "thm.record/v1",
	"thm.vclspeed/v3",
	// add here
}

// SchemaOf returns the schema of a document by its name; nothing if it has none.
func SchemaOf(name string) []byte {
	text, err := schemaFiles.ReadFile(schemaFile(name))
	if err != nil {
		return nil
	}
	return text
}

// schemaFile is where the schema of a document lies.
func schemaFile(name string) string { return strings.ReplaceAll(name, "/", "-") + ".schema.json" }
