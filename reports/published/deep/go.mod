// A module of its own, so that the archive of the module above, which everybody downloads, leaves this folder out.
module github.com/thm-suite/thm/reports/published/deep

go 1.26.0
