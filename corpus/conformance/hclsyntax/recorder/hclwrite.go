// Answers about inputs of the tests of hclwrite; see ../make.go.
package hclwrite

import (
	"encoding/json"
	"os"
	"reflect"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func record(test string, row any) {
	value := reflect.ValueOf(row)
	if value.Kind() != reflect.Struct {
		return
	}
	for _, name := range []string{"input", "src"} {
		field := value.FieldByName(name)
		if !field.IsValid() || field.Kind() != reflect.String || !utf8.ValidString(field.String()) {
			continue
		}
		input := field.String()
		answer := struct {
			Test   string `json:"test"`
			As     string `json:"as"`
			Input  string `json:"input"`
			Format string `json:"format"`
		}{test, "format", input, string(Format([]byte(input)))}
		// The tools leave files with errors unchanged.
		if _, found := hclsyntax.ParseConfig([]byte(input), "", hcl.InitialPos); found.HasErrors() {
			continue
		}
		file, err := os.OpenFile(os.Getenv("RECORDED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		encoder := json.NewEncoder(file)
		encoder.SetEscapeHTML(false)
		encoder.Encode(answer)
		file.Close()
	}
}
