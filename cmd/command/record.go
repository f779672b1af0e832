package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/props/recorded"
)

func (p *program) recordCommand() *cobra.Command {
	var python, jax string
	cmd := &cobra.Command{
		Use:   "record --python DIR",
		Short: "Write the Python file that records a training run",
		Long: `Write thm_record.py into a directory. It records training runs of PyTorch 1.13 or newer,
and needs NumPy. Two lines in your training loop make it write a folder for thm certify
and thm observe. --jax writes an example for JAX and NumPy. thm schema thm.recording/v1
prints the format.`,
		Example: "  thm record --python .\n  thm record --jax .\n  thm schema thm.recording/v1",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			if python == "" && jax == "" {
				return errors.New("say where to write the recorder: --python DIR, or --jax DIR")
			}
			for _, f := range []struct{ dir, name, text string }{{python, "thm_record.py", recorded.Python},
				{jax, "thm_record_jax.py", recorded.JAX}} {
				if f.dir == "" {
					continue
				}
				if err := os.MkdirAll(f.dir, 0o777); err != nil {
					return err
				}
				path := filepath.Join(f.dir, f.name)
				if err := atomicfile.Write(path, []byte(f.text)); err != nil {
					return err
				}
				if err := p.Print(fmt.Sprintf("wrote %s\n", path)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&python, "python", "", "directory for thm_record.py")
	cmd.Flags().StringVar(&jax, "jax", "", "directory for thm_record_jax.py")
	for _, name := range []string{"python", "jax"} {
		_ = cmd.MarkFlagDirname(name)
	}
	return cmd
}
