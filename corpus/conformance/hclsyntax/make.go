// Asks hashicorp/hcl about the inputs of its own tables of tests, and writes the answers to `cases.jsonl`: one case a line.
//
// The inputs are taken from the tables while they run: this program adds a call to each loop over a table, and runs the tests
// with the changed files and with `recorder/`, which answers with what the packages make of the input. hashicorp/hcl is
// licensed under the MPL-2.0.
//
//	apt-get install golang-go golang-github-hashicorp-hcl-v2-dev
//	GO111MODULE=off GOPATH=/usr/share/gocode go run make.go
//
// A case has the name of its `test`, the `input`, and what it is read `as`:
//
//   - `file`: the attributes and blocks, with the places and variables of attributes and their values without variables;
//   - `expression` and `template`: the variables, and the value in the scope of the case;
//   - `format`: the text in the canonical layout.
//
// `errors` has the summary and the bytes of each error. Values are in the notation of `tests/it/notation.rs`.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

const reference = "/usr/share/gocode/src/github.com/hashicorp/hcl/v2"

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Adds `record(NAME, test)` to each loop over a table of a test. Returns nil if there is none.
func instrument(path string) []byte {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	check(err)
	found := false
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(function.Name.Name, "Test") {
			continue
		}
		for _, statement := range function.Body.List {
			loop, ok := statement.(*ast.RangeStmt)
			if !ok {
				continue
			}
			if value, ok := loop.Value.(*ast.Ident); ok && value.Name == "test" {
				name := &ast.BasicLit{Kind: token.STRING, Value: fmt.Sprintf("%q", function.Name.Name)}
				call := &ast.CallExpr{Fun: ast.NewIdent("record"), Args: []ast.Expr{name, ast.NewIdent("test")}}
				loop.Body.List = append([]ast.Stmt{&ast.ExprStmt{X: call}}, loop.Body.List...)
				found = true
			}
		}
	}
	if !found {
		return nil
	}
	var text bytes.Buffer
	check(format.Node(&text, set, file))
	return text.Bytes()
}

func main() {
	scratch, err := os.MkdirTemp("", "hclsyntax")
	check(err)
	defer os.RemoveAll(scratch)
	here, err := os.Getwd()
	check(err)
	recorded := filepath.Join(scratch, "cases.jsonl")
	for _, name := range []string{"hclsyntax", "hclwrite"} {
		directory := filepath.Join(reference, name)
		replaced := map[string]string{
			filepath.Join(directory, "record_test.go"): filepath.Join(here, "recorder", name+".go"),
		}
		tests, err := filepath.Glob(filepath.Join(directory, "*_test.go"))
		check(err)
		for _, test := range tests {
			if text := instrument(test); text != nil {
				changed := filepath.Join(scratch, name+"-"+filepath.Base(test))
				check(os.WriteFile(changed, text, 0o600))
				replaced[test] = changed
			}
		}
		overlay, err := json.Marshal(map[string]any{"Replace": replaced})
		check(err)
		path := filepath.Join(scratch, "overlay.json")
		check(os.WriteFile(path, overlay, 0o600))
		command := exec.Command("go", "test", "-count=1", "-vet=off", "-overlay", path, "github.com/hashicorp/hcl/v2/"+name)
		command.Env = append(os.Environ(), "RECORDED="+recorded)
		command.Stdout, command.Stderr = os.Stderr, os.Stderr
		check(command.Run())
	}
	text, err := os.ReadFile(recorded)
	check(err)
	out, err := os.Create("cases.jsonl")
	check(err)
	writer := bufio.NewWriter(out)
	// A case may be in the tables of several tests, and the order of some tables is random.
	seen := map[string]bool{}
	lines := strings.SplitAfter(string(text), "\n")
	sort.Strings(lines)
	count := 0
	add := func(line string) {
		if _, question, _ := strings.Cut(line, ","); line != "" && !seen[question] {
			seen[question] = true
			writer.WriteString(line)
			count++
		}
	}
	for _, line := range lines {
		add(line)
	}
	for _, line := range lines {
		file := struct {
			Test   string   `json:"test"`
			As     string   `json:"as"`
			Input  string   `json:"input"`
			Errors []string `json:"errors,omitempty"`
			Format string   `json:"format"`
		}{}
		if json.Unmarshal([]byte(line), &file) == nil && file.As == "file" && len(file.Errors) == 0 {
			file.As, file.Format = "format", string(hclwrite.Format([]byte(file.Input)))
			var text bytes.Buffer
			encoder := json.NewEncoder(&text)
			encoder.SetEscapeHTML(false)
			check(encoder.Encode(file))
			add(text.String())
		}
	}
	check(writer.Flush())
	check(out.Close())
	fmt.Println(count, "cases")
}
